import { expect, test } from './fixtures.ts'

const PAGE = '/auth_web/manage/massage-template'

test('a super user rewords a code message with a preview, can not leave out the code, and resets it', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', PAGE)
  const part = page.getByRole('region', { name: 'Text message', exact: true })
  await part.getByRole('button', { name: /^Edit English/ }).click()
  const field = page.getByRole('textbox', { name: 'Text message, English' })
  await expect(field).toBeFocused()
  const preview = page.getByRole('region', { name: 'Preview' })
  await field.fill('【{{school}}】Knock knock: ')
  await expect(preview.getByText('Knock knock:')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(part.getByRole('alert')).toContainText('{{code}}')

  await field.press('End')
  await part.getByRole('button', { name: 'Insert code' }).click()
  await part.getByRole('button', { name: 'Insert event' }).click()
  await part.getByRole('button', { name: 'Insert minutes' }).click()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('【{{school}}】Knock knock: {{code}}{{event}}{{minutes}}')
  await expect(preview.getByText('Knock knock: 123456logging in5')).toBeVisible()
  await expect(preview.getByText(/^\d+ characters, sent as 1 message/)).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Text saved')).toBeVisible()
  await expect(part.getByText('Customised')).toBeVisible()

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Change undone')).toBeVisible()
  await expect(part.getByText('Customised')).toHaveCount(0)
})

test('the preview of a mail follows its text while typing, in the language of the field', async ({ page, logIn }) => {
  await logIn(page, 'root', `${PAGE}?open=notice.dormant-soon`)
  const mail = page.frameLocator('.preview-frame iframe')
  await expect(mail.getByText('nobody has logged in to your account 20260001')).toBeVisible()
  const part = page.getByRole('region', { name: 'Email text' })
  await part.getByRole('button', { name: /^Edit 简体中文/ }).click()
  const field = page.getByRole('textbox', { name: 'Email text, 简体中文' })
  await field.fill('{{name}}：账号 {{account}} 将于{{date}}休眠。\n\n{{url}}')
  await expect(mail.getByText('李雷：账号 20260001 将于')).toBeVisible()
  await field.press('Escape')
  await expect(mail.getByText('李雷，您好')).toBeVisible()
})
