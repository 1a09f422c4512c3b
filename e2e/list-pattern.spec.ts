import type { Page } from '@playwright/test'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'

const rows = (page: Page) => page.locator('tbody tr.data-row')
const searched = (page: Page) => page.getByRole('searchbox', { name: 'Account, name' })
const bar = (page: Page) => page.locator('.bulk-bar')

/** The school's people, ten per page: a list with two pages. */
async function openPeople(page: Page, query = ''): Promise<number> {
  await page.goto(`/auth_web/manage/organization${query}`)
  await expect(rows(page).first()).toBeVisible()
  const total = /\d+/.exec((await page.locator('.pager [role=status]').textContent()) ?? '')
  return Number(total?.[0])
}

test('a list keeps page, size, order, search and filters in its address, also after a reload', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root')
  const total = await openPeople(page)
  expect(total).toBeGreaterThan(10)
  const name = page.getByRole('columnheader', { name: 'Name', exact: true })
  await name.getByRole('button').click()
  await expect(name).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('button', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(/sort=name/)
  await expect(page).toHaveURL(/pageIndex=2/)
  const pages = Math.ceil(total / 10)
  await expect(page.getByRole('status').filter({ hasText: `Page 2 of ${pages}` })).toHaveCount(1)
  await expect(page.locator('.list-scroll [aria-live=polite]')).toHaveCount(0)
  await expect(page.locator('.list-scroll')).toHaveAttribute('aria-busy', 'false')
  const shown = await rows(page).first().textContent()
  await page.reload()
  await expect.poll(() => rows(page).first().textContent()).toBe(shown)
  await expect(page.getByRole('button', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page')

  await choose(page.getByRole('combobox', { name: 'Rows per page' }), /^30 /)
  await expect(rows(page)).toHaveCount(Math.min(total, 30))
  await expect(page).not.toHaveURL(/pageIndex/)
  await choose(page.getByRole('combobox', { name: 'Rows per page' }), /^10 /)
  await page.getByLabel('Go to page').fill('２')
  await page.getByLabel('Go to page').press('Enter')
  await expect(page).toHaveURL(/pageIndex=2/)

  await searched(page).fill('lilei')
  await searched(page).press('Enter')
  await expect(rows(page)).toHaveCount(1)
  await expect(page).toHaveURL(/search=lilei/)
  await choose(page.getByRole('combobox', { name: 'Status' }), 'Disabled')
  await expect(page.getByText('Nothing matches these filters')).toBeVisible()
  await choose(page.getByRole('combobox', { name: 'Search in' }), 'Account')
  const removes = (filter: string) => page.getByRole('button', { name: `Remove filter ${filter}` })
  await removes('Search in: Account').press('Enter')
  await expect(removes('Status: Disabled')).toBeFocused()
  await removes('Status: Disabled').press('Enter')
  await expect(rows(page)).toHaveCount(1)
  await expect(page.locator('h1:focus')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expect(rows(page)).toHaveCount(10)
  await expect(page.locator('h1:focus')).toBeVisible()
  await expect(page).not.toHaveURL(/search=/)
})

test('a list that can not be loaded says so and loads after a retry', async ({ page, logIn }) => {
  await logIn(page, 'root')
  const calls = '**/auth_service/user_information/query/**'
  await page.route(calls, (route) =>
    route.fulfill({ status: 500, json: { state: 500, message: 'Broken', data: null } }),
  )
  await page.goto('/auth_web/manage/organization')
  await expect(page.getByRole('alert').getByText('Broken')).toBeVisible()
  await page.unroute(calls)
  const title = page.getByRole('heading', { level: 1 })
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(rows(page)).toHaveCount(10)
  await expect(title).toBeFocused()

  await page.route('**/user_information/query/**pageIndex=2**', (route) => route.fulfill({ status: 503, json: {} }))
  await page.getByRole('button', { name: 'Next page' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(title).toBeFocused()
})

test('ticks are kept across pages, can be extended to all results, and are cleared by another search', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root')
  const total = await openPeople(page)
  for (const at of [1, 2]) await rows(page).nth(at).getByRole('checkbox').check()
  await expect(bar(page)).toContainText('2 selected')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/pageIndex=2/)
  await rows(page).first().getByRole('checkbox').check()
  await expect(bar(page)).toContainText('3 selected')
  await expect(bar(page)).toContainText('2 on other pages')
  await bar(page)
    .getByRole('button', { name: `Select all ${total} results` })
    .click()
  await expect(bar(page)).toContainText(`All ${total} results selected`)
  await expect(bar(page).getByRole('button', { name: 'Clear selection' })).toBeFocused()
  await expect(rows(page).first().getByRole('checkbox')).toBeChecked()
  await searched(page).fill('lilei')
  await expect(rows(page)).toHaveCount(1)
  await expect(bar(page)).toHaveCount(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByLabel('Select this page').check()
  await expect(bar(page)).toContainText('1 selected')
  await bar(page).getByRole('button', { name: 'Clear selection' }).click()
  await expect(bar(page)).toHaveCount(0)
})

test('by keyboard alone: a row opens at the side, "next" crosses to the next page, Esc returns', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root')
  await openPeople(page)
  const opener = rows(page).nth(8).locator('[data-opens]')
  await opener.focus()
  await page.keyboard.press('Enter')
  const drawer = page.locator('dialog.drawer')
  await expect(drawer).toBeVisible()
  await expect(drawer).toContainText('9 of')
  await expect(page).toHaveURL(/open=/)
  await page.reload()
  await expect(drawer).toContainText('9 of')
  const next = drawer.getByRole('button', { name: 'Next', exact: true })
  await next.focus()
  await page.keyboard.press('Enter')
  await expect(drawer).toContainText('10 of')
  await page.keyboard.press('Enter')
  await expect(drawer).toContainText('11 of')
  await expect(page).toHaveURL(/pageIndex=2/)
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(page).not.toHaveURL(/open=/)
  await expect(rows(page).first().locator('[data-opens]')).toBeFocused()
})

test('a click on a row opens it, but not one on a control or at the end of selecting text', async ({ page, logIn }) => {
  await logIn(page, 'root')
  await openPeople(page)
  const drawer = page.locator('dialog.drawer')
  const row = rows(page).nth(2)
  await row.getByRole('checkbox').check()
  await expect(drawer).toHaveCount(0)
  const cell = row.locator('td').nth(3)
  await cell.evaluate((one) => getSelection()?.selectAllChildren(one))
  await cell.dispatchEvent('click')
  await expect(drawer).toHaveCount(0)
  await page.evaluate(() => getSelection()?.removeAllRanges())
  await cell.click()
  await expect(drawer).toContainText('3 of')
  await page.keyboard.press('Escape')
  await expect(row.locator('[data-opens]')).toBeFocused()
})

test('the menu at the side shows the page that an address opened, however far down it is', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/change-history')
  const here = page.getByRole('navigation').locator('a[aria-current=page]')
  await expect(here).toHaveText('Change history')
  await expect(here).toBeInViewport({ ratio: 1 })
})

test('a menu at the side that a narrow window took away comes back with a wide one', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/organization')
  const menu = page.locator('.side nav')
  await expect(menu).toBeVisible()
  await page.setViewportSize({ width: 600, height: 768 })
  await expect(menu).toBeHidden()
  await page.setViewportSize({ width: 1366, height: 768 })
  await expect(menu).toBeVisible()
})

test('Back closes the side panel, and after Esc leads to the previous page', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/current-login-manage')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await openPeople(page)
  const opener = rows(page).nth(8).locator('[data-opens]')
  const drawer = page.locator('dialog.drawer')
  await opener.click()
  await expect(drawer).toContainText('9 of')
  const seen = await page.evaluate(() => scrollY)
  await drawer.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(drawer).toContainText('10 of')
  await page.goBack()
  await expect(drawer).toHaveCount(0)
  await expect(rows(page)).toHaveCount(10)
  // Two clicks on a row within 300 ms count as one, and a script is that fast.
  await expect(async () => {
    await opener.click({ timeout: 1000 })
    await expect(drawer).toContainText('9 of', { timeout: 1000 })
  }).toPass()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(opener).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(seen)
  await page.goBack()
  await expect(page).toHaveURL(/current-login-manage$/)
})

