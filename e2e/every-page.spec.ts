import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { test as base, expect, loginFor, openSchool, PASSWORD, type School } from './fixtures.ts'
import { alteredPayloads, hasPayloads, withHostileNames, withPayload } from './hostile-names.ts'
import type { PageState } from './page-state.ts'
import { PAGE_STATES } from './pages.ts'
import { untilNothingFound } from './until-nothing-found.ts'
import { LANGUAGES, type Tag, wordingFaults } from './wording.ts'

/** A separate school, because texts left by other journeys are not ours. Everything named in it is hostile. */
const test = base.extend<{ school: School }>({
  school: [
    async ({ servers }, use) => use(await servers.own('every page', openHostileSchool)),
    { scope: 'test', timeout: 90_000 },
  ],
})

/** A person's logins include a browser with a hostile name. */
async function openHostileSchool(): Promise<School> {
  const school = await openSchool({}, withHostileNames)
  const login = await fetch(loginFor(school.url, '/auth_web/'), {
    method: 'POST',
    // The part before the version is shown as the browser's name.
    headers: { 'user-agent': `${withPayload('Evil', 0)}/5.0 (X11)` },
    body: new URLSearchParams({ username: 'lilei', password: PASSWORD }),
    redirect: 'manual',
  })
  if (!login.headers.has('location')) throw new Error(`the hostile browser can't log in: ${login.status}`)
  return school
}

/** States per test: few enough to share them out among the workers. */
const AT_ONCE = 6
const WIDE = { width: 1366, height: 768 }
const PHONE = { width: 390, height: 844 }

/**
 * Every page and state of PLACES, in light and dark, wide and on a phone, in all languages: axe, headings and title,
 * overflow, target sizes, the Tab key, wording; and that hostile names stay text. Not every combination: a state is
 * opened in one language and switched to the others. The first language rotates, so that each is checked in each way
 * somewhere.
 */
for (const account of [null, 'lilei', 'root'] as const) {
  const places = PAGE_STATES.filter(({ as }) => as === account)
  for (let from = 0; from < places.length; from += AT_ONCE) {
    const some = places.slice(from, from + AT_ONCE)
    test(`${account ?? 'anyone'}: ${some.map(({ name }) => name).join(' · ')}`, async ({ page, school, logIn }) => {
      test.slow()
      const complaints = complaintsOf(page, school)
      if (account) await logIn(page, account)
      let isLaced = false
      for (const [at, place] of some.entries()) {
        await lookAt(page, place, school, at % LANGUAGES.length)
        isLaced ||= await hasPayloads(page)
      }
      // The logged-in person has such a name.
      if (account) expect.soft(isLaced, 'something to be shown letter by letter').toBe(true)
      expect.soft(complaints, 'complaints of the browser').toEqual([])
    })
  }
}

async function lookAt(page: Page, place: PageState, school: School, turn: number): Promise<void> {
  const [first, second, third] = [...LANGUAGES.slice(turn), ...LANGUAGES.slice(0, turn)] as [Tag, Tag, Tag]
  const { name } = place
  const speak = async (tag: Tag, width: string) => {
    await turnTo(page, tag, place, school)
    expect.soft(await wordingFaults(page, tag), `${name}: words in ${tag}, ${width}`).toEqual([])
    expect.soft(await alteredPayloads(page), `${name}, ${tag}: not shown letter by letter`).toEqual([])
    expect.soft(await tooWide(page), `${name}, ${tag}: wider than the ${width}`).toEqual([])
  }
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light' })
  await keepLanguage(page, first, school)
  await place.go(page, school)
  await speak(first, 'window')
  expect.soft(await page.locator('h1').count(), `${name}: one main heading`).toBe(1)
  expect.soft(await page.title(), `${name}: a title`).not.toBe('')
  expect.soft(await violations(page), `${name}, light`).toEqual([])
  expect.soft(await unreached(page), `${name}: not reached with the Tab key`).toEqual([])
  // Tabbing ends anywhere: an element half covered by a sticky bar is no small target.
  await page.evaluate(() => scrollTo(0, 0))
  await page.emulateMedia({ colorScheme: 'dark' })
  expect.soft(await violations(page, 'colours'), `${name}, dark`).toEqual([])
  await page.setViewportSize(PHONE)
  await page.evaluate(() => scrollTo(0, 0))
  // Switching the language takes a third of the time, so it is done twice, at rotating points.
  await speak(first, 'phone')
  expect.soft(await untilNothingFound(page, () => tooSmall(page)), `${name}: small targets`).toEqual([])
  expect.soft(await violations(page, 'layout'), `${name}, on a phone`).toEqual([])
  await speak(second, 'phone')
  await speak(third, 'phone')
  await page.setViewportSize(WIDE)
  await speak(third, 'window')
}

const keepLanguage = (page: Page, tag: Tag, { url }: School): Promise<void> =>
  page.context().addCookies([{ name: 'gatehouse_language', value: tag.replace('-', '_'), url }])

