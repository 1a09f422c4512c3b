import type { Locator } from '@playwright/test'
import { expect, fillIn, PASSWORD, testWithServer } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'

const CODES = Array.from({ length: 10 }, (_, at) => `c${at}`)

/** A school whose bootstrap file sets something on each page of settings. */
async function openSchool() {
  const users = [{ account: 'root', name: 'Root Admin', password: PASSWORD, isSuperUser: true }]
  const userCategories = CODES.map((code, at) => ({ code, name: `Category of people number ${at}` }))
  const day = { from: '2031-05-01', until: '2031-05-01', yearly: false }
  const settings = {
    login: { secondFactorSuperUsers: false, dormantExemptCategories: CODES },
    accountFields: { nickname: { editableBy: 'administrators', isUnique: true }, custom: [] },
    logInsights: { insightKinds: ['spraying'], failedLogins: 9 },
    appearance: {
      banner: { texts: { en: 'Maintenance tonight' }, tone: 'info', from: null, until: null },
      schedule: [{ name: 'Founding day', theme: null, grey: true, priority: 0, ...day }],
    },
    loginPage: { layout: 'left', hidden: ['links'], icp: 'ICP 1' },
    homePage: { welcome: { en: 'Good morning' }, links: [{ texts: { en: 'Library' }, url: 'https://library.test/' }] },
    messageRoutes: { login: [{ channel: 'mail' }, { channel: 'sms' }], quietPurposes: ['dormancy'], dailySms: 500 },
    messageGateway: { url: 'https://messages.school.test/', appId: 'portal', secret: 'a-secret-of-length' },
    gateway: { names: { en: 'Riverside College' }, helpUrl: '/help' },
    sms: { provider: 'gateway', url: 'https://sms.school.test/', appId: 'portal', secret: 'a-secret-of-length' },
  }
  const wecom = { corpId: 'ww1', agentId: '1', secret: 'a-secret-of-length' }
  const thirdPartyProviders = [{ key: 'qywx', connector: 'qywx', name: 'WeCom', settings: wecom }]
  const bootstrap = { users, userCategories, settings, thirdPartyProviders }
  const gatehouse = await startGatehouse({ bootstrap })
  return { url: gatehouse.url, stop: () => gatehouse.stop() }
}

const test = testWithServer('fixed fields', openSchool)
test.describe.configure({ mode: 'default' })

/** It takes the focus, and says why it can't be changed. */
async function expectFixed(...fields: Locator[]): Promise<void> {
  for (const field of fields) {
    await expect(field).toHaveAccessibleDescription(/Set by the bootstrap file.*Change it in the file/)
    await field.focus()
    await expect(field).toBeFocused()
  }
}

test('what the bootstrap file sets can be reached and is described on every page of settings, and stays as it is', async ({
  page,
}) => {
  await page.goto('/auth_web/manage/account-field-rules')
  await fillIn(page, 'root')
  await page.getByRole('button', { name: 'Change Nickname', exact: true }).click()
  const rules = page.getByRole('dialog')
  const unique = rules.getByRole('switch', { name: 'Unique' })
  await expectFixed(rules.getByRole('combobox', { name: 'Editable by' }), unique)
  await unique.press('Space')
  await expect(unique).toBeChecked()
  await expect(rules.getByRole('combobox', { name: 'Required' })).not.toHaveAccessibleDescription(/bootstrap file/)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Custom fields' }).click()
  const newField = page.getByRole('button', { name: 'New field' })
  await expectFixed(newField)
  await newField.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.goto('/auth_web/manage/log-insights?tab=settings')
  const failures = page.getByRole('textbox', { name: 'Failed logins of one person' })
  const spraying = page.getByRole('group', { name: 'Password spraying' }).getByRole('switch').first()
  await expectFixed(failures, spraying)
  await spraying.press('Space')
  await expect(spraying).toBeChecked()

  await page.goto('/auth_web/manage/login-topic?tab=banner')
  const warning = page.getByRole('radio').nth(1)
  await expectFixed(page.getByRole('switch').first(), page.getByLabel(/^Text, English/), warning)
  await warning.press('Space')
  await expect(warning).not.toBeChecked()
  await expectFixed(page.getByRole('group', { name: 'Shown from' }).getByRole('spinbutton').first())
  await page.goto('/auth_web/manage/login-topic?tab=schedule')
  const remove = page.getByRole('button', { name: 'Remove period 1' })
  await expectFixed(page.getByRole('textbox', { name: 'Occasion' }), remove)
  await remove.press('Enter')
  await expect(remove).toBeVisible()

  await page.goto('/auth_web/manage/qywx')
  await expectFixed(page.getByLabel('AgentId'), page.getByLabel('Secret', { exact: true }))

  await page.goto('/auth_web/manage/system-settings')
  await expectFixed(page.getByLabel('Institution name in English'), page.getByLabel('Help').last())
  await page.getByRole('tab', { name: 'Text messages' }).click()
  const application = page.getByLabel('Application ID')
  await expectFixed(application, page.getByRole('combobox', { name: 'Provider' }))
  await application.press('x')
  await expect(application).toHaveValue('portal')
  await expect(page.locator('.save-bar')).toHaveCount(0)
})

test('what the bootstrap file sets of the login page, the home page and messages can be reached and is described', async ({
  page,
}) => {
  await page.goto('/auth_web/manage/login-page-setup')
  await fillIn(page, 'root')
  const right = page.getByRole('radio', { name: 'Form on the right' })
  const links = page.getByRole('switch', { name: 'Links' })
  await expectFixed(right, links, page.getByRole('textbox', { name: /ICP/ }))
  for (const field of [right, links]) {
    await field.press('Space')
    await expect(field).not.toBeChecked()
  }
  await expect(page.getByRole('combobox').first()).not.toHaveAccessibleDescription(/bootstrap file/)

  await page.goto('/auth_web/manage/home-page-settings')
  const group = page.getByRole('group', { name: 'Links' })
  const remove = group.getByRole('button', { name: /Remove/ })
  const welcome = page.getByRole('group', { name: 'Welcome text' }).getByRole('textbox').first()
  await expectFixed(welcome, group.getByRole('textbox').first(), remove)
  await remove.press('Enter')
  await expect(remove).toBeVisible()

  await page.goto('/auth_web/manage/message')
  const steps = page.getByRole('group', { name: 'Login codes' })
  await expectFixed(steps.getByRole('combobox').first(), steps.getByRole('button', { name: /Remove/ }).first())
  await expectFixed(page.getByRole('textbox', { name: 'Text message' }))
  await expect(page.getByRole('combobox')).not.toHaveCount(0)
})

test('on a phone a long list that the bootstrap file sets is seen whole', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/auth_web/manage/login-config')
  await fillIn(page, 'root')
  const list = page.locator('.policy-field[data-key="dormantExemptCategories"]').getByRole('textbox')
  await expectFixed(list)
  await expect(list).toHaveValue(/^(Category of people number \d\n){9}Category of people number 9$/)
  expect(await list.evaluate((field) => field.scrollHeight - field.clientHeight)).toBeLessThanOrEqual(1)
})
