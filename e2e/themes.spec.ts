import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import type { Theme } from '../shared/contract/themes.ts'
import { callerAs } from './back-office.ts'
import { expect, type School, test } from './fixtures.ts'
import { holdFirst } from './hold-first.ts'

const PAGE = '/auth_web/manage/login-topic'

/** The chosen theme affects everybody on this server. */
test.describe.configure({ mode: 'serial' })

async function visitor(browser: Browser, school: School, act: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ baseURL: school.url, locale: 'en' })
  await act(await context.newPage())
  await context.close()
}

const buttonColour = (page: Page) =>
  page
    .locator('button[type=submit]')
    .first()
    .evaluate((button) => getComputedStyle(button).backgroundColor)

test('a theme is created from another, previewed on the real page, published, used and undone', async ({
  page,
  browser,
  logIn,
  school,
}) => {
  await logIn(page, 'root', PAGE)
  await page.getByRole('button', { name: 'Duplicate Gatehouse' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Our campus')
  await page.getByRole('button', { name: 'Create theme' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit “Our campus”')
  const frame = page.frameLocator('.theme-preview iframe')
  const login = frame.locator('button[type=submit]').first()
  await expect(login).toHaveCSS('background-color', 'rgb(31, 75, 153)')
  await page.getByRole('textbox', { name: 'Brand colour', exact: true }).fill('#8c1d2f')
  await expect(login).toHaveCSS('background-color', 'rgb(140, 29, 47)')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Draft saved')).toBeVisible()
  await visitor(browser, school, async (other) => {
    await other.goto('/auth_web/login?service=')
    expect(await buttonColour(other)).toBe('rgb(31, 75, 153)')
  })
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Published.')).toBeVisible()
  await page.getByRole('button', { name: 'Use this theme' }).click()
  // The button goes away with its purpose; the keyboard goes on from the title.
  await expect(page.getByRole('heading', { level: 1, name: 'Edit “Our campus”' })).toBeFocused()
  await expect(page.getByText('The theme is in use')).toBeVisible()
  // Who chose it sees it at once, on the very page.
  await expect(page.locator('.theme-fields [role=tab][aria-selected=true]')).toHaveCSS('color', 'rgb(140, 29, 47)')
  await visitor(browser, school, async (other) => {
    await other.goto('/auth_web/login?service=')
    expect(await buttonColour(other)).toBe('rgb(140, 29, 47)')
    await other.goto('/auth_web/login?service=&safe=1')
    expect(await buttonColour(other)).toBe('rgb(31, 75, 153)')
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Use this theme' })).toBeVisible()
  await page.getByRole('button', { name: 'All themes' }).click()
  await expect(page.getByRole('button', { name: 'Use Our campus' })).toBeVisible()
})

test('a theme has a name in each language: the list, the schedule and the history say it in that of their reader', async ({
  page,
  logIn,
  school,
}) => {
  const call = await callerAs(school.url, 'root')
  const { id, version } = await call<Theme>('/login_config/create/', { name: 'Summer', base: 'pine' })
  await call(`/login_config/themes/${id}/publish/`, { version })
  await logIn(page, 'root', `${PAGE}?open=${id}`)
  await page.getByText('Name in each language').click()
  await page.getByRole('textbox', { name: 'Name in Traditional Chinese' }).fill('夏日校園')
  await page.getByText('What changes').click()
  await expect(page.getByRole('row', { name: /Name in Traditional Chinese/ })).toContainText('夏日校園')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Draft saved')).toBeVisible()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Use this theme' }).click()
  await expect(page.getByText('The theme is in use')).toBeVisible()
  await page.getByRole('tab', { name: 'Change history' }).click()
  const saved = page.getByRole('tabpanel').locator('li.change').nth(1)
  await saved.getByRole('button').first().click()
  await expect(saved.getByRole('row', { name: /Name in Traditional Chinese/ })).toContainText('夏日校園')
  const switched = await holdFirst(page, '**/change_history/query/**')
  await page.goto(`${PAGE}?tab=history`)
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: '繁體中文' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-TW')
  switched()
  const latest = page.getByRole('tabpanel').locator('li.change').first()
  await latest.getByRole('button').first().click()
  await expect(latest.getByRole('row', { name: /夏日校園/ })).toBeVisible()
  await page.getByRole('tab').first().click()
  await expect(page.getByRole('heading', { name: '夏日校園' })).toBeVisible()
  await page.getByRole('tab').nth(1).click()
  await expect(page.getByRole('status').filter({ hasText: '夏日校園' })).toBeVisible()
  await page.getByRole('tab').first().click()
  await page.getByRole('button', { name: '語言' }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: 'Summer' })).toBeVisible()
  const chosen = await call<{ version: number }>('/login_config/themes/')
  await call('/login_config/choose_theme/', { theme: 'gatehouse', version: chosen.version })
})

/** Types a value as a person does, and tells after how many milliseconds the frame wears it. */
const followed = (page: Page, label: string, value: string, expected: string) =>
  page.evaluate(
    ([name, colour, wanted]) => {
      const field = [...document.querySelectorAll('label, .field-label')]
        .find((one) => one.textContent?.trim() === name)
        ?.parentElement?.querySelector<HTMLInputElement>('input[type=text]')
      const frame = document.querySelector<HTMLIFrameElement>('.theme-preview iframe')
      const button = frame?.contentDocument?.querySelector('button[type=submit]')
      if (!field || !button) throw new Error('no field, or no page')
      const began = performance.now()
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, colour)
      field.dispatchEvent(new Event('input', { bubbles: true }))
      return new Promise<number>((done) => {
        const look = () => {
          const now = getComputedStyle(button).backgroundColor
          if (now === wanted || performance.now() - began > 5000) done(performance.now() - began)
          else requestAnimationFrame(look)
        }
        look()
      })
    },
    [label, value, expected] as const,
  )

test('the preview follows each change within 300 milliseconds', { tag: '@proof' }, async ({ page, logIn, school }) => {
  const call = await callerAs(school.url, 'root')
  const { id } = await call('/login_config/create/', { name: 'Quick', base: 'gatehouse' })
  await logIn(page, 'root', `${PAGE}?open=${id}`)
  await expect(page.frameLocator('.theme-preview iframe').locator('button[type=submit]').first()).toBeAttached()
  const times = []
  for (const [colour, shown] of [
    ['#8c1d2f', 'rgb(140, 29, 47)'],
    ['#0b6475', 'rgb(11, 100, 117)'],
    ['#5a349c', 'rgb(90, 52, 156)'],
  ] as const) {
    times.push(await followed(page, 'Brand colour', colour, shown))
  }
  expect(Math.max(...times), times.join(', ')).toBeLessThan(300)
})

test('when two people edit one theme, the second sees the differences in words and continues with either, without losing input', async ({
  page,
  logIn,
  school,
}) => {
  const call = await callerAs(school.url, 'root')
  const made = await call<Theme>('/login_config/create/', { name: 'Edited by two', base: 'gatehouse' })
  await logIn(page, 'root', `${PAGE}?open=${made.id}`)
  const brand = page.getByRole('textbox', { name: 'Brand colour', exact: true })
  await brand.fill('#8c1d2f')
  const { draft } = made
  if (!draft) throw new Error('a new theme has a draft')
  const theirs = { ...draft, radius: 3, background: { ...draft.background, kind: 'colour' } }
  await call(`/login_config/themes/${made.id}/update/`, { version: made.version, name: made.name, draft: theirs })
  await page.getByRole('button', { name: 'Save' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'changed' })
  await expect(notice.getByRole('row', { name: /Rounded corners/ })).toContainText('3 px')
  await expect(notice.getByRole('row', { name: /^Background/ })).toContainText('Colour')
  await expect(notice).not.toContainText('{')
  await notice.getByRole('button', { name: 'Keep mine' }).click()
  await expect(brand).toHaveValue('#8c1d2f')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Draft saved')).toBeVisible()
  await brand.fill('#0b6475')
  // Leaving with unsaved input asks first.
  await page.getByRole('link', { name: 'Home page', exact: true }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(brand).toHaveValue('#0b6475')
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('a photo is placed next to the form, its focus point set by a click, and the form does not wait for the photo', async ({
  page,
  browser,
  logIn,
  school,
}) => {
  const call = await callerAs(school.url, 'root')
  const { id } = await call('/login_config/create/', { name: 'With a photo', base: 'gatehouse' })
  await logIn(page, 'root', `${PAGE}?open=${id}`)
  await page.getByText('A photo of the campus').click()
  const buffer = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#7a9e7e' } })
    .jpeg()
    .toBuffer()
  await page
    .locator('.file-drop input[type=file]')
    .setInputFiles({ name: 'campus.jpg', mimeType: 'image/jpeg', buffer })
  const picture = page.locator('.focus-point')
  await expect(picture.locator('img')).toHaveJSProperty('complete', true)
  const box = await picture.boundingBox()
  if (!box) throw new Error('no picture')
  await picture.click({ position: { x: box.width * 0.25, y: box.height * 0.75 } })
  await expect(page.getByRole('slider', { name: 'Focus point, from the left' })).toHaveValue('25')
  await expect(page.getByRole('slider', { name: 'Focus point, from the top' })).toHaveValue('75')
  const scene = page.frameLocator('.theme-preview iframe').locator('.scene')
  await expect(scene).toHaveCSS('background-position', /25% 75%/)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Draft saved')).toBeVisible()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Published.')).toBeVisible()
  const chosen = await call<{ version: number }>('/login_config/themes/')
  const { version } = await call<{ version: number }>('/login_config/choose_theme/', {
    theme: id,
    version: chosen.version,
  })
  await visitor(browser, school, async (other) => {
    // The photo is never answered.
    let isAsked = false
    await other.route('**/preview_file/**', () => {
      isAsked = true
    })
    await other.goto('/auth_web/login?service=', { waitUntil: 'commit' })
    await expect(other.locator('#username')).toBeVisible()
    await expect.poll(() => isAsked).toBe(true)
    const paints = () => other.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)
    await expect.poll(paints).toBe(1)
    await other.locator('#username').fill('lilei')
  })
  await call('/login_config/choose_theme/', { theme: 'gatehouse', version })
})

test('low contrast is fixed in one click, or published with a reason', async ({ page, logIn, school }) => {
  const call = await callerAs(school.url, 'root')
  const { id } = await call('/login_config/create/', { name: 'Faint', base: 'gatehouse' })
  await logIn(page, 'root', `${PAGE}?open=${id}`)
  await page.locator('summary', { hasText: 'Text' }).click()
  await page.getByRole('textbox', { name: 'Secondary text', exact: true }).fill('#b0b4bb')
  await page.getByRole('tab', { name: 'Contrast' }).click()
  await expect(page.getByRole('status').filter({ hasText: '4 pairs of colours are hard to read' })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(dialog.getByText(/4 pairs of colours are hard to read. Adjust/).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Adjust Secondary text on Card' }).click()
  await expect(page.getByText('Every pair of colours is easy to read.')).toBeVisible()
})

test('the login page is laid out with a preview, and works centred, without scripts, on a phone and with large text', async ({
  page,
  browser,
  logIn,
  school,
}) => {
  await logIn(page, 'root', '/auth_web/manage/login-page-setup')
  const frame = page.frameLocator('.login-page-preview iframe')
  await expect(frame.locator('.page-right')).toBeVisible()
  await page.getByText('Form in the centre').click()
  await page.getByRole('button', { name: 'Add a link' }).click()
  await page.getByRole('textbox', { name: 'Link 1, English' }).fill('Campus map')
  await page.getByRole('textbox', { name: 'Link 1, address' }).fill('https://map.school.test/')
  await page.getByRole('textbox', { name: 'ICP filing number' }).fill('京ICP备12345678号-1')
  await expect(frame.locator('.page-centre')).toBeVisible()
  await expect(frame.getByRole('link', { name: 'Campus map', includeHidden: true })).toBeAttached()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Change history' }).click()
  const latest = page.locator('li.change').first()
  await latest.getByRole('button').first().click()
  await expect(latest.getByRole('row', { name: /^Layout/ })).toContainText('Form in the centre, over the picture')
  await page.getByRole('tab', { name: 'Layout' }).click()
  for (const width of [1440, 390]) {
    const viewport = { width, height: 844 }
    const context = await browser.newContext({ baseURL: school.url, locale: 'en', javaScriptEnabled: false, viewport })
    const other = await context.newPage()
    await other.goto('/auth_web/login?service=')
    await expect(other.getByRole('link', { name: 'Campus map' })).toBeVisible()
    await expect(other.getByRole('link', { name: /京ICP备/ })).toHaveAttribute('href', 'https://beian.miit.gov.cn/')
    await expect(other.locator('#username')).toBeInViewport()
    await context.close()
  }
  await visitor(browser, school, async (other) => {
    await other.setViewportSize({ width: 390, height: 844 })
    await other.goto('/auth_web/login?service=')
    await other.evaluate(() => document.documentElement.style.setProperty('--reading', '2'))
    const tooWide = await other.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(tooWide).toBeLessThanOrEqual(0)
  })
  await page.getByText('Form on the right').click()
  await page.getByRole('button', { name: 'Remove link 1' }).click()
  await page.getByRole('textbox', { name: 'ICP filing number' }).fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
})
