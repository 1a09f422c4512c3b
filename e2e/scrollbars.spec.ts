import type { Locator, Page } from '@playwright/test'
import { topDialog } from './dialogs.ts'
import { expect, test } from './fixtures.ts'

const PEOPLE = '/auth_web/manage/organization'
/** A window of the commonest laptop, and what the bars of a browser leave of it. */
const HEIGHTS = [768, 620]

/** Makes the lists in it longer than any window. */
const lengthenLists = (place: Page | Locator) =>
  place.locator('.list-scroll tbody').evaluateAll((bodies) => {
    for (const body of bodies) {
      const row = body.querySelector('tr')
      for (let more = 0; row && more < 60; more += 1) body.append(row.cloneNode(true))
    }
  })

/** What scrolls up and down, of the page, its lists and what lies over it. */
const scrolling = (page: Page) =>
  page.locator('html, .list-scroll, .drawer, .drawer-body, .dialog').evaluateAll((all) =>
    all.flatMap((one) => {
      const mayScroll = getComputedStyle(one).overflowY !== 'hidden'
      return mayScroll && one.scrollHeight > one.clientHeight ? [one.classList[0] ?? one.tagName] : []
    }),
  )

/** The addresses that the menu of the back office leads to, once its first list is there. */
async function menuOf(page: Page) {
  const links = page.getByRole('navigation').locator('a[href*="/manage/"]')
  await expect(page.locator('.data-row').first()).toBeVisible()
  const names = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const open = async (name: string) => {
    const link = links.and(page.locator(`[href="${name}"]`)).first()
    await link.click()
    // The address changes while the page before is still shown, the last crumb with the page.
    await expect(page.locator('.crumbs strong')).toHaveText(await link.innerText())
    await expect(page).toHaveURL(new RegExp(`${name}(\\?|$)`))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('.skeleton, .list-busy, [aria-busy=true]')).toHaveCount(0)
  }
  return { names, open }
}

test('with scroll bars that take room no list is a bit too wide, and however long it is one bar alone scrolls it', async ({
  page,
  logIn,
}) => {
  test.slow()
  await logIn(page, 'root', PEOPLE)
  const { names, open } = await menuOf(page)
  const lists: string[] = []
  for (const name of names) {
    await page.setViewportSize({ width: 1366, height: 768 })
    await open(name)
    const tooWide = await page
      .locator('html, .list-scroll')
      .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => Math.max(0, scrollWidth - clientWidth)))
    expect([name, ...tooWide]).toEqual([name, ...tooWide.map(() => 0)])
    if (tooWide.length > 1) lists.push(name)
    await lengthenLists(page)
    for (const height of HEIGHTS) {
      await page.setViewportSize({ width: 1366, height })
      const bars = await scrolling(page)
      if (bars.includes('list-scroll')) expect.soft(bars, `${name} in ${height} pixels`).toEqual(['list-scroll'])
    }
  }
  expect(lists.length).toBeGreaterThan(5)
})

test('where the page scrolls, the heads of its list stay below its bar', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/login-log')
  await expect(page.locator('.data-row').first()).toBeVisible()
  await page.setViewportSize({ width: 1366, height: 768 })
  await lengthenLists(page)
  expect(await scrolling(page)).toEqual(['HTML'])
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2))
  const bar = await page.locator('.manage-bar').boundingBox()
  const head = await page.locator('.data-table thead th').first().boundingBox()
  expect(Math.abs((head?.y ?? 0) - (bar?.height ?? 0))).toBeLessThanOrEqual(1)
})

test('the head of a table that is too wide for the window stays below the bar as well, and moves with its columns', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/login-log')
  await expect(page.locator('.data-row').first()).toBeVisible()
  await page
    .locator('.data-row td')
    .nth(1)
    .evaluate((cell) => {
      cell.textContent = 'wide '.repeat(400)
    })
  await page.setViewportSize({ width: 1300, height: 768 })
  const list = page.locator('.list-scroll')
  await expect(list).toHaveAttribute('data-wide', 'sideways')
  await lengthenLists(page)
  expect(await scrolling(page)).toEqual(['HTML'])
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2))
  const bar = await page.locator('.manage-bar').boundingBox()
  const head = page.locator('.data-table thead th').first()
  const atRest = await head.boundingBox()
  expect(Math.abs((atRest?.y ?? 0) - (bar?.height ?? 0))).toBeLessThanOrEqual(1)
  await list.evaluate((element) => element.scrollTo(200, 0))
  const moved = await head.boundingBox()
  expect([moved?.x, moved?.y]).toEqual([(atRest?.x ?? 0) - 200, atRest?.y])
})

