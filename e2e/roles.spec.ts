import { callerAs } from './back-office.ts'
import { topDialog } from './dialogs.ts'
import { typeDate } from './fields.ts'
import { expect, PASSWORD, testWithServer } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'
import { holdFirst } from './hold-first.ts'

const app = (appId: string, name: string, category: string, more: object = {}) => ({
  appId,
  name,
  category,
  protocol: 'cas',
  url: `https://${appId}.test/`,
  serviceUrls: [`https://${appId}.test/**`],
  ...more,
})

const MANY = Array.from({ length: 12 }, (_, n) =>
  app(`course-${n}`, `Course ${String(n + 1).padStart(2, '0')}`, 'study'),
)

const SCHOOL = {
  organizations: [
    { code: 'school', name: '示范大学', names: { en: 'Demo University' } },
    { code: 'cs', name: '计算机学院', parent: 'school', names: { en: 'Computing' } },
  ],
  userCategories: [{ code: 'student', name: '学生', names: { en: 'Students' } }],
  roles: [{ code: 'readers', name: '读者', names: { en: 'Readers' } }],
  users: [
    { account: 'lilei', name: '李雷', password: PASSWORD, organization: 'cs', category: 'student' },
    { account: 'root', name: 'Root Admin', password: PASSWORD, isSuperUser: true },
  ],
  applicationCategories: [
    { code: 'study', name: '教学', names: { en: 'Study' } },
    { code: 'office', name: '办公', names: { en: 'Office' } },
  ],
  applications: [
    ...MANY,
    app('mail', '校园邮箱', 'office', { names: { en: 'Mail' } }),
    app('seal', '用印申请', 'office', { names: { en: 'Seals' }, enabled: false }),
    app('map', '校园地图', 'office', { names: { en: 'Campus map' }, type: 'whitelist' }),
  ],
  settings: { login: { secondFactorSuperUsers: false } },
}

const test = testWithServer('roles', () => startGatehouse({ bootstrap: SCHOOL }))

test.describe.configure({ mode: 'default' })

const ROLES = '/auth_web/manage/role-manage'

test('in the window of a common laptop the dialog of granted applications does not scroll around its lists', async ({
  page,
  logIn,
}) => {
  await page.setViewportSize({ width: 1366, height: 768 })
  await logIn(page, 'root', ROLES)
  await page.getByRole('button', { name: 'Grant applications to Readers' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('treeitem', { name: 'Mail' }).click()
  await expect(dialog.locator('.grant-impact')).toContainText(/ gains? Mail/)
  const beyond = dialog.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
  expect(await beyond).toBeLessThanOrEqual(0)
  await expect(dialog.getByRole('group', { name: 'Until' })).toBeInViewport({ ratio: 1 })
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
})

test('applications of a role are granted and withdrawn, some and all, with dates, by pointer', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', ROLES)
  await page.getByRole('button', { name: 'Grant applications to Readers' }).click()
  const dialog = page.getByRole('dialog', { name: 'Applications granted to Readers' })
  const button = (name: string | RegExp) => dialog.getByRole('button', { name })
  await expect(dialog.getByRole('heading', { name: 'Selectable (14)' })).toBeVisible()
  await expect(dialog.getByText('One more application is open to everyone')).toBeVisible()
  await expect(button(/^Confirm$/)).toHaveAttribute('aria-disabled', 'true')
  await expect(button(/^Cancel authorisation$/)).toHaveAttribute('aria-disabled', 'true')

  await button(/^Confirm all \(14\)/).click()
  const giveAll = page.getByRole('dialog', { name: 'Grant all 14 applications?' })
  await giveAll.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByRole('heading', { name: 'Selectable (14)' })).toBeVisible()
  await button(/^Confirm all \(14\)/).click()
  await giveAll.getByRole('button', { name: 'Grant all 14' }).click()
  await expect(dialog.getByRole('heading', { name: 'Authorised (14)' })).toBeVisible()
  await expect(dialog.getByText('Every application is granted')).toBeVisible()
  await button('Page 2').click()
  await expect(dialog.getByRole('row')).toHaveCount(5)
  await dialog.getByRole('checkbox', { name: 'Mail' }).check()
  await button('Cancel authorisation (1)').click()
  await expect(dialog.getByRole('heading', { name: 'Authorised (13)' })).toBeVisible()
  await expect(button('Page 1')).toHaveAttribute('aria-current', 'page')
  await expect(dialog.getByRole('row')).toHaveCount(11)
  await dialog.getByLabel('Search granted applications').fill('course 12')
  await expect(dialog.getByRole('row')).toHaveCount(2)
  await dialog.getByLabel('Search granted applications').fill('')
  await expect(dialog.getByRole('row')).toHaveCount(11)

  await button(/^Cancel all \(13\)/).click()
  const takeAll = page.getByRole('dialog', { name: 'Withdraw all 13 grants?' })
  await takeAll.getByRole('button', { name: 'Withdraw all 13' }).click()
  await expect(dialog.getByRole('heading', { name: 'Selectable (14)' })).toBeVisible()
  await dialog.getByLabel('Search selectable applications').fill('mai')
  const mail = dialog.getByRole('treeitem', { name: 'Mail' })
  await expect(dialog.getByRole('treeitem')).toHaveCount(2)
  await mail.click()
  await expect(mail).toHaveAttribute('aria-checked', 'true')
  const until = dialog.getByRole('group', { name: 'Until' })
  await typeDate(until, '2020-01-01T08:00')
  await button('Confirm (1)').click()
  await expect(until).toHaveAccessibleDescription(/must be after the start/)
  await expect(until.getByRole('spinbutton').first()).toBeFocused()
  await typeDate(until, '2099-06-30T18:00')
  await button('Confirm (1)').click()
  await expect(dialog.getByRole('heading', { name: 'Authorised (1)' })).toBeVisible()
  await expect(dialog.getByText(/until 30 Jun 2099, 18:00/)).toBeVisible()
  await button('Close').last().click()
  await expect(page.getByRole('row', { name: /Readers/ })).toContainText('1')
})

