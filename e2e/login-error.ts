import { type Browser, expect } from '@playwright/test'

/** Fails a login in a separate browser, in Chinese, and sees the login page's error. */
export async function seeLoginError(browser: Browser, text: string): Promise<void> {
  const visitor = await browser.newContext({ locale: 'zh-CN' })
  const login = await visitor.newPage()
  await login.goto('/auth_web/login')
  await login.locator('input[name=username]').fill('nobody-here')
  await login.locator('input[name=password]').fill('wrong')
  await login.locator('input[name=password]').press('Enter')
  await expect(login.getByText(text)).toBeVisible()
  await visitor.close()
}
