import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { violations } from './axe.ts'
import { callerAs } from './back-office.ts'
import { expect, openSchool, testWithServer } from './fixtures.ts'

const APPLICATIONS = ['Catalogue', 'Grades', 'Mail', 'Timetable']

const entryOf = (name: string) => ({
  appId: name.toLowerCase(),
  name,
  protocol: 'cas',
  type: 'whitelist',
  url: `https://${name.toLowerCase()}.test/`,
  serviceUrls: [`https://${name.toLowerCase()}.test/**`],
})

/** Applications that everybody may use. */
const openHome = () => openSchool({}, (content) => ({ ...content, applications: APPLICATIONS.map(entryOf) }))

const test = testWithServer('home page', openHome)
test.describe.configure({ mode: 'default' })

const favourites = (page: Page) => page.getByRole('region', { name: 'Favourites' })
const namesIn = (list: Locator) => list.locator('.app-name').allTextContents()

test('a person pins applications and sorts them by mouse, keyboard and buttons, and the order is kept', async ({
  page,
  browser,
  logIn,
  server,
}) => {
  await logIn(page, 'lilei')
  for (const name of ['Mail', 'Catalogue', 'Grades']) {
    await page
      .getByRole('button', { name: `Favourite: ${name}`, exact: true })
      .last()
      .click()
    await expect(favourites(page).getByText(name)).toBeVisible()
  }
  expect(await namesIn(favourites(page))).toEqual(['Mail', 'Catalogue', 'Grades'])
  await favourites(page).getByRole('button', { name: 'Arrange' }).click()
  const rows = favourites(page).getByRole('grid', { name: 'Favourites' })
  await expect(rows).toBeVisible()
  expect(await violations(page)).toEqual([])

  await rows.getByRole('button', { name: 'Move Grades up' }).click()
  await expect.poll(() => namesIn(rows)).toEqual(['Mail', 'Grades', 'Catalogue'])
  await expect(page.getByRole('status').filter({ hasText: 'Grades is now number 2 of 3' })).toBeAttached()
  // With the keyboard alone: grab the first row, move it below the last, drop it.
  await rows.getByRole('row', { name: 'Mail' }).locator('[slot=drag]').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect.poll(() => namesIn(rows)).toEqual(['Grades', 'Catalogue', 'Mail'])
  const target = rows.getByRole('row', { name: 'Grades' })
  await rows.getByRole('row', { name: 'Mail' }).dragTo(target, { targetPosition: { x: 60, y: 3 } })
  await expect.poll(() => namesIn(rows)).toEqual(['Mail', 'Grades', 'Catalogue'])
  await rows.getByRole('button', { name: 'Remove Grades from favourites' }).click()
  await expect.poll(() => namesIn(rows)).toEqual(['Mail', 'Catalogue'])
  await favourites(page).getByRole('button', { name: 'Done' }).click()
  await expect(favourites(page).getByRole('link', { name: /^Mail/ })).toHaveAttribute('href', 'https://mail.test/')

  const context = await browser.newContext({ baseURL: server.url, locale: 'en', viewport: { width: 390, height: 844 } })
  const phone = await context.newPage()
  await logIn(phone, 'lilei')
  await expect.poll(() => namesIn(favourites(phone))).toEqual(['Mail', 'Catalogue'])
  await favourites(phone).getByRole('button', { name: 'Arrange' }).click()
  await expect(favourites(phone).getByRole('grid')).toBeVisible()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await context.close()
})

