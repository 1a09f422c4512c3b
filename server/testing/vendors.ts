import { onTestFinished } from 'vitest'
import type { Unbound } from '#shared/contract/created-people.ts'
import { PEOPLE, type Simulator, startSimulator, VENDORS } from '../../tools/simulators/index.ts'
import { applyBootstrap } from '../features/bootstrap/index.ts'
import type { Answer, Browser } from './browser.ts'
import { addPerson } from './people.ts'
import type { TestServer } from './server.ts'
import { type Entered, enterPortal } from './sign-in.ts'
import { atProvider, complete, isIn, reauthenticate } from './third-party.ts'

export type VendorKey = keyof typeof VENDORS
export const VENDOR_KEYS = Object.keys(VENDORS) as VendorKey[]
/** Those with a code to scan on the login page. */
export const FRAMED_KEYS = VENDOR_KEYS.filter((key) => key !== 'auth-edu')

let people = 0

/** Links the vendor's first account to a new person, and no other account to anybody. */
export async function bindNewPerson(server: TestServer, key: VendorKey): Promise<void> {
  const account = `person${++people}`
  await server.platform.sql`delete from third_party_accounts`
  await addPerson(server, { account })
  await bindAt(await enterPortal(server, account), key)
}

type Options = { unbound?: Unbound; creates?: object; matchBy?: 'account'[]; settings?: Record<string, unknown> }

/** A simulated vendor, set up as a provider of this server; closed after the test. */
export async function addVendor(server: TestServer, key: VendorKey, wanted: Options = {}): Promise<Simulator> {
  const simulator = await startSimulator(VENDORS[key], { trustedOrigin: server.url, now: server.platform.now })
  onTestFinished(() => simulator.close())
  const { settings, unbound = 'refuse', creates, matchBy = [] } = wanted
  const all = { ...VENDORS[key].settings(simulator.url), ...settings }
  const connector = key === 'auth-edu' ? 'oauth2' : key
  const entry = { key, connector, name: key, unbound, matchBy, settings: all, ...(creates && { creates }) }
  await applyBootstrap(server.platform, { thirdPartyProviders: [entry] }, { source: 'test' })
  return simulator
}

/** The URL with which the vendor redirects a person back. @param choice `person` or `refuse` */
export async function leaveVendor(browser: Browser, key: VendorKey, choice: Record<string, string>): Promise<string> {
  const start = await browser.get(`/auth_service/third_party/${key}/login/`)
  return await atProvider(start.location, choice)
}

/** A login by a vendor, up to the final answer. */
export async function logInAt(server: TestServer, browser: Browser, key: VendorKey, person = 'LiLei'): Promise<Answer> {
  return await returnFromVendor(server, browser, await leaveVendor(browser, key, { person }))
}

/** Returns with this URL, and continues as a browser does. */
export async function returnFromVendor(server: TestServer, browser: Browser, address: string): Promise<Answer> {
  const back = await browser.get(address.slice(server.url.length))
  return back.status === 302 && back.location.startsWith(`${server.url}/fwk_cas_service/`)
    ? await browser.get(back.location.slice(server.url.length))
    : back
}

/** Links an account of a vendor to the person of a portal page. */
export async function bindAt(page: Entered, key: VendorKey, person = 'LiLei'): Promise<void> {
  await reauthenticate(page)
  const begun = await page.call<{ redirectUrl: string }>(`/third_party_account/${key}/bind/`, { body: {} })
  const back = new URL(await atProvider(begun.data.redirectUrl, { person }))
  const answer = await page.browser.get(back.pathname + back.search)
  const code = new URL(answer.location || 'http://nowhere').searchParams.get('bind') ?? ''
  const { status, envelope } = await complete(page, code)
  if (status !== 200) throw new Error(`not bound: ${envelope.code}`)
}

export { isIn, PEOPLE }
