import type { Page } from '@playwright/test'
import { generateSync } from 'otplib'

const WORDS = {
  en: {
    setUp: 'Set up an authenticator app',
    code: 'Code from the app',
    turnOn: 'Turn on',
    kept: 'I have saved them',
  },
  zh: { setUp: '设置身份验证器', code: '应用显示的验证码', turnOn: '启用', kept: '我已保存' },
} as const

export type App = { secret: string; recoveryCodes: string[] }

/** The app's code, now or half a minute ahead: each is accepted once, and slightly early ones are valid. */
export const appCode = (secret: string, steps: 0 | 1): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })

/**
 * Sets up an authenticator app on the page that offers it; uses the current code. @param seen called at each screen.
 */
export async function setUpApp(
  page: Page,
  language: keyof typeof WORDS = 'en',
  seen: () => Promise<void> = async () => {},
): Promise<App> {
  const words = WORDS[language]
  await page.getByRole('button', { name: words.setUp }).click()
  const key = page.locator('.secret-key code')
  await key.waitFor()
  await seen()
  const secret = ((await key.textContent()) ?? '').replace(/\s/g, '')
  await page.getByLabel(words.code).fill(appCode(secret, 0))
  await page.getByRole('button', { name: words.turnOn }).click()
  const codes = page.locator('.recovery-codes li')
  await codes.first().waitFor()
  await seen()
  const recoveryCodes = await codes.allTextContents()
  await page.getByRole('button', { name: words.kept }).click()
  return { secret, recoveryCodes }
}