test('by keyboard alone: a role is created, gets a department and an application, and a person sees why they have it', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', ROLES)
  const press = (key: string) => page.keyboard.press(key)
  await page.getByRole('button', { name: 'New role' }).focus()
  await press('Enter')
  await page.keyboard.type('Staff')
  await press('Tab')
  await page.keyboard.type('readers')
  await press('Enter')
  const code = page.getByRole('dialog').getByLabel('Code')
  await expect(code).toHaveAccessibleDescription(/Another role already uses this code/)
  await expect(code).toBeFocused()
  await code.press('Control+a')
  await page.keyboard.type('staff')
  await expect(code).not.toHaveAttribute('aria-invalid')
  await press('Enter')
  await expect(page.getByText('Role Staff created')).toBeVisible()
  await page.getByRole('button', { name: 'Staff', exact: true }).focus()
  await press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Staff' })
  await drawer.getByRole('tab', { name: 'People' }).focus()
  await press('ArrowRight')
  await expect(drawer.getByRole('heading', { name: 'Role departments' })).toBeVisible()
  await drawer.getByRole('button', { name: 'Add members' }).focus()
  await press('Enter')
  await page.keyboard.type('comput')
  // No key takes an option until the list matches the text.
  await expect(page.locator('[role=option]')).toHaveCount(1)
  await press('ArrowDown')
  await press('Enter')
  const add = page.getByRole('dialog', { name: 'Add members' })
  await expect(add.getByRole('button', { name: 'Remove Computing' })).toBeVisible()
  await expect(page.locator('.picker-list')).toHaveCount(0)
  await add.getByRole('combobox').click()
  await expect(page.locator('[role=option]')).toHaveCount(1)
  await expect(add.getByRole('combobox')).not.toHaveAttribute('aria-activedescendant')
  // Enter in the empty field adds only the chosen people.
  await press('Enter')
  await expect(drawer.getByRole('row', { name: /Computing/ })).toBeVisible()
  await expect(drawer.getByRole('row')).toHaveCount(2)
  await press('Escape')
  await expect(page.getByRole('button', { name: 'Staff', exact: true })).toBeFocused()

  await page.getByRole('button', { name: 'Grant applications to Staff' }).focus()
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Applications granted to Staff' })
  await dialog.getByRole('treeitem', { name: /Study/ }).focus()
  await press('ArrowLeft')
  await press('ArrowDown')
  await expect(dialog.getByRole('treeitem', { name: /Office/ })).toBeFocused()
  await press('ArrowDown')
  await press('Space')
  await expect(dialog.getByRole('treeitem', { name: /Office/ })).toHaveAttribute('aria-checked', 'mixed')
  const confirm = dialog.getByRole('button', { name: 'Confirm (1)' })
  await confirm.focus()
  await press('Enter')
  await expect(dialog.getByRole('heading', { name: 'Authorised (1)' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Confirm', exact: true })).toBeFocused()
  await press('Escape')

  await page.goto(`/auth_web/manage/application-grants`)
  await page.getByLabel('Application, name, code or account').fill('staff')
  await expect(page.getByRole('row', { name: /Mail.*Role.*Staff/ })).toBeVisible()

  await page.goto('/auth_web/manage/organization?search=lilei')
  await page.locator('.row-link').first().focus()
  await press('Enter')
  const person = page.locator('dialog.drawer')
  await person.getByRole('tab', { name: 'Applications' }).focus()
  await press('Enter')
  await expect(person.getByRole('row', { name: /Mail/ })).toContainText('Role Staff, through the department Computing')

  await person.getByRole('button', { name: 'Check access' }).click()
  const why = page.getByRole('dialog', { name: "Check someone's access" })
  const answer = why.locator('[aria-live=polite]:not(.notices)')
  await expect(answer).toBeEmpty()
  await why.getByRole('combobox').fill('mail')
  await why.getByRole('option', { name: /mail/ }).click()
  await expect(answer).toContainText('Role Staff')
})

test('in Chinese the dialog works alike, and deleting a role first shows what is deleted with it', async ({
  browser,
  logIn,
}) => {
  const context = await browser.newContext({ locale: 'zh-CN' })
  const page = await context.newPage()
  await logIn(page, 'root', ROLES)
  await page.getByRole('button', { name: '为 读者 授权应用' }).click()
  const dialog = page.getByRole('dialog', { name: '应用授权：读者' })
  await dialog.getByLabel('搜索可选应用').fill('course-3')
  // Until then the item moves.
  await expect(dialog.getByRole('treeitem', { name: 'Course 05' })).toHaveCount(0)
  await dialog.getByRole('treeitem', { name: 'Course 04' }).click()
  await dialog.getByRole('button', { name: '确认（1）' }).click()
  await expect(dialog.getByText('已授权 1 个应用')).toBeVisible()
  await dialog.getByRole('button', { name: '关闭', exact: true }).last().click()
  await page.getByRole('button', { name: '删除 读者' }).click()
  const ask = page.getByRole('dialog', { name: '删除角色 读者？' })
  await expect(ask.getByText(/Course 04/)).toBeVisible()
  await ask.getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('已删除角色 读者')).toBeVisible()
  await context.close()
})

test('dialogs about one person show the account next to the name: a grant, its dates, a role', async ({
  page,
  logIn,
  server,
}) => {
  const call = await callerAs(server.url, 'root')
  const idOf = async (path: string) => (await call<{ records: { id: string }[] }>(path)).records[0]?.id ?? ''
  const memberId = await idOf('/user_information/query/?search=lilei')
  const role = await call('/role/create/', { code: 'tutors', name: 'Tutors' })
  await call(`/role/${role.id}/member/add/`, { kind: 'user', ids: [memberId] })
  await call('/application_grant/bind/', { memberId, appIds: ['mail'] })

  await logIn(page, 'root', '/auth_web/manage/application-grants?kind=user')
  const row = page.getByRole('row', { name: /Mail/ })
  const titled = async (button: string, title: string) => {
    await row.getByRole('button', { name: button }).click()
    const dialog = page.getByRole('dialog', { name: title, exact: true })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
  }
  await titled('Change dates: Mail · 李雷 (lilei)', 'Change dates: Mail · 李雷 (lilei)')
  await titled('Withdraw: Mail · 李雷 (lilei)', 'Withdraw Mail from 李雷 (lilei)?')

  await page.goto(ROLES)
  await page.getByRole('button', { name: 'Tutors', exact: true }).click()
  await page.getByRole('dialog', { name: 'Tutors' }).getByRole('button', { name: 'Remove 李雷 (lilei)' }).click()
  const remove = page.getByRole('dialog', { name: 'Remove 李雷 (lilei) from the role?', exact: true })
  await remove.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('1 removed')).toBeVisible()

  await page.goto('/auth_web/manage/organization?search=lilei')
  await page.locator('.row-link').first().click()
  const person = page.locator('dialog.drawer')
  await person.getByRole('tab', { name: 'Applications' }).click()
  await person.getByRole('button', { name: /^Grant applications/ }).click()
  await expect(page.getByRole('dialog', { name: 'Applications granted to 李雷 (lilei)' })).toBeVisible()
})

test('what adding somebody to one role would do is never said of another role', async ({ page, logIn, server }) => {
  const call = await callerAs(server.url, 'root')
  for (const name of ['Mentors', 'Wardens']) await call('/role/create/', { code: name.toLowerCase(), name })
  await logIn(page, 'root', '/auth_web/manage/organization?search=lilei')
  await page.getByRole('checkbox', { name: 'Select this page' }).check()
  await page.locator('.bulk-bar').getByRole('button', { name: 'Assign role' }).click()
  const dialog = topDialog(page)
  const choose = async (name: string) => {
    await dialog.getByRole('combobox', { name: 'Role' }).fill(name)
    await page.getByRole('option', { name }).click()
  }
  await choose('Mentors')
  await expect(dialog.getByText('1 person changes')).toBeVisible()
  const release = await holdFirst(page, '**/user_information/batch_role/**')
  await dialog.getByRole('button', { name: 'Remove Mentors' }).click()
  await choose('Wardens')
  await expect(dialog.getByText('Loading')).toBeVisible()
  await expect(dialog.getByText('1 person changes')).toHaveCount(0)
  release()
  await expect(dialog.getByText('1 person changes')).toBeVisible()
})