test('touching the handle drags a favourite, also past the edge of the window; touching elsewhere scrolls', async ({
  browser,
  logIn,
  server,
}) => {
  const viewport = { width: 390, height: 560 }
  const context = await browser.newContext({ baseURL: server.url, locale: 'en', viewport, hasTouch: true })
  const phone = await context.newPage()
  await logIn(phone, 'wangwu')
  for (const name of APPLICATIONS) {
    await phone
      .getByRole('button', { name: `Favourite: ${name}`, exact: true })
      .last()
      .tap()
  }
  await favourites(phone).getByRole('button', { name: 'Arrange' }).tap()
  const rows = favourites(phone).getByRole('grid', { name: 'Favourites' })
  await expect.poll(() => namesIn(rows)).toEqual(APPLICATIONS)
  const finger = await context.newCDPSession(phone)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
  const middleOf = async (name: string) => {
    const handle = rows.getByRole('row', { name }).locator('[slot=drag]')
    // Near an edge the page would go on by itself, for as long as the finger is there.
    await handle.evaluate((one) => one.scrollIntoView({ block: 'center', behavior: 'instant' }))
    const { x = 0, y = 0, width = 0, height = 0 } = (await handle.boundingBox()) ?? {}
    return { x: x + width / 2, y: y + height / 2 }
  }
  const drag = async (name: string, distance: number) => {
    const { x, y } = await middleOf(name)
    await touch('touchStart', x, y)
    for (let step = 1; step <= 8; step++) await touch('touchMove', x, y + (distance * step) / 8)
    // A frame later it follows the finger.
    await phone.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await touch('touchEnd')
  }
  const { height: row = 0 } = (await rows.getByRole('row').first().boundingBox()) ?? {}
  await drag('Grades', -row * 1.2)
  await expect.poll(() => namesIn(rows)).toEqual(['Grades', 'Catalogue', 'Mail', 'Timetable'])
  await expect(phone.getByRole('status').filter({ hasText: 'Grades is now number 1 of 4' })).toBeAttached()
  await drag('Catalogue', row * 1.2)
  await expect.poll(() => namesIn(rows)).toEqual(['Grades', 'Mail', 'Catalogue', 'Timetable'])
  // A short move doesn't change the order.
  await drag('Mail', row * 0.3)
  await expect.poll(() => namesIn(rows)).toEqual(['Grades', 'Mail', 'Catalogue', 'Timetable'])
  await phone.reload()
  await expect.poll(() => namesIn(favourites(phone))).toEqual(['Grades', 'Mail', 'Catalogue', 'Timetable'])

  // Held at the lower edge of the window, the page scrolls.
  await favourites(phone).getByRole('button', { name: 'Arrange' }).tap()
  await phone.evaluate(() => scrollTo(0, 0))
  const { x, y } = await middleOf('Grades')
  const before = await phone.evaluate(() => scrollY)
  await touch('touchStart', x, y)
  await touch('touchMove', x, 550)
  await expect.poll(() => phone.evaluate(() => scrollY)).toBeGreaterThan(before)
  await touch('touchEnd')
  await expect.poll(async () => (await namesIn(rows))[0]).not.toBe('Grades')
  await context.close()
})

test('an announcement is marked as new on the home page until it was opened', async ({
  page,
  browser,
  logIn,
  server,
}) => {
  await logIn(page, 'root', '/auth_web/manage/home-page-settings?tab=announcements')
  await page.getByRole('button', { name: 'New announcement' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Text, English' }).fill('From 8 to 10.\nPlease fill a bottle.')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Enter it in at least one language')).toBeVisible()
  await form.getByRole('textbox', { name: 'Title, English' }).fill('No water on Friday')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /No water on Friday/ })).toContainText('Everyone')
  expect(await violations(page)).toEqual([])

  const context = await browser.newContext({ baseURL: server.url, locale: 'en', viewport: { width: 390, height: 844 } })
  const phone = await context.newPage()
  await logIn(phone, 'hanmeimei')
  const list = phone.getByRole('region', { name: 'Announcements' })
  await expect(list.getByText('New', { exact: true })).toBeVisible()
  expect(await violations(phone)).toEqual([])
  const noted = phone.waitForResponse('**/home_page/announcement/read/**')
  await list.getByText('No water on Friday').click()
  await expect(list.getByText('Please fill a bottle.')).toBeVisible()
  await expect(list.getByText('New', { exact: true })).toHaveCount(0)
  await noted
  await phone.reload()
  await expect(list.getByText('No water on Friday')).toBeVisible()
  await expect(list.getByText('New', { exact: true })).toHaveCount(0)
  await context.close()

  await page.getByRole('button', { name: 'Delete “No water on Friday”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No announcements yet.')).toBeVisible()
})

