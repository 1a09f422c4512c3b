import assert from 'node:assert/strict'
import type { Browser, Page } from './browser.ts'
import { ACCOUNT, PASSWORD } from './content.ts'

/** Declares one promise of the run. */
export type Step = (promise: string, run: () => Promise<void>) => void

export const isLoginPage = (url: string): boolean => url.includes('/auth_web/login')

/** Waits for something asynchronous, such as a back-channel message; at most 30 s. */
export async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await check().catch(() => false)) return
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`gave up waiting for ${what}`)
}

/** Opens an address that must lead to the login page, and logs in. */
export async function logIn(browser: Browser, start: string, stopBefore?: string): Promise<Page> {
  const page = await browser.open(start)
  assert.ok(
    isLoginPage(page.url),
    `expected the login page, got ${page.status} at ${page.url}: ${page.text.slice(0, 300)}`,
  )
  const service = new URL(page.url).searchParams.get('service') ?? ''
  const action = new URL(`/fwk_cas_service/login?service=${encodeURIComponent(service)}`, page.url).href
  return await browser.open(action, { form: { username: ACCOUNT, password: PASSWORD }, stopBefore })
}
