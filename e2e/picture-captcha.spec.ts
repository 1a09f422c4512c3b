import { expect, fillIn, type School, test } from './fixtures.ts'

test.use({ login: { captchaAfterFailures: 1, captchaKind: 'picture' } })

/** The picture may still be loading; a used one is gone. */
async function pictureText(school: School): Promise<string> {
  await expect.poll(() => school.pictureText()).not.toBe('')
  return await school.pictureText()
}

test.describe.configure({ mode: 'serial' })

test('without scripts the form works: language, wrong password, picture, and into the application', async ({
  browser,
  school,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en' })
  const page = await context.newPage()
  await page.goto(school.library.url)
  await page.locator('summary').click()
  await page.getByRole('link', { name: '简体中文' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await page.locator('summary').click()
  await page.getByRole('link', { name: 'English' }).click()

  await fillIn(page, 'noscript', 'not-it')
  await expect(page.getByRole('alert')).toContainText('wrong')
  await expect(page.locator('#username')).toHaveValue('noscript')
  await page.locator('#captcha').fill('wrong')
  await fillIn(page, 'noscript')
  await expect(page.getByRole('alert')).toContainText('check')
  await page.locator('#captcha').fill(await pictureText(school))
  await fillIn(page, 'noscript')
  await expect(page).toHaveURL(school.library.url)
  await expect(page.getByRole('heading', { name: 'Welcome noscript' })).toBeVisible()
  await context.close()
})

test('a person who can not read the picture switches to the background captcha', async ({ page }) => {
  await page.goto('/auth_web/')
  await fillIn(page, 'reader', 'not-it')
  await expect(page.getByLabel('Enter the characters in the picture')).toBeVisible()
  await page.getByRole('button', { name: /Can't read it/ }).click()
  await fillIn(page, 'reader')
  await expect(page).toHaveURL(/my-apps$/)
})

test('another picture can be requested, and its characters are accepted', async ({ page, school }) => {
  await page.goto('/auth_web/')
  await fillIn(page, 'wangwu', 'not-it')
  const picture = page.getByRole('img', { name: 'Picture of characters' })
  await expect(picture).toBeVisible()
  const first = (await picture.getAttribute('src')) ?? ''
  await page.getByRole('button', { name: 'New picture' }).click()
  await expect(picture).not.toHaveAttribute('src', first)
  await expect(picture).toHaveJSProperty('complete', true)
  await page.locator('#captcha').fill(await pictureText(school))
  await fillIn(page, 'wangwu')
  await expect(page).toHaveURL(/my-apps$/)
})
