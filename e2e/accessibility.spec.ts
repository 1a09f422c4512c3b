import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { PLACES } from './pages.ts'

/** Errors of scripts and of the content policy; a refused login is an answer, not an error. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/the server responded with a status of 40[13]/.test(message.text())) {
      complaints.push(`${message.text()} at ${page.url()}`)
    }
  })
  return complaints
}

/** The pages of the portal are also looked at in other languages and on a phone, in portal-pages.spec.ts. */
const COMBINATIONS = [
  [null, 'en', 'en'],
  [null, 'zh_CN', 'zh-CN'],
  ['lilei', 'zh_CN', 'zh-CN'],
  ['root', 'en', 'en'],
] as const

for (const [account, language, locale] of COMBINATIONS) {
  test(`pages of ${account ?? 'anyone'} in ${language}, light and dark: nothing for axe to find`, async ({
    browser,
    school,
    logIn,
  }) => {
    test.slow()
    const context = await browser.newContext({ locale, baseURL: school.url })
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    if (account) await logIn(page, account)
    for (const place of PLACES.filter(({ as }) => as === account)) {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await place.go(page, school)
      expect.soft(await violations(page), `${place.name}, light`).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      expect.soft(await violations(page), `${place.name}, dark`).toEqual([])
      expect.soft(await page.locator('h1').count(), `${place.name}: one main heading`).toBe(1)
      expect.soft(await page.title(), `${place.name}: a title`).not.toBe('')
    }
    expect.soft(complaints, 'complaints in the console').toEqual([])
    await context.close()
  })
}
