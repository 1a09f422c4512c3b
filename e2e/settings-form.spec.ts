import { expect, test } from './fixtures.ts'
import { holdFirst } from './hold-first.ts'

test('a form of the settings stands where it stands, whichever page was open before, and the menu shows where that is', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/login-page-setup')
  const menu = page.getByRole('navigation', { name: 'Back-office menu' })
  // A page of the user prompts has the same name.
  const loginPage = menu.locator('a[href="/auth_web/manage/login-page-setup"]')
  await expect(loginPage).toBeInViewport()
  const form = page.locator('.login-page-columns')
  const first = await form.boundingBox()
  await page.getByRole('link', { name: 'Name, logo and contact' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'General settings' })).toBeVisible()
  await loginPage.click()
  await expect(form).toBeVisible()
  expect(await form.boundingBox()).toEqual(first)
})

test('a field of the settings that is refused gets the focus, however far it is from the button', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/message')
  const quota = page.locator('input[name="changes.dailySms"]')
  await quota.fill('0')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.focus()
  await page.keyboard.press('Enter')
  await expect(quota).toHaveAttribute('aria-invalid', 'true')
  await expect(quota).toBeFocused()
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('what is typed while a form of the settings is being saved is kept as unsaved', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/message')
  const quota = page.locator('input[name="changes.dailySms"]')
  const former = await quota.inputValue()
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/message_routes/update/**', async (route) => {
    await held
    await route.fallback()
  })
  await quota.fill('901')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('update'))
  await page.keyboard.press('Control+s')
  await sent
  const other = page.locator('input[name="changes.dailyMail"]')
  const before = await other.inputValue()
  await other.fill('902')
  release()
  await expect(page.locator('.save-bar')).toContainText('1 unsaved change')
  await expect(other).toHaveValue('902')
  await expect(quota).toHaveValue('901')
  await other.fill(before)
  await quota.fill(former)
  await page.keyboard.press('Control+s')
  await expect(page.locator('.save-bar')).toBeHidden()
})

test('channels of a route are added, moved and removed by keyboard, without losing the focus', async ({
  page,
  logIn,
}) => {
  await logIn(page, 'root', '/auth_web/manage/message')
  const add = page.getByRole('button', { name: 'Set a route' }).first()
  await add.focus()
  await page.keyboard.press('Enter')
  const more = page.getByRole('button', { name: 'Add a channel' })
  await expect(more).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  const last = page.getByRole('button', { name: 'Move up WeCom' })
  await last.focus()
  await page.keyboard.press('Enter')
  await expect(last).toBeFocused()
  await page.keyboard.press('Enter')
  const remove = page.getByRole('button', { name: 'Remove WeCom' })
  await expect(remove).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(more).toBeFocused()
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('what is typed while the draft of a theme is being saved is kept as unsaved', async ({ page, logIn }) => {
  await logIn(page, 'root', '/auth_web/manage/login-topic')
  await page.getByRole('button', { name: 'Duplicate Gatehouse' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Typed on')
  await page.getByRole('button', { name: 'Create theme' }).click()
  const brand = page.getByRole('textbox', { name: 'Brand colour', exact: true })
  const release = await holdFirst(page, '**/login_config/themes/*/update/**')
  await brand.fill('#8c1d2f')
  await page.keyboard.press('Control+s')
  await expect(page.locator('.save-bar').getByRole('button', { name: 'Save' })).toBeDisabled()
  await brand.fill('#2f1d8c')
  release()
  await expect(page.getByText('Draft saved')).toBeVisible()
  await expect(brand).toHaveValue('#2f1d8c')
  await expect(page.locator('.save-bar').getByRole('button', { name: 'Save' })).toBeEnabled()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('This draft is saved')).toBeVisible()
  await expect(brand).toHaveValue('#2f1d8c')
})
