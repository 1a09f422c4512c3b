import type { Browser, Locator, Page } from '@playwright/test'
import { callerAs } from './back-office.ts'
import { topDialog } from './dialogs.ts'
import { choose } from './fields.ts'
import { expect, fillIn, openSchool, type School, testWithServer } from './fixtures.ts'

type Content = { roles: object[]; users: { account: string; roles?: string[] }[] }

/** A role without its administrator. */
const withGuests = (content: object): object => {
  const { roles, users } = content as Content
  const guest = (user: Content['users'][number]) => ({ ...user, roles: [...(user.roles ?? []), 'guests'] })
  return {
    ...content,
    roles: [...roles, { code: 'guests', name: 'Guests' }],
    users: users.map((user) => (user.account === 'zhangsan' ? guest(user) : user)),
  }
}

const test = testWithServer<School>('access rules', () => openSchool({}, withGuests))
test.describe.configure({ mode: 'default' })

const RULES = '/auth_web/manage/net-strategy?tab=rules'
const form = (page: Page) => page.getByRole('dialog', { name: 'New rule' })
const ruleRow = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

/** Tabs from field to field, as a keyboard user. */
async function tabTo(target: Locator): Promise<void> {
  for (let step = 0; step < 40; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await target.page().keyboard.press('Tab')
  }
  throw new Error('the keyboard does not get there')
}

/** Somebody logs in with their own browser. */
async function loginOf<T>(
  browser: Browser,
  { url }: School,
  account: string,
  see: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ baseURL: url, locale: 'en' })
  try {
    const page = await context.newPage()
    await page.goto('/auth_web/')
    await fillIn(page, account)
    return await see(page)
  } finally {
    await context.close()
  }
}

const getsIn = (page: Page) => page.waitForURL('**/auth_web/my-apps')

const NAME = 'Guests wait'
const MESSAGE = 'Come to the help desk in building 3'