const pictureOf = (background: string) =>
  sharp({ create: { width: 800, height: 200, channels: 3, background } })
    .png()
    .toBuffer()

test('the carousel advances, pauses, and has alternative texts', async ({ page, browser, logIn, server }) => {
  await logIn(page, 'root', '/auth_web/manage/home-page-settings')
  const chooser = page.locator('.file-drop input[type=file]')
  for (const [at, colour] of ['#8c1d2f', '#1f4b99'].entries()) {
    const buffer = await pictureOf(colour)
    await chooser.setInputFiles({ name: 'slide.png', mimeType: 'image/png', buffer })
    const slide = page.getByRole('group', { name: `Picture ${at + 1}` })
    await slide.getByRole('textbox', { name: /^What the picture says, English/ }).fill(`Picture in ${colour}`)
  }
  const frame = page.frameLocator('.login-page-preview iframe')
  await expect(frame.getByRole('img', { name: 'Picture in #8c1d2f', includeHidden: true }).first()).toBeAttached()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  expect(await violations(page)).toEqual([])

  const context = await browser.newContext({ baseURL: server.url, locale: 'en', reducedMotion: 'no-preference' })
  const moving = await context.newPage()
  await moving.clock.install()
  await logIn(moving, 'zhangsan')
  const carousel = moving.getByRole('region', { name: 'Pictures' })
  await expect(carousel.getByRole('img')).toHaveAccessibleName('Picture in #8c1d2f')
  await moving.clock.runFor(7500)
  await expect(carousel.getByRole('img')).toHaveAccessibleName('Picture in #1f4b99')
  await carousel.getByRole('button', { name: 'Pause' }).click()
  await moving.locator('h1').hover()
  await moving.clock.runFor(20_000)
  await expect(carousel.getByRole('img')).toHaveAccessibleName('Picture in #1f4b99')
  await context.close()

  // With reduced motion nothing moves by itself, and the keyboard steps through the pictures.
  await page.goto('/auth_web/my-apps')
  const still = page.getByRole('region', { name: 'Pictures' })
  await expect(still.getByRole('button', { name: 'Play' })).toBeVisible()
  await still.getByRole('button', { name: 'Next picture' }).focus()
  await page.keyboard.press('Enter')
  await expect(still.getByRole('img')).toHaveAccessibleName('Picture in #1f4b99')
  expect(await violations(page)).toEqual([])
  const call = await callerAs(server.url, 'root')
  const { homePage } = await call<{ homePage: { version: number } }>('/login_config/manage_page_config/')
  await call('/login_config/update_manage_page_config/', { version: homePage.version, changes: { carousel: [] } })
})

test('a long name of the institution takes at most two lines of the bar on a phone, and the tools stay', async ({
  browser,
  logIn,
  server,
}) => {
  const call = await callerAs(server.url, 'root')
  const { version } = await call('/institution/details/')
  const name = 'Southeast Polytechnic University of Applied Sciences'
  await call('/institution/update/', { version, changes: { names: { en: name } } })
  const context = await browser.newContext({ baseURL: server.url, locale: 'en', viewport: { width: 390, height: 844 } })
  const phone = await context.newPage()
  await logIn(phone, 'lilei')
  const brand = phone.locator('.bar .brand span')
  await expect(brand).toHaveText(name)
  await expect(brand).toHaveAttribute('title', name)
  const [bar, lines] = await Promise.all([
    phone.locator('header.bar').evaluate(({ clientHeight }) => clientHeight),
    brand.evaluate((one) => one.clientHeight / Number.parseFloat(getComputedStyle(one).lineHeight)),
  ])
  expect(bar).toBeLessThanOrEqual(57)
  expect(Math.round(lines)).toBe(2)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await context.close()
})
