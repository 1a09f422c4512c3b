import { test as base, expect, openSchool, type School } from './fixtures.ts'

const SMS = {
  provider: 'aliyun',
  accessKeyId: 'LTAI-of-the-journeys',
  accessKeySecret: 'nobody is called with this',
  url: 'http://127.0.0.1:9',
  signName: '示范大学',
  codeTemplate: 'SMS_1001',
  noticeTemplate: 'SMS_1002',
}

type Content = { settings: object }

/** A school whose text messages use a provider's approved templates. */
const test = base.extend<{ school: School }>({
  school: [
    async ({ servers }, use) => {
      const withSms = (content: object) => {
        const { settings } = content as Content
        return { ...content, settings: { ...settings, sms: SMS } }
      }
      await use(await servers.own('approved templates', () => openSchool({}, withSms)))
    },
    { scope: 'test', timeout: 90_000 },
  ],
})

test('a template of the provider is set for a message in one language, with its values in order, until it is removed', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/massage-template?open=code.login')
  await page.getByRole('combobox', { name: 'Shown as' }).click()
  await page.getByRole('option', { name: 'Text message' }).click()
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('template SMS_1001')

  const form = page.getByRole('form', { name: 'English' })
  await form.getByLabel(/^Template ID/).fill('SMS_9009')
  const values = form.getByRole('group', { name: /^Values/ })
  await expect(values.getByRole('button', { name: '1 code' })).toHaveAttribute('aria-pressed', 'true')
  // Without its code the template can't send a code.
  await values.getByRole('button', { name: '1 code' }).click()
  await values.getByRole('button', { name: 'minutes' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(values.getByRole('alert')).toContainText('code')
  await values.getByRole('button', { name: 'code' }).click()
  await expect(values.getByRole('button', { name: '2 code' })).toBeVisible()
  await form.getByRole('combobox', { name: 'Approval' }).click()
  await page.getByRole('option', { name: 'Approved' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Template saved')).toBeVisible()
  await expect(preview).toContainText('template SMS_9009')
  await expect(preview.getByRole('definition')).toHaveText(['5', '123456'])

  // A rejected one is not used.
  await form.getByRole('combobox', { name: 'Approval' }).click()
  await page.getByRole('option', { name: /^Rejected/ }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(preview).toContainText('template SMS_1001')
  await form.getByRole('button', { name: 'Use the general template' }).click()
  await expect(page.getByText('The general template is used')).toBeVisible()
  await expect(form.getByLabel(/^Template ID/)).toHaveValue('')
})
