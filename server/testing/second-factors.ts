import { generateSync } from 'otplib'
import { type Authenticator, createAuthenticator } from './authenticator.ts'
import type { Answer, Browser } from './browser.ts'
import { PASSWORD } from './people.ts'
import type { Portal, Reply } from './portal.ts'
import type { TestServer } from './server.ts'

type Page = Pick<Portal, 'call' | 'browser'>

/** Reauthenticates with the password, so that a sensitive change is allowed. */
export async function reauthenticate(page: Page): Promise<void> {
  const reply = await page.call('/reauthentication/submit/', { body: { method: 'password', answer: PASSWORD } })
  if (reply.status !== 200) throw new Error(`no reauthentication: ${JSON.stringify(reply.envelope)}`)
}

/** The code that an app with this secret shows, `steps` half minutes from now. */
export const totpCode = (server: TestServer, secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(server.platform.now().getTime() / 1000) + steps * 30 })

export type App = { secret: string; recoveryCodes: string[] }

/** Sets up an authenticator app, and lets time pass until its next code. The page must have reauthenticated. */
export async function setUpApp(server: TestServer, page: Page): Promise<App> {
  const started = await page.call<{ secret: string }>('/second_factor/totp/start/', { body: {} })
  const { secret } = started.data ?? {}
  if (!secret) throw new Error(`no set-up: ${JSON.stringify(started.envelope)}`)
  const confirmed = await page.call<{ recoveryCodes: string[] | null }>('/second_factor/totp/confirm/', {
    body: { code: totpCode(server, secret) },
  })
  if (confirmed.status !== 200) throw new Error(`no set-up: ${JSON.stringify(confirmed.envelope)}`)
  server.advance(60)
  return { secret, recoveryCodes: confirmed.data.recoveryCodes ?? [] }
}

/** Creates a passkey and registers it. */
export async function setUpPasskey(
  server: TestServer,
  page: Page,
  options: { verifiesUser?: boolean; counts?: boolean; name?: string } = {},
): Promise<{ passkey: Authenticator; reply: Reply<{ recoveryCodes: string[] | null }> }> {
  const { name = 'My laptop', ...kind } = options
  const passkey = createAuthenticator({ origin: server.url, ...kind })
  const asked = await page.call<{ challenge: string; user: { id: string } }>('/passkey/options/', { body: {} })
  if (asked.status !== 200) throw new Error(`no options: ${JSON.stringify(asked.envelope)}`)
  const response = passkey.register(asked.data)
  const reply = await page.call<{ recoveryCodes: string[] | null }>('/passkey/register/', { body: { name, response } })
  return { passkey, reply }
}

/** A challenge for this browser. */
export async function challengeFor(browser: Browser, purpose: 'login' | 'second-factor'): Promise<string> {
  const answer = await browser.get(`/auth_service/passkey/challenge/?purpose=${purpose}`)
  return answer.json<{ data: { challenge: string } }>().data.challenge
}

const JSON_ONLY = { accept: 'application/json' }

/** The password, as the page's script sends it. */
export const submitPassword = (
  browser: Browser,
  username: string,
  query: Record<string, string> = {},
): Promise<Answer> =>
  browser.post(`/fwk_cas_service/login?${new URLSearchParams(query)}`, { username, password: PASSWORD }, JSON_ONLY)

type Step = { code: string; factor?: 'typed' | 'passkey'; trust?: boolean }

/** The second factor, as the page's script sends it. */
export const submitSecondFactor = (
  browser: Browser,
  { code, factor = 'typed', trust = false }: Step,
  query: Record<string, string> = {},
): Promise<Answer> => {
  const fields = { loginType: 'second-factor', factor, code, ...(trust && { trust: 'true' }) }
  return browser.post(`/fwk_cas_service/login?${new URLSearchParams(query)}`, fields, JSON_ONLY)
}

export const codeOf = (answer: Answer): string => answer.json<{ code?: string }>().code ?? ''
