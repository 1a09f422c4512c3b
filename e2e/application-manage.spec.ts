import type { Page } from '@playwright/test'
import { startCasService } from './cas-service.ts'
import { choose } from './fields.ts'
import { expect, test } from './fixtures.ts'
import { holdFirst } from './hold-first.ts'
import { startRelyingParty } from './relying-party.ts'

const GUIDE = '/auth_web/manage/application-manage/new?template=other'

/** Tabs until an element with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let step = 0; step < 100; step += 1) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => {
      const focused = document.activeElement as HTMLInputElement | null
      return focused?.labels?.[0]?.textContent ?? focused?.ariaLabel ?? focused?.textContent ?? ''
    })
    if (name.test(label)) return
  }
  throw new Error(`nothing called ${name} can be reached`)
}

test('the wizard creates a CAS application by keyboard alone, and people can log in to it', async ({
  browser,
  page,
  school,
  logIn,
}) => {
  const desk = await startCasService(() => school.url)
  await logIn(page, 'root', GUIDE)
  await expect(page.getByLabel('Code')).toBeVisible()
  await tabTo(page, /^Name/)
  await page.keyboard.type('Help Desk')
  await expect(page.getByLabel('Code')).toHaveValue('help-desk')
  await tabTo(page, /By grant only/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('radio', { name: /^CAS/ })).toBeFocused()
  await page.keyboard.press('Enter')
  const address = page.getByLabel('Service URL, no. 1')
  await expect(address).toBeFocused()
  await page.keyboard.type('ftp://desk')
  await expect(page.getByText('Enter a full address')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(address).toBeVisible()
  await address.press('Control+a')
  await page.keyboard.type(`${desk.url}**`)
  await expect(page.getByText('Plain http')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Choose a picture')).toBeVisible()
  await tabTo(page, /Create application/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Help Desk is ready' })).toBeVisible()

  const theirs = await browser.newContext()
  const person = await theirs.newPage()
  await logIn(person, 'lisi')
  await person.goto(desk.url)
  await expect(person.getByRole('heading', { name: 'Welcome lisi' })).toBeVisible()
  await theirs.close()

  await page.goto('/auth_web/manage/application-manage')
  await page.getByLabel('Name, code or URL').fill('help-d')
  await page.getByRole('link', { name: 'Help Desk' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Help Desk' })).toBeFocused()
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/Logged in now: 1/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await expect(page.locator('.detail-head').getByText('Disabled')).toBeVisible()
  await desk.close()
})

test('an OpenID Connect application: wizard, secret shown once, edit conflict, test login and integration, in Chinese', async ({
  browser,
  school,
  logIn,
}) => {
  const party = await startRelyingParty(() => school.url, 'course-book')
  const context = await browser.newContext({ locale: 'zh-CN' })
  const page = await context.newPage()
  await logIn(page, 'root', GUIDE)
  const [code, next] = [page.getByLabel('编码'), page.getByRole('button', { name: '下一步' })]
  await next.click()
  await expect(page.getByLabel('名称')).toBeFocused()
  await expect(code).toHaveAccessibleDescription(/请填写/)
  await code.fill('library')
  await expect(code).toHaveAccessibleDescription(/已/)
  await page.getByLabel('名称').fill('选课手册')
  await next.dblclick()
  await expect(code).toBeFocused()
  await page.getByLabel('编码').fill('course-book')
  await page.getByText('所有可登录的人', { exact: true }).click()
  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByText('OAuth 2.0 / OpenID Connect').click()
  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByRole('textbox', { name: /回调地址/ }).fill(party.callback)
  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByRole('button', { name: '新建应用' }).click()
  await expect(page.getByText('密钥仅显示这一次')).toBeVisible()
  const snippets = page.getByRole('link', { name: '把配置写入应用' })
  await snippets.click()
  await page.getByRole('button', { name: '返回复制' }).click()
  await page.getByRole('button', { name: '复制: 客户端密钥' }).click()
  await snippets.click()
  await choose(page.getByRole('combobox', { name: '用于' }), 'Node.js openid-client')
  await expect(page.locator('pre')).toContainText(party.callback)

  // Somebody else saves in between.
  await page.getByRole('tab', { name: '基本设置' }).click()
  const other = await context.newPage()
  await other.goto(`${page.url().split('?')[0]}?tab=oauth2`)
  await other.getByRole('button', { name: '改为公开客户端' }).click()
  await other.getByRole('dialog').getByRole('button', { name: '改为公开客户端' }).click()
  await expect(other.getByText('公开客户端：没有密钥')).toBeVisible()
  await page.getByRole('textbox', { name: '说明' }).fill('选课指南')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('button', { name: '保留我的' }).click()
  await expect(page.getByRole('button', { name: '保存' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('已保存')).toBeVisible()
  await expect(page.getByRole('textbox', { name: '说明' })).toBeFocused()

  await page.goto(party.url)
  await expect(page.getByRole('heading', { name: 'Welcome Root Admin' })).toBeVisible()

  await other.getByRole('tab', { name: '登录测试' }).click()
  await other.getByRole('combobox', { name: '人员' }).fill('lisi')
  await other.getByRole('option', { name: /lisi/ }).click()
  await expect(other.getByText('Person lisi 可以登录')).toBeVisible()
  await expect(other.locator('pre').first()).toContainText('"sub": "lisi"')
  await context.close()
  await party.close()
})

const FILES = [
  {
    name: 'Wiki-1001.json',
    text: `{ // ours
    "@class": "org.apereo.cas.services.CasRegisteredService", serviceId: '^https://wiki\\\\.school\\\\.test/.*', name: 'Wiki', id: 1001, theme: 'x' }`,
  },
  {
    name: 'All-1.json',
    text: '{"@class": "org.apereo.cas.services.RegexRegisteredService", "serviceId": "^https://.*", "name": "All", "id": 1}',
  },
]

test('service files are checked before anything is imported', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/application-manage')
  await page.getByRole('link', { name: 'Import from CAS' }).click()
  await page
    .getByLabel('Service files')
    .setInputFiles(FILES.map(({ name, text }) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })))
  await expect(page.getByText("1 can be imported, 1 can't")).toBeVisible()
  await expect(page.getByRole('row', { name: /^Wiki/ })).toContainText('Ignored: theme')
  await expect(page.getByRole('row', { name: /^All/ })).toContainText('matches every address')
  await page.getByRole('button', { name: 'Import 1 application' }).click()
  await expect(page.getByText('1 application imported')).toBeVisible()
  await page.getByRole('link', { name: 'All applications' }).click()
  await expect(page.getByRole('link', { name: 'Wiki' })).toBeVisible()
})

test('the history of an application has a grant that was given after it was first opened', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/application-manage')
  await page.getByRole('link', { name: 'Library', exact: true }).click()
  await page.getByRole('tab', { name: 'History' }).click()
  const changes = page.getByRole('list', { name: 'Change history' })
  await expect(changes.or(page.getByText('No changes yet'))).toBeVisible()
  await page.getByRole('tab', { name: 'Access', exact: true }).click()
  await page.getByRole('button', { name: 'Grant', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Grant Library' })
  await choose(form.getByLabel('Type'), 'Person')
  await form.getByRole('combobox', { name: 'Granted to' }).fill('hanmeimei')
  await page.getByRole('option', { name: /Person hanmeimei/ }).click()
  await form.getByRole('button', { name: 'Grant', exact: true }).click()
  await expect(form).toHaveCount(0)
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(changes).toContainText('Person hanmeimei')
})

test('what is typed while an application is being saved is kept as unsaved', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/application-manage')
  await page.getByRole('link', { name: 'Library', exact: true }).click()
  const saveBar = page.locator('.save-bar')
  const description = page.getByRole('textbox', { name: /^Description/ })
  const release = await holdFirst(page, '**/application_manage/*/update/**')
  await description.fill('Books')
  await page.keyboard.press('Control+s')
  await expect(saveBar.getByRole('button', { name: 'Save' })).toBeDisabled()
  await description.fill('Books and maps')
  release()
  await expect(page.locator('.notice')).toContainText('Saved')
  await expect(description).toHaveValue('Books and maps')
  await expect(saveBar.getByRole('button', { name: 'Save' })).toBeEnabled()
  await page.keyboard.press('Control+s')
  await expect(saveBar).toHaveCount(0)
  await page.reload()
  await expect(description).toHaveValue('Books and maps')
})

test('the categories of applications are sorted by keyboard and by dragging', async ({ page, logIn }) => {
  await logIn(page, 'root')
  await page.goto('/auth_web/manage/application-manage')
  await page.getByRole('button', { name: 'Categories', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Application categories' })
  for (const name of ['Study', 'Office', 'Leisure']) {
    await dialog.getByRole('button', { name: 'New category' }).click()
    const form = page.getByRole('dialog', { name: 'New category' })
    await form.getByLabel('Name', { exact: true }).fill(name)
    await form.getByLabel('Code').fill(`e2e-${name.toLowerCase()}`)
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toHaveCount(0)
  }
  const rows = dialog.getByRole('listitem')
  await expect(rows).toContainText(['Study', 'Office', 'Leisure'])
  const down = dialog.getByRole('button', { name: 'Move Study down' })
  await down.focus()
  await page.keyboard.press('Enter')
  await expect(rows).toContainText(['Office', 'Study', 'Leisure'])
  await expect(down).toBeFocused()
  await rows.last().dragTo(rows.first(), { targetPosition: { x: 60, y: 4 } })
  await expect(rows).toContainText(['Leisure', 'Office', 'Study'])
  await page.reload()
  await page.getByRole('button', { name: 'Categories', exact: true }).click()
  await expect(rows).toContainText(['Leisure', 'Office', 'Study'])
})
