import { onTestFinished } from 'vitest'
import { applyBootstrap, type BootstrapInput } from '../features/bootstrap/index.ts'
import { type Answer, type Browser, createBrowser } from './browser.ts'
import { type PresetName, presetSettings } from './campus-id.presets.ts'
import { type CampusId, startCampusId } from './campus-id.ts'
import { addPerson, PASSWORD } from './people.ts'
import type { TestServer } from './server.ts'
import { type Entered, enterPortal } from './sign-in.ts'

type Entry = NonNullable<BootstrapInput['thirdPartyProviders']>[number]
type ProviderOptions = Partial<Omit<Entry, 'settings'>> & { settings?: Record<string, unknown>; preset?: PresetName }

export const callbackOf = (server: TestServer, key: string): string =>
  `${server.url}/auth_service/third_party/${key}/callback`

/** Campus ID as a provider of this server, as an administrator would configure it; closed after the test. */
export async function addCampusId(server: TestServer, wanted: ProviderOptions = {}): Promise<CampusId> {
  const { key = 'campus-id', preset = 'oidc' } = wanted
  const campus = await startCampusId(callbackOf(server, key), server.platform.now)
  onTestFinished(() => campus.close())
  await addProvider(server, campus, { ...wanted, key, preset })
  return campus
}

export async function addProvider(server: TestServer, campus: CampusId, wanted: ProviderOptions): Promise<void> {
  const { key = 'campus-id', preset = 'oidc', settings, ...rest } = wanted
  const entry = { key, connector: 'oauth2', name: 'Campus ID', ...rest }
  const all = { ...presetSettings(preset, campus.url), ...settings }
  await applyBootstrap(server.platform, { thirdPartyProviders: [{ ...entry, settings: all }] }, { source: 'test' })
}

/** The provider's answer to a browser after a person was chosen. @param to where the browser was redirected */
export async function atProvider(to: string, choice: Record<string, string>): Promise<string> {
  const address = new URL(to)
  for (const [name, value] of Object.entries(choice)) address.searchParams.set(name, value)
  const answer = await fetch(address, { redirect: 'manual' })
  const location = answer.headers.get('location')
  if (!location) throw new Error(`the provider refused: ${answer.status} ${await answer.text()}`)
  return location
}

type Login = { key?: string; service?: string; user?: string }

/** To the provider and back: the answer of our callback. */
export async function returnFromProvider(server: TestServer, browser: Browser, login: Login = {}): Promise<Answer> {
  const { key = 'campus-id', service, user = '30000001' } = login
  const query = service === undefined ? '' : `?${new URLSearchParams({ service })}`
  const start = await browser.get(`/auth_service/third_party/${key}/login/${query}`)
  if (!start.location.startsWith('http://127.0.0.1')) return start
  const back = await atProvider(start.location, { user })
  return await browser.get(back.slice(server.url.length))
}

/** Is somebody logged in here? */
export const isIn = (browser: Browser): boolean => browser.cookie('CASTGC') !== undefined

/** A whole login; returns the final answer. */
export async function logInBy(server: TestServer, browser: Browser, login: Login = {}): Promise<Answer> {
  const back = await returnFromProvider(server, browser, login)
  return back.status === 302 ? await browser.get(back.location.slice(server.url.length)) : back
}

export const reauthenticate = (page: Entered) =>
  page.call('/reauthentication/submit/', { body: { method: 'password', answer: PASSWORD } })

/** Begins linking in a person's portal and returns from the provider. @returns the code that waits to be completed */
export async function pendingOf(page: Entered, { key = 'campus-id', user = '30000001' } = {}): Promise<string> {
  const begun = await page.call<{ redirectUrl: string }>(`/third_party_account/${key}/bind/`, { body: {} })
  if (begun.status !== 200) throw new Error(`no binding begun: ${begun.envelope.code}`)
  const back = new URL(await atProvider(begun.data.redirectUrl, { user }))
  const answer = await page.browser.get(back.pathname + back.search)
  return new URL(answer.location || 'http://nowhere').searchParams.get('bind') ?? ''
}

export const complete = (page: Entered, code: string) =>
  page.call<{ name: string; next: string | null }>('/third_party_account/complete/', { body: { code } })

/** Links an account, from reauthentication to the end. */
export async function bindAccount(page: Entered, choice: { key?: string; user?: string } = {}): Promise<void> {
  await reauthenticate(page)
  const { status, envelope } = await complete(page, await pendingOf(page, choice))
  if (status !== 200) throw new Error(`not bound: ${envelope.code}`)
}

type Bound = { displayName: string; boundAt: string; lastUsedAt: string | null; isLastMethod: boolean }
export type Listed = { provider: string; name: string; enabled: boolean; bound: Bound | null }

export const listed = async (page: Entered): Promise<Listed[]> =>
  (await page.call<{ records: Listed[] }>('/third_party_account/list/')).data.records

let people = 0

/** The portal of a new person, who alone is linked. @param bind links them; to Li Lei of Campus ID by default */
export async function addLinkedPerson(
  server: TestServer,
  bind: (page: Entered) => Promise<void> = bindAccount,
  person: object = {},
): Promise<Entered> {
  const account = `linked${++people}`
  await server.platform.sql`delete from third_party_accounts`
  await addPerson(server, { account, ...person })
  const page = await enterPortal(server, account)
  await bind(page)
  return page
}

/** Logs in by a provider; returns what was logged about it too. @param lines the server's log, which is emptied */
export async function loggedAttempt(server: TestServer, lines: string[], login: Login = {}) {
  lines.length = 0
  const browser = createBrowser(server)
  const { status, text } = await logInBy(server, browser, login)
  const told = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'third-party login')
  return { status, text, isIn: isIn(browser), detail: told ? `${told.reason}: ${told.detail}` : '' }
}