test('a rule is created by keyboard, reports, is enabled, refuses, and is rolled back', async ({
  page,
  browser,
  server,
  logIn,
}) => {
  await logIn(page, 'root', RULES)
  await expect(page.getByRole('heading', { name: 'Start with one of these' })).toBeVisible()
  await page.getByRole('button', { name: 'New rule' }).focus()
  await page.keyboard.press('Enter')
  await expect(form(page).getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type(NAME)
  const who = form(page).getByRole('group', { name: 'Who' })
  await tabTo(who.getByRole('radio', { name: 'Everyone' }))
  await page.keyboard.press('ArrowDown')
  const roles = who.getByRole('combobox', { name: 'Roles' })
  await tabTo(roles)
  await page.keyboard.type('Guests')
  // Enter takes nobody before the answer arrives.
  await expect(roles).toHaveAttribute('aria-activedescendant', /./)
  await page.keyboard.press('Enter')
  await expect(who.getByRole('button', { name: 'Remove Guests' })).toBeVisible()
  await tabTo(form(page).getByRole('combobox', { name: 'Then' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'Second factor' })).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(form(page).getByRole('status').first()).toContainText('Guests → Then Refuse')
  await tabTo(form(page).getByLabel('Message to people who are refused'))
  await page.keyboard.type(MESSAGE)
  await tabTo(form(page).getByRole('button', { name: 'Save', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByText(`“${NAME}” saved`)).toBeVisible()
  await expect(ruleRow(page, NAME)).toContainText('Report only')

  await loginOf(browser, server, 'zhangsan', getsIn)
  await page.getByRole('tab', { name: 'Rule results' }).click()
  await expect(page.getByRole('row', { name: /Person zhangsan/ })).toContainText('would have: Refuse')

  await page.getByRole('tab', { name: 'Access rules' }).click()
  await page.getByRole('button', { name: `Change mode of ${NAME}` }).click()
  await page.getByRole('dialog').getByRole('radio', { name: /^On/ }).check()
  const figure = page
    .getByRole('dialog')
    .getByRole('button', { name: '1 login of the last 7 days would have been refused' })
  await expect(figure).toBeVisible()
  await figure.click()
  await expect(page.getByRole('row', { name: /Person zhangsan/ }).last()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(figure).toBeFocused()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`“${NAME}” is on`)).toBeVisible()
  await loginOf(browser, server, 'zhangsan', (other) => expect(other.getByText(MESSAGE)).toBeVisible())

  await page.getByRole('tab', { name: 'Test a login' }).click()
  await page.getByRole('combobox', { name: 'Person' }).fill('zhangsan')
  await page.getByRole('option', { name: /zhangsan/ }).click()
  await expect(page.getByText('Person zhangsan (zhangsan) is refused.')).toBeVisible()
  await expect(page.getByText(`Decided by “${NAME}”.`)).toBeVisible()
  // Whose account is refused anyway is not refused by a rule.
  await server.sql`update users set enabled = false where account = 'zhangsan'`
  await page.reload()
  await page.getByRole('combobox', { name: 'Person' }).fill('zhangsan')
  await page.getByRole('option', { name: /zhangsan/ }).click()
  await expect(page.getByText("Person zhangsan (zhangsan) can't log in")).toBeVisible()
  await expect(page.getByText(`Decided by “${NAME}”.`)).toHaveCount(0)
  await server.sql`update users set enabled = true where account = 'zhangsan'`

  await page.getByRole('tab', { name: 'Access rules' }).click()
  await page.getByRole('button', { name: NAME, exact: true }).click()
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Access rule changed' }).click()
  await page.getByRole('button', { name: 'Undo this change' }).click()
  await topDialog(page).getByLabel('Reason').fill('Too early')
  await topDialog(page).getByRole('button', { name: 'Roll back' }).click()
  await expect(page.getByText('Rolled back', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(ruleRow(page, NAME)).toContainText('Report only')
  await loginOf(browser, server, 'zhangsan', getsIn)
})

test('a rule that would refuse its author is not saved, and says so', async ({ page, logIn }) => {
  await logIn(page, 'root', RULES)
  await page.getByRole('button', { name: 'New rule' }).click()
  await form(page).getByLabel('Name', { exact: true }).fill('Nobody at all')
  await choose(form(page).getByRole('combobox', { name: 'Then' }), 'Refuse')
  await choose(form(page).getByRole('combobox', { name: 'Mode' }), 'On')
  await expect(form(page).getByText('This refuses logins as soon as you save')).toBeVisible()
  await form(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(form(page).getByRole('alert')).toContainText(
    '“Nobody at all” would lock you out of your current session, now',
  )
  await choose(form(page).getByRole('combobox', { name: 'Mode' }), 'Report only')
  await form(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('“Nobody at all” saved')).toBeVisible()
})

test('a rule that refuses its author is saved provisionally when they insist, and reverts by itself', async ({
  page,
  browser,
  server,
  logIn,
}) => {
  await logIn(page, 'root', RULES)
  await page.getByRole('button', { name: 'New rule' }).click()
  await form(page).getByLabel('Name', { exact: true }).fill('Closed today')
  await choose(form(page).getByRole('combobox', { name: 'Then' }), 'Refuse')
  await choose(form(page).getByRole('combobox', { name: 'Mode' }), 'On')
  await expect(form(page).locator('.impact')).toContainText('If you save this:')
  await form(page).getByRole('button', { name: 'Save', exact: true }).click()
  await form(page).getByRole('button', { name: 'Save anyway…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save even though it locks someone out?' })
  await expect(dialog).toContainText('locks you out too')
  await dialog.getByRole('button', { name: 'Save provisionally' }).click()
  await page.waitForURL('**/fwk_cas_service/login**')
  await loginOf(browser, server, 'root', (other) => expect(other.locator('.alert')).not.toBeEmpty())

  // Ten minutes later.
  await server.sql`update unconfirmed_changes set due_at = now() where settled_at is null`
  await expect
    .poll(() => server.sql`select from access_rules where name = 'Closed today' and mode = 'off'`, { timeout: 15_000 })
    .toHaveLength(1)
  await page.context().clearCookies()
  await logIn(page, 'root', RULES)
  await expect(page.getByRole('region', { name: 'Unconfirmed change' })).toContainText('Access rule “Closed today”')
  await expect(ruleRow(page, 'Closed today')).toContainText('Off')
})

test('a condition of a rule must name something, and deleted references are marked', async ({
  page,
  server,
  logIn,
}) => {
  const call = await callerAs(server.url, 'root')
  const range = await call('/ip_range/create/', { name: 'Old proxy', kind: 'other', networks: ['198.51.100.0/24'] })
  await call('/access_rule/create/', { name: 'Notice', where: { ranges: [range.id] }, outcome: 'notify' })
  await call(`/ip_range/${range.id}/delete/`, { version: range.version })
  await logIn(page, 'root', RULES)
  await expect(ruleRow(page, 'Notice')).toContainText('from Old proxy (deleted)')
  await expect(ruleRow(page, 'Notice')).toContainText('1 reference is missing')

  await page.getByRole('button', { name: 'New rule' }).click()
  await form(page).getByLabel('Name', { exact: true }).fill('Half a rule')
  const when = form(page).getByRole('group', { name: 'When' })
  await when.getByRole('radio', { name: 'Only at some times' }).check()
  await form(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(when.getByText('Choose at least one')).toBeVisible()
  await when.getByLabel('From').fill('22')
  await when.getByLabel('Until').fill('0600')
  await expect(form(page).getByRole('status').first()).toContainText('Everyone · 22:00\u2060–\u206006:00')
  await form(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(ruleRow(page, 'Half a rule')).toContainText('Everyone · 22:00\u2060–\u206006:00')
})

test('keys of the login configuration are in the list and link to it', async ({ page, logIn }) => {
  await logIn(page, 'root', RULES)
  await expect(ruleRow(page, 'Second factor for administrators')).toContainText('Set by the bootstrap file')
  await page.getByRole('link', { name: 'Go to login rules: Second factor off campus' }).click()
  await expect(page.getByRole('heading', { name: 'Login rules' })).toBeVisible()
})

test('what is about to be deleted says which rules name it and what becomes of them, with a way to each', async ({
  page,
  logIn,
  server,
}) => {
  const call = await callerAs(server.url, 'root')
  const role = await call('/role/create/', { code: 'named-role', name: 'Named role' })
  await call('/user_category/create/', { code: 'named-category', name: 'Named category' })
  const organization = await call('/organization/create/', { code: 'named', name: 'Named office', parentId: null })
  const rule = (name: string, more: object) => call('/access_rule/create/', { name, ...more })
  await rule('Asks the named role', { mode: 'on', outcome: 'second-factor', who: { roles: [role.id] } })
  await rule('Would refuse the named', {
    ...{ mode: 'report', outcome: 'refuse' },
    who: { roles: [role.id], categories: ['named-category'], organizations: [organization.id] },
  })
  await rule('Would ask at the library', { mode: 'report', outcome: 'captcha', applications: ['library'] })
  await logIn(page, 'root', '/auth_web/manage/role-manage')
  const ask = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Delete Named role' }).click()
  const named = ask.getByRole('list', { name: '2 access rules name this:' })
  await expect(named.getByRole('listitem')).toHaveText([
    /^Asks the named role \(On · Second factor\): prevents the deletion/,
    /^Would refuse the named \(Report only · Refuse\): will only apply to whatever else it names/,
  ])
  await named.getByRole('link', { name: 'Would refuse the named' }).click()
  await expect(page.getByRole('dialog', { name: 'Would refuse the named' })).toBeVisible()

  await page.goto('/auth_web/manage/user-category')
  await page.getByRole('button', { name: 'Delete Named category' }).click()
  await expect(ask.getByRole('list', { name: '1 access rule names this:' })).toContainText('Would refuse the named')

  await page.goto('/auth_web/manage/organization')
  await page.getByRole('treeitem', { name: /^Named office/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Disable', exact: true }).click()
  await expect(ask.getByRole('list', { name: '1 access rule names this and stays as it is:' })).toBeVisible()
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('treeitem', { name: /^Named office/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  await expect(ask.getByRole('list', { name: '1 access rule names this:' })).toContainText('Would refuse the named')
  await ask.getByRole('button', { name: 'Cancel' }).click()
  // A failure doesn't look like no rule.
  const naming = '**/access_rule/naming/**'
  await page.route(naming, (route) => route.fulfill({ status: 500, json: { state: 500, message: 'Broken' } }))
  await page.getByRole('treeitem', { name: /^Named office/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Merge into another organisation' }).click()
  await expect(ask.getByRole('alert')).toContainText('Broken')
  await page.unroute(naming)
  await ask.getByRole('button', { name: 'Try again' }).click()
  await expect(ask.getByRole('status').filter({ hasText: '1 access rule names this:' })).toBeVisible()
  await expect(ask.getByRole('list', { name: '1 access rule names this:' })).toContainText('after the merge.')

  await page.goto('/auth_web/manage/application-manage')
  await page
    .getByRole('row', { name: /Library/ })
    .getByRole('button')
    .last()
    .click()
  await page.getByRole('menuitem', { name: 'Disable', exact: true }).click()
  const kept = ask.getByRole('list', { name: '1 access rule names this and stays as it is:' })
  await expect(kept).toHaveText(/^Would ask at the library \(Report only · Captcha\)$/)
  await ask.getByRole('button', { name: 'Cancel' }).click()

  // Whatever the filters select.
  await page
    .getByRole('row', { name: /Library/ })
    .getByRole('checkbox')
    .check()
  await page.getByRole('button', { name: /^Select all \d+ results$/ }).click()
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  const selected = ask.getByRole('list', { name: '1 access rule names what you selected and stays as it is:' })
  await expect(selected).toHaveText(/^Would ask at the library/)
})