const STRANGE = '00000000-0000-7000-8000-000000000000'

test('the address of a missing object says so and links back, instead of offering a retry', async ({ page, logIn }) => {
  await logIn(page, 'root')
  const gone = page.getByRole('alert').getByText('Not found')
  for (const list of ['organization', 'role-manage']) {
    for (const id of [STRANGE, 'nobody']) {
      await page.goto(`/auth_web/manage/${list}?open=${id}`)
      await expect(page.locator('dialog.drawer').locator(gone)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
      await page.getByRole('button', { name: 'Back to the list' }).click()
      await expect(page.locator('dialog.drawer')).toHaveCount(0)
      await expect(page).not.toHaveURL(/open=/)
    }
  }
  await page.goto(`/auth_web/manage/organization?organization=${STRANGE}`)
  await expect(gone).toBeVisible()
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await expect(rows(page)).toHaveCount(10)
  await page.goto(`/auth_web/manage/application-manage/detail-set/${STRANGE}`)
  await expect(gone).toBeVisible()
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await expect(page).toHaveURL(/application-manage$/)
})

test('a short embedded list has no pager, and an empty one no search', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/organization?search=lilei')
  await page.getByRole('button', { name: 'lilei', exact: true }).click()
  const drawer = page.locator('dialog.drawer')
  await expect(drawer.getByText('Library users').first()).toBeVisible()
  await expect(drawer.getByLabel('Rows per page')).toHaveCount(0)
  await page.goto('/auth_web/manage/organization/import')
  await expect(page.getByText('No imports yet')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Rows per page' })).toHaveCount(0)
  await expect(page.getByRole('searchbox')).toHaveCount(0)
})

test('a refusal in a dialog keeps the focus on its button, and a notice is announced and closed above a dialog', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/api-manage')
  const calls = '**/auth_service/api_manage/*/update/**'
  await page.route(calls, (route) =>
    route.fulfill({ status: 500, json: { state: 500, message: 'Broken', data: null } }),
  )
  const verb = rows(page)
    .first()
    .getByRole('button', { name: /^Disable/ })
  await verb.click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Disable' })
  await confirm.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Broken')
  await expect(confirm).toBeFocused()
  await page.unroute(calls)
  await confirm.press('Enter')
  await expect(dialog).toHaveCount(0)
  const notice = page.locator('.notice')
  await expect(notice).toHaveCount(1)
  await rows(page)
    .first()
    .getByRole('button', { name: /^Enable/ })
    .click()
  await notice.getByRole('button', { name: 'Close' }).click()
  await expect(notice).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Enable' }).press('Enter')
  await expect(dialog).toHaveCount(0)
})

test('Esc closes a menu inside a drawer, and then the drawer', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/organization')
  await page.getByRole('button', { name: 'lilei', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: /Person lilei/ })
  const more = drawer.getByRole('button', { name: 'More', exact: true })
  await more.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(drawer).toBeVisible()
  await expect(more).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
})
