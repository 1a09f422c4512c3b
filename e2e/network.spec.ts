import type { Page } from '@playwright/test'
import { expect, PASSWORD, test } from './fixtures.ts'

const PEOPLE = '/auth_web/manage/organization'
const QUERY = '**/auth_service/user_information/query/**'
const rows = (page: Page) => page.locator('tbody tr.data-row')
const bar = (page: Page) => page.locator('.bulk-bar')
const department = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name} ?[,，]`) })

test('a department whose people can not be loaded says so, and keeps neither the rows nor the ticks of another one', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PEOPLE)
  await rows(page).first().getByRole('checkbox').check()
  await expect(bar(page)).toContainText('1 selected')
  await page.route(QUERY, (route) => route.fulfill({ status: 500, json: { state: 500, message: 'Broken' } }))
  // It starts closed where it has siblings.
  await page.getByRole('tree', { name: 'Organisations' }).press('ArrowRight')
  await department(page, 'Computer Science').click()
  const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' })
  await expect(retry).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
  await expect(bar(page)).toHaveCount(0)
  await page.unroute(QUERY)
  await retry.click()
  await expect(rows(page).first()).toBeVisible()
  await expect(bar(page)).toHaveCount(0)

  await rows(page).first().getByRole('checkbox').check()
  await page.context().setOffline(true)
  await department(page, 'Demo University').click()
  await expect(retry).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
  await expect(bar(page)).toHaveCount(0)
  // The browser knows when the network is back.
  await page.context().setOffline(false)
  await expect(rows(page).first()).toBeVisible()
  await expect(bar(page)).toHaveCount(0)
})

test('a failed login check says so, and a person without a password is not reported as fine', async ({
  page,
  logIn,
  school,
}) => {
  await school.sql`delete from passwords where user_id = (select id from users where account = 'stranger')`
  await page.route('**/login_check/**', (route) =>
    route.fulfill({ status: 500, json: { state: 500, message: 'Broken' } }),
  )
  await logIn(page, 'root', `${PEOPLE}?search=stranger`)
  await rows(page).first().getByRole('button', { name: 'stranger' }).click()
  const failed = page.getByRole('alert').filter({ hasText: "Couldn't check whether they can log in." })
  await expect(failed).toBeVisible()
  await page.unroute('**/login_check/**')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No password is set.')).toBeVisible()
  await expect(failed).toHaveCount(0)
})

test('a person who can log in from some networks only is told to have no password either', async ({
  page,
  logIn,
  school,
}) => {
  await school.sql`delete from passwords where user_id = (select id from users where account = 'stranger')`
  await page.route('**/login_check/**', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    answer.data.refusedBy.somewhere = ['Outside']
    await route.fulfill({ response, json: answer })
  })
  await logIn(page, 'root', `${PEOPLE}?search=stranger`)
  await rows(page).first().getByRole('button', { name: 'stranger' }).click()
  const check = page.getByRole('region', { name: 'They can log in, but:' })
  await expect(check).toBeVisible()
  await expect(check).toContainText('No password is set.')
  await expect(check).toContainText('From some networks they are refused')
})

test('rows can not be ticked while the next page loads, and can afterwards', async ({ page, logIn }) => {
  await logIn(page, 'root', PEOPLE)
  await expect(rows(page).first().getByRole('checkbox')).toBeEnabled()
  let answer = () => {}
  const awaited = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/user_information/query/**pageIndex=2**', async (route) => {
    await awaited
    await route.continue()
  })
  const first = await rows(page).first().textContent()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.locator('.list-busy')).toBeVisible()
  await expect(rows(page).first().getByRole('checkbox')).toBeDisabled()
  await expect(page.locator('thead').getByRole('checkbox')).toBeDisabled()
  answer()
  await expect(rows(page).first()).not.toHaveText(first ?? '')
  await expect(rows(page).first().getByRole('checkbox')).toBeEnabled()
})

/** Whatever is loaded from now on, this is no other document. */
const markDocument = (page: Page) => page.evaluate(() => document.documentElement.setAttribute('data-same', ''))
const isSameDocument = (page: Page) => page.evaluate(() => document.documentElement.hasAttribute('data-same'))
/** The paths of the style sheets that did not come. */
const lostStyles = (page: Page) =>
  page.locator('link[rel=stylesheet]').evaluateAll((links) =>
    (links as HTMLLinkElement[]).flatMap(({ sheet, href }) => {
      try {
        if (sheet?.cssRules) return []
      } catch {
        // Its rules can't be read.
      }
      return [new URL(href).pathname]
    }),
  )
const isStyled = async (page: Page) => (await lostStyles(page)).length === 0
const offline = (page: Page) => page.getByRole('dialog', { name: 'No connection' })

test('a page that is not loaded yet when the network goes leaves the shell standing, and comes when it is back', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'lisi')
  await expect(page.getByRole('searchbox')).toBeVisible()
  await markDocument(page)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Account security' }).first().click()
  await expect(offline(page)).toBeVisible()
  await offline(page).getByRole('button', { name: 'Try again' }).click()
  await expect(offline(page).getByText('Still no connection.')).toBeVisible()
  await offline(page).getByRole('button', { name: 'Close' }).click()
  await expect(page.locator('header .avatar')).toBeVisible()
  // Whoever goes on is told once more.
  await page.getByRole('link', { name: 'Authentication records' }).first().click()
  await expect(offline(page)).toBeVisible()
  await offline(page).getByRole('button', { name: 'Close' }).click()
  await page.context().setOffline(false)
  await expect(page.getByText('This login')).toBeVisible()
  await page.getByRole('link', { name: 'Account security' }).first().click()
  await expect(page.locator('.security-row').first()).toBeVisible()
  expect(await isStyled(page)).toBe(true)
  expect(await isSameDocument(page)).toBe(true)
})

test('a dialog of account security that the lost network kept away opens when it is back; one that was given up does not', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'lisi', '/auth_web/account-security/set-account')
  const set = page.getByRole('button', { name: 'Set up security questions' })
  await expect(set).toBeVisible()
  await page.context().setOffline(true)
  await set.click()
  await expect(offline(page)).toBeVisible()
  await offline(page).getByRole('button', { name: 'Close' }).click()
  // Whoever goes on is told once more.
  await page.getByRole('button', { name: /alias/ }).click()
  await expect(offline(page)).toBeVisible()
  await page.context().setOffline(false)
  await expect(offline(page)).toHaveCount(0)
  await page.getByRole('dialog', { name: "Verify it's you" }).getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expect(page.getByRole('dialog', { name: 'Set up a login alias' })).toBeVisible()
})

test('what was given up without a network happens on no other page when it is back', async ({ page, logIn }) => {
  await logIn(page, 'lisi', '/auth_web/my-apps')
  await page.getByRole('link', { name: 'Account security' }).first().click()
  const set = page.getByRole('button', { name: 'Set up security questions' })
  await expect(set).toBeVisible()
  await page.context().setOffline(true)
  await set.click()
  await expect(offline(page)).toBeVisible()
  // A dialog does not keep anybody from going back.
  await page.goBack()
  await expect(page.getByRole('searchbox')).toBeVisible()
  const asked = page.waitForRequest('**/reauthentication/**', { timeout: 3000 }).catch(() => null)
  await page.context().setOffline(false)
  expect(await asked).toBeNull()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a server that answers nothing is no lost page either: "Try again" brings it without a reload', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'lisi')
  await expect(page.getByRole('searchbox')).toBeVisible()
  await markDocument(page)
  // Unlike a lost network, the browser knows nothing of it: no event says that the server is back.
  await page.route('**/*', (route) => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Account security' }).first().click()
  await expect(offline(page)).toBeVisible()
  await page.unroute('**/*')
  await offline(page).getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('.security-row').first()).toBeVisible()
  await expect(offline(page)).toHaveCount(0)
  expect(await isStyled(page)).toBe(true)
  expect(await isSameDocument(page)).toBe(true)
})

test('a release while the network was away: what it no longer has is no lost network, and the page is loaded anew', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PEOPLE)
  await expect(rows(page).first()).toBeVisible()
  await markDocument(page)
  await page.context().setOffline(true)
  await page.locator('a[href$="/manage/login-topic"]').first().click()
  await expect(offline(page)).toBeVisible()
  const lost = await lostStyles(page)
  expect(lost).not.toEqual([])
  // Of the release before, for whoever still has its page; the new page has others.
  const isOld = (url: URL) => lost.includes(url.pathname)
  await page.route(isOld, async (route) => {
    await route.fulfill({ status: 404 })
    await page.unroute(isOld)
  })
  await page.context().setOffline(false)
  await expect(page.getByRole('button', { name: /^Use / }).first()).toBeVisible()
  await expect(offline(page)).toHaveCount(0)
  expect(await isStyled(page)).toBe(true)
  expect(await isSameDocument(page)).toBe(false)
})

test('a drawer and a part of a form that the network keeps away come when it is back; nothing typed meanwhile is lost', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', `${PEOPLE}?search=stranger`)
  await expect(rows(page).first()).toBeVisible()
  await markDocument(page)
  await page.context().setOffline(true)
  await rows(page).first().getByRole('button', { name: 'stranger' }).click()
  await expect(offline(page)).toBeVisible()
  await page.context().setOffline(false)
  await expect(offline(page)).toHaveCount(0)
  const edit = page.locator('dialog.drawer').getByRole('button', { name: 'Edit', exact: true })
  await expect(edit).toBeVisible()

  await page.context().setOffline(true)
  await edit.click()
  // The fields of dates come apart from the form.
  await offline(page).getByRole('button', { name: 'Close' }).click()
  const form = page.getByRole('dialog', { name: /^Edit Person stranger/ })
  const name = form.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Typed without a network')
  await expect(form.getByRole('spinbutton')).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(form.getByRole('spinbutton').first()).toBeVisible()
  await expect(name).toHaveValue('Typed without a network')
  expect(await isStyled(page)).toBe(true)
  expect(await isSameDocument(page)).toBe(true)
})