test('a long list of a person is scrolled with its page', async ({ page, logIn }) => {
  await logIn(page, 'lilei', '/auth_web/certification-record/account')
  await expect(page.locator('.data-row').first()).toBeVisible()
  await lengthenLists(page)
  expect(await scrolling(page)).toEqual(['HTML'])
})

test('of a drawer its body alone scrolls, also around a list; under a dialog nothing does', async ({ page, logIn }) => {
  await logIn(page, 'root', `${PEOPLE}?search=lilei`)
  await page.locator('.data-row').first().getByRole('button', { name: 'lilei' }).click()
  await expect(page.locator('.drawer .person-verbs')).toBeVisible()
  const tabs = page.locator('.drawer').getByRole('tab')
  for (let at = 0; at < (await tabs.count()); at += 1) {
    await tabs.nth(at).click()
    await expect(page.locator('.drawer').locator('.skeleton, [aria-busy=true]')).toHaveCount(0)
    await lengthenLists(page.locator('.drawer'))
    const bars = await scrolling(page)
    expect.soft(bars.filter((one) => one !== 'drawer-body')).toEqual([])
  }
  await page.locator('.drawer').getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.locator('.form-dialog input').first()).toBeVisible()
  expect((await scrolling(page)).filter((one) => one !== 'dialog')).toEqual([])
})

/** The accessible names of the buttons and links beside the menu. */
async function toolNames(page: Page): Promise<string[]> {
  const tools = await page.locator('.reading-entry, .bar-tools').all()
  const trees = await Promise.all(tools.map((one) => one.ariaSnapshot()))
  return trees.join('\n').match(/(?:button|link) "[^"]+"/g) ?? []
}

test('the bar of the portal is one line at 1366 × 768 in every language, and its tools keep their names', async ({
  page,
  logIn,
  baseURL,
}) => {
  await page.setViewportSize({ width: 1366, height: 768 })
  for (const language of ['en', 'zh_CN', 'zh_TW']) {
    await page.context().addCookies([{ name: 'gatehouse_language', value: language, url: baseURL ?? '' }])
    await logIn(page, 'root')
    const centres = await page.locator('header.bar > *').evaluateAll((parts) =>
      parts.map((part) => {
        const { top, height } = part.getBoundingClientRect()
        return Math.round(top + height / 2)
      }),
    )
    expect([language, new Set(centres).size]).toEqual([language, 1])
    const names = await toolNames(page)
    expect(names.length).toBeGreaterThan(3)
    // Whoever has room for the words sees the same names.
    await page.setViewportSize({ width: 1920, height: 768 })
    expect([language, ...(await toolNames(page))]).toEqual([language, ...names])
    await page.setViewportSize({ width: 1366, height: 768 })
  }
})

test('the buttons of a long dialog stay in sight on a phone', async ({ page, logIn }) => {
  await page.setViewportSize({ width: 390, height: 640 })
  await logIn(page, 'root', `${PEOPLE}?search=stranger`)
  await page.getByRole('button', { name: 'stranger' }).first().click()
  await page.locator('dialog.drawer').getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Freeze', exact: true }).click()
  const dialog = topDialog(page)
  const freeze = dialog.getByRole('button', { name: 'Freeze', exact: true })
  await expect(freeze).toBeInViewport({ ratio: 1 })
  expect(await dialog.evaluate((one) => one.scrollHeight > one.clientHeight)).toBe(true)
  // What takes the focus is not below them.
  const note = dialog.getByLabel('Internal note')
  await note.focus()
  const [below, above] = [await note.boundingBox(), await freeze.boundingBox()]
  expect((below?.y ?? 0) + (below?.height ?? 0)).toBeLessThan(above?.y ?? 0)
})