/** Switches the language by the page's menu, even behind a dialog; otherwise reopens the page. */
async function turnTo(page: Page, tag: Tag, place: PageState, school: School): Promise<void> {
  const html = page.locator('html')
  if ((await html.getAttribute('lang')) === tag) return
  const isChosen =
    !place.isSaid &&
    (await page.evaluate(async (wanted) => {
      const press = (selector: string) => {
        const control = document.querySelector<HTMLElement>(selector)
        control?.click()
        return Boolean(control)
      }
      if (press(`a[hreflang="${wanted}"]`)) return true
      const opener =
        'header button[aria-haspopup=menu][aria-label^="Language"], header button[aria-haspopup=menu][aria-label^="语言"], header button[aria-haspopup=menu][aria-label^="語言"]'
      // No menu opens behind a dialog.
      if (document.querySelector('dialog[open]') || !press(opener)) return false
      // The menu's code is loaded when the first one opens.
      for (let frames = 0; frames < 120; frames += 1) {
        if (press(`[role=menuitemradio][lang="${wanted}"]`)) return true
        await new Promise((done) => requestAnimationFrame(done))
      }
      return false
    }, tag))
  if (!isChosen) {
    await keepLanguage(page, tag, school)
    await place.go(page, school)
  }
  await expect(html).toHaveAttribute('lang', tag)
}

/**
 * Script errors, content security policy violations, browser dialogs and requests to other hosts; a refused login is an
 * answer, not an error.
 */
function complaintsOf(page: Page, { url, library }: School): string[] {
  const complaints: string[] = []
  page.on('dialog', async (dialog) => {
    // A state may be left with unsaved input.
    if (dialog.type() === 'beforeunload') return await dialog.accept()
    complaints.push(`${dialog.type()}: ${dialog.message()} at ${page.url()}`)
    await dialog.dismiss()
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    const isOurs =
      [url, library.url].some((ours) => new URL(ours).origin === origin) || ['data:', 'blob:'].includes(protocol)
    if (!isOurs) complaints.push(`asked for ${request.url()} at ${page.url()}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/the server responded with a status of 40[13]/.test(message.text())) {
      complaints.push(`${message.text()} at ${page.url()}`)
    }
  })
  return complaints
}

/** Pixels by which the page is wider than its window; tables may scroll inside their own frame. */
const tooWide = (page: Page): Promise<string[]> =>
  untilNothingFound(page, async () => {
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    return beyond > 0 ? [`${beyond} pixels`] : []
  })

/** Controls smaller than 24 × 24 that are not inline links. */
const tooSmall = (page: Page) =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'a[href], button, summary, input:not([type=hidden]), select, [role^=menuitem]',
      ),
    ]
      .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .map((one) => {
        // A checkbox is as large as its label.
        const { width, height } = (one.closest('label') ?? one).getBoundingClientRect()
        return { text: `${one.tagName} ${one.className} ${one.textContent?.slice(0, 30)}`, width, height, one }
      })
      .filter(({ width, height, one }) => {
        // Hidden until focused, like skip links, or the native select behind a listbox.
        if (one.closest('[aria-hidden=true]') || width <= 1 || height <= 1 || one.getBoundingClientRect().bottom < 0)
          return false
        return width < 24 || height < 24
      })
      .map(({ text, width, height }) => `${text}: ${Math.round(width)} x ${Math.round(height)}`),
  )

/**
 * Marks what the keyboard has to reach, and records what is reached; of radio buttons with one name only the checked
 * one, or all, is a stop.
 */
const markControls = (page: Page) =>
  page.evaluate(() => {
    const scope = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
    const all = scope.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex="0"]')
    const stops = [...all].filter(
      (one) =>
        one.tabIndex >= 0 &&
        !one.matches(':disabled, [type=radio]') &&
        !one.closest('[inert]') &&
        one.checkVisibility({ visibilityProperty: true, opacityProperty: false }),
    )
    for (const [at, one] of stops.entries()) one.dataset['stop'] = String(at)
    const here = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['stop'] : undefined
    const reached = new Set<string>(here === undefined ? [] : [here])
    document.addEventListener('focusin', ({ target }) => {
      const { stop } = (target as HTMLElement).dataset
      if (stop !== undefined) reached.add(stop)
    })
    Object.assign(window, { reached })
    return stops.map((one) => `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent ?? ''}`.slice(0, 60))
  })

const reachedOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...(window as unknown as { reached: Set<string> }).reached])

/** The controls that the Tab key does not reach. */
async function unreached(page: Page): Promise<string[]> {
  const controls = await markControls(page)
  let reached = new Set<string>()
  // A frame has its own tab stops.
  for (let steps = 0; steps < controls.length + 80 && reached.size < controls.length; steps += 1) {
    await page.keyboard.press('Tab')
    // Querying takes as long as the key.
    if (steps % 8 === 7 || steps + 1 >= controls.length) reached = new Set(await reachedOn(page))
  }
  return controls.filter((_, at) => !reached.has(String(at)))
}
