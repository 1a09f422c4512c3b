import { createHash } from 'node:crypto'
import { type FieldRuleValues, LOGIN_NAME_FIELDS, type LoginNameField } from '#shared/contract/account-fields.ts'
import type { CaptchaPurpose } from '#shared/contract/captcha.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { proofOfWorkSolver } from '#shared/rules/proof-of-work.ts'
import { mergeSettings } from '../platform/settings.ts'
import { type Answer, type Browser, createBrowser } from './browser.ts'
import { PASSWORD } from './people.ts'
import { callAs, type Reply } from './portal.ts'
import type { TestServer } from './server.ts'
import type { SignedOptions } from './signed.ts'

/** Settings for a server with clients from as many addresses as a test wants: see `attempt`. */
export const BEHIND_PROXY = { env: { TRUSTED_PROXIES: '127.0.0.1' } }

export async function setPolicy(server: TestServer, changes: Partial<SignInPolicy>): Promise<void> {
  await mergeSettings({ ...server.platform, db: server.platform.sql }, 'login', changes)
}

export async function setFieldRules(server: TestServer, changes: FieldRuleValues): Promise<void> {
  await mergeSettings({ ...server.platform, db: server.platform.sql }, 'accountFields', changes)
}

/** Field rules by which only these fields are login names. */
export const onlyLoginNames = (...fields: LoginNameField[]): FieldRuleValues =>
  Object.fromEntries(LOGIN_NAME_FIELDS.map((field) => [`${field}.isLoginName`, fields.includes(field)]))

export type Outcome = { status: number; code: string; message: string; data: unknown; answer: Answer }

type Extra = { from?: string; browser?: Browser; captcha?: { captchaId: string; captcha: string } }

/** One login attempt by script, from a browser without history and from `from` (with `BEHIND_PROXY`) unless told otherwise. */
export async function attempt(
  server: TestServer,
  username: string,
  password: string = PASSWORD,
  { from, browser = createBrowser(server), captcha }: Extra = {},
): Promise<Outcome> {
  const headers = { accept: 'application/json', ...(from && { 'x-forwarded-for': from }) }
  const answer = await browser.post('/fwk_cas_service/login', { username, password, ...captcha }, headers)
  const { code = '', message, data } = answer.json<{ code?: string; message: string; data: unknown }>()
  return { status: answer.status, code, message, data, answer }
}

/** Solves a proof-of-work captcha for this browser, as the login page's script does. */
export async function solvedCaptcha(
  browser: Browser,
  purpose: CaptchaPurpose = 'login',
): Promise<{ captchaId: string; captcha: string }> {
  const answer = await browser.get(`/auth_service/captcha/challenge?kind=proof-of-work&purpose=${purpose}`)
  const { data } = answer.json<{ data: { captchaId: string; salt: string; bits: number; rounds: number } }>()
  const captcha = proofOfWorkSolver(data, (bytes) => createHash('sha256').update(bytes).digest()).step(10_000_000)
  if (captcha === null) throw new Error('no luck with the proof of work')
  return { captchaId: data.captchaId, captcha }
}

/** `attempt` after solving a captcha. */
export async function attemptWithCaptcha(server: TestServer, username: string, password = PASSWORD, extra: Extra = {}) {
  const browser = extra.browser ?? createBrowser(server)
  return await attempt(server, username, password, { ...extra, browser, captcha: await solvedCaptcha(browser) })
}

export type Entered = {
  browser: Browser
  token: string
  user: UserInformation
  /** The ticket and the hand-over code that were consumed on the way. */
  spent: { ticket: string; jsessionid: string }
  /** A signed call with this page's cookies, and its token unless told otherwise. */
  call<T = unknown>(path: string, options?: SignedOptions): Promise<Reply<T>>
}

/** A person's portal, entered as people do: login form, ticket, hand-over code, token. @throws Error if a step fails. */
export async function enterPortal(
  server: TestServer,
  username: string,
  password = PASSWORD,
  browser = createBrowser(server),
): Promise<Entered> {
  const casParameter = JSON.stringify({ redirectUrl: `${server.url}/auth_web/` })
  const service = `${server.url}/auth_service/cas/login/?${new URLSearchParams({ casParameter })}`
  const login = await browser.post(`/fwk_cas_service/login?${new URLSearchParams({ service })}`, { username, password })
  const handed = await browser.get(login.location || '/nowhere')
  const jsessionid = (handed.location && new URL(handed.location).searchParams.get('jsessionid')) || ''
  const opened = await callAs<{ token: string; fwkAuthUserInformation: UserInformation }>(
    server,
    browser,
    '/login/pc/',
    { body: { jsessionid } },
  )
  if (opened.status !== 200)
    throw new Error(`${username} did not get in: ${login.status} ${handed.status} ${opened.status}`)
  const { token, fwkAuthUserInformation: user } = opened.data
  const ticket = new URL(login.location).searchParams.get('ticket') ?? ''
  const call: Entered['call'] = (path, options = {}) => callAs(server, browser, path, { token, ...options })
  return { browser, token, user, spent: { ticket, jsessionid }, call }
}
