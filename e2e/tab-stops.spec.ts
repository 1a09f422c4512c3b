import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { PLACES } from './pages.ts'

/** Marks what a keyboard has to reach; of radio buttons with one name only the chosen one, or all of them, is a stop. */
const markControls = (page: Page) =>
  page.evaluate(() => {
    const scope = document.querySelector('dialog[open]') ?? document
    const all = scope.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]')
    const stops = [...all].filter(
      (one) =>
        one.tabIndex >= 0 &&
        !one.matches(':disabled, [type=radio]') &&
        !one.closest('[inert]') &&
        one.checkVisibility({ visibilityProperty: true, opacityProperty: false }),
    )
    for (const [at, one] of stops.entries()) one.dataset['stop'] = String(at)
    return stops.map((one) => `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent ?? ''}`.slice(0, 60))
  })

/** Pages that have their own journeys for everything else. */
const OTHER_PAGES = [
  'personal-data',
  'account-security/third-party-account',
  'account-security/allowed-applications',
  'certification-record/password',
  'certification-record/account-maintenance',
  'certification-record/application',
]

const stopInFocus = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['stop'])

async function reachAll(page: Page, name: string): Promise<void> {
  const controls = await markControls(page)
  const reached = new Set<string>()
  for (let i = 0; i < controls.length + 25 && reached.size < controls.length; i += 1) {
    await page.keyboard.press('Tab')
    const stop = await stopInFocus(page)
    if (stop !== undefined) reached.add(stop)
  }
  expect.soft(controls.length, name).toBeGreaterThan(1)
  expect
    .soft(
      controls.filter((_, at) => !reached.has(String(at))),
      name,
    )
    .toEqual([])
}

for (const account of [null, 'lilei'] as const) {
  test(`every control of the pages of ${account ?? 'anyone'} is reached with the Tab key alone`, async ({
    page,
    school,
    logIn,
  }) => {
    test.slow()
    if (account) await logIn(page, account)
    for (const place of PLACES.filter(({ as }) => as === account)) {
      await place.go(page, school)
      await reachAll(page, place.name)
    }
    for (const path of account ? OTHER_PAGES : []) {
      await page.goto(`/auth_web/${path}`)
      await expect(page.locator('main h1')).toBeVisible()
      await page.waitForLoadState('networkidle')
      await reachAll(page, path)
    }
  })
}
