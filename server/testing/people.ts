import { inject } from 'vitest'
import { applyBootstrap, type BootstrapInput } from '../features/bootstrap/index.ts'
import { type Browser, createBrowser } from './browser.ts'
import { PASSWORD } from './password.ts'
import type { TestServer } from './server.ts'

export { PASSWORD }

declare module 'vitest' {
  interface ProvidedContext {
    /** Of `PASSWORD`; hashed once for all tests instead of once per person. */
    passwordHash: string
  }
}

type Entry<List extends 'users' | 'applications' | 'organizations'> = NonNullable<BootstrapInput[List]>[number]

const apply = (server: TestServer, document: BootstrapInput) =>
  applyBootstrap(server.platform, document, { source: 'test' })

/** A person who can log in with `PASSWORD`; everything else as in a bootstrap file. @returns the user id */
export async function addPerson(server: TestServer, person: Partial<Entry<'users'>> & { account: string }) {
  const hasOwn = 'password' in person || 'passwordHash' in person
  const known = hasOwn ? {} : { passwordHash: inject('passwordHash') }
  await apply(server, { users: [{ name: `Name of ${person.account}`, ...known, ...person }] })
  const [row] = await server.platform.sql<{ id: string }[]>`
    select id from users where account = ${person.account} and deleted_at is null`
  return row?.id ?? ''
}

type CasApplication = Partial<Entry<'applications'>> & { appId: string }

/** A CAS application that everybody may use, at `https://<appId>.test/`, unless told otherwise. @returns its id */
export async function addCasApplication(server: TestServer, application: CasApplication) {
  const home = `https://${application.appId}.test/`
  const open = { name: application.appId, protocol: 'cas' as const, type: 'whitelist' as const }
  const entry = { ...open, url: home, serviceUrls: [`${home}**`], ...application }
  await apply(server, { applications: [entry] })
  const [row] = await server.platform.sql<{ id: string }[]>`
    select id from applications where app_id = ${application.appId}`
  return row?.id ?? ''
}

const JSON_COLUMNS = new Set(['attributes', 'cas_options', 'names'])

/** Changes columns of an application's row, visible to every node. */
export async function changeApplication(server: TestServer, appId: string, changes: Record<string, unknown>) {
  const { sql, cache } = server.platform
  for (const [column, value] of Object.entries(changes)) {
    const given = JSON_COLUMNS.has(column) ? sql`${JSON.stringify(value)}::text::jsonb` : sql`${value as string}`
    await sql`update applications set ${sql(column)} = ${given} where app_id = ${appId}`
  }
  await cache.invalidate(sql, 'applications')
}

export type LoginForm = { username: string; password?: string } & Record<string, string>

/** Posts the login form as a browser without script does; returns any answer. */
export function postLogin(browser: Browser, form: LoginForm, query: Record<string, string> = {}) {
  const search = new URLSearchParams(query)
  return browser.post(`/fwk_cas_service/login?${search}`, { password: PASSWORD, ...form })
}

/** A browser in which `account` is logged in to the sign-on server. @throws Error if the login fails. */
export async function logIn(server: TestServer, account: string, form: Record<string, string> = {}): Promise<Browser> {
  const browser = createBrowser(server)
  const answer = await browser.post(
    '/fwk_cas_service/login',
    { username: account, password: PASSWORD, ...form },
    { accept: 'application/json' },
  )
  if (answer.status !== 200) throw new Error(`the login of ${account} was refused: ${answer.status} ${answer.text}`)
  return browser
}
