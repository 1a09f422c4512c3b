import { test as base, expect, type Page } from '@playwright/test'
import { type CasService, startCasService } from './cas-service.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'

export { expect } from '@playwright/test'

/** Everyone's password at the journeys' school. */
export const PASSWORD = 'Correct-horse-9'

const person = (account: string, name: string, more: object = {}) => ({
  account,
  name,
  password: PASSWORD,
  category: 'student',
  organization: 'cs',
  roles: ['library-users'],
  ...more,
})

/** Small on purpose: everything in it is used by some journey. Journeys that change a person have their own. */
const school = (library: string, login: object) => ({
  organizations: [
    { code: 'school', name: 'Demo University' },
    { code: 'cs', name: 'Computer Science', parent: 'school' },
  ],
  userCategories: [{ code: 'student', name: 'Student' }],
  roles: [{ code: 'library-users', name: 'Library users' }],
  users: [
    ...[
      'lilei',
      'hanmeimei',
      'zhangsan',
      'lisi',
      'wangwu',
      'zhaoliu',
      'keyboard',
      'noscript',
      'reader',
      'portrait',
      'nickname',
      'nickname2',
      'recorder',
      'recorder2',
      'recorder3',
      'dean',
      'pupil',
      'departing',
      'returning',
      'onleave',
      'lockedout',
    ].map((account) => person(account, `Person ${account}`)),
    person('newcomer', 'New Comer', { mustChangePassword: true }),
    person('deeplink', 'Deep Link', { mustChangePassword: true }),
    person('firstyear', 'First Year', { mustChangePassword: true }),
    person('stranger', 'Person stranger', { organization: 'school' }),
    person('root', 'Root Admin', { isSuperUser: true }),
  ],
  applications: [
    {
      appId: 'library',
      name: 'Library',
      protocol: 'cas',
      url: library,
      serviceUrls: [`${library}**`],
      attributes: ['account', 'name'],
      authorized: { roles: ['library-users'] },
    },
  ],
  // The journeys' administrator has only a password.
  settings: { login: { secondFactorSuperUsers: false, ...login } },
})

export type School = Gatehouse & { library: CasService }

/**
 * A server with the journeys' school and its library. @param login differences from the default sign-in policy.
 * @param turned further changes to the content.
 */
export async function openSchool(
  login: object = {},
  turned: (content: object) => object = (content) => content,
): Promise<School> {
  let url = ''
  const library = await startCasService(() => url)
  const gatehouse = await startGatehouse({ bootstrap: turned(school(library.url, login)) })
  url = gatehouse.url
  const stop = async () => {
    await library.close()
    await gatehouse.stop()
  }
  return { ...gatehouse, library, stop }
}

type Stoppable = { stop(): Promise<void> }

/** The servers of one worker. A start costs as much as a journey, so each is started on first use. */
export type Servers = {
  /** The school shared by journeys that tolerate others' changes. */
  shared(): Promise<School>
  /** A separate server for journeys that name it. They run one after the other: the next name stops it. */
  own<T extends Stoppable>(name: string, open: () => Promise<T>): Promise<T>
}

function createServers(): Servers & Stoppable {
  let shared: Promise<School> | undefined
  let own: { name: string; server: Promise<Stoppable> } | undefined
  return {
    shared: () => (shared ??= openSchool()),
    async own<T extends Stoppable>(name: string, open: () => Promise<T>) {
      if (own?.name !== name) {
        await (await own?.server)?.stop()
        own = { name, server: open() }
      }
      return (await own.server) as T
    },
    async stop() {
      for (const started of await Promise.allSettled([shared, own?.server])) {
        if (started.status === 'fulfilled') await started.value?.stop()
      }
    },
  }
}

type LogIn = (page: Page, account: string, path?: string) => Promise<void>

/** All journeys extend this one, so that a worker keeps its browser and its school across files. */
export const test = base.extend<{ login: object; school: School; logIn: LogIn }, { servers: Servers }>({
  servers: [
    async ({ browserName: _ }, use) => {
      const servers = createServers()
      await use(servers)
      await servers.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  // Differences from the school's default sign-in policy; a separate school is started for it.
  login: [{}, { option: true }],
  school: [
    async ({ servers, login }, use) => {
      const name = JSON.stringify(login)
      await use(await (name === '{}' ? servers.shared() : servers.own(`school ${name}`, () => openSchool(login))))
    },
    { timeout: 90_000 },
  ],
  baseURL: async ({ school }, use) => use(school.url),
  logIn: async ({ baseURL }, use) => use((page, account, path) => logInAt(baseURL ?? '', page, account, path)),
})

/**
 * For a file whose journeys share a separate server, the fixture `server`, and run one after the other: the file
 * declares `test.describe.configure({ mode: 'default' })`.
 */
export const testWithServer = <T extends Stoppable & { url: string }>(name: string, open: () => Promise<T>) =>
  test.extend<{ server: T }>({
    server: [async ({ servers }, use) => use(await servers.own(name, open)), { timeout: 90_000 }],
    baseURL: async ({ server }, use) => use(server.url),
  })

/** The login form's action for a login that leads to a page of the portal. */
export function loginFor(url: string, path: string): string {
  const casParameter = encodeURIComponent(JSON.stringify({ redirectUrl: url + path }))
  const service = `${url}/auth_service/cas/login/?casParameter=${casParameter}`
  return `${url}/fwk_cas_service/login?service=${encodeURIComponent(service)}`
}

/**
 * Logs in with the form's request, without loading the form, and opens a page of the portal. The form has its own
 * journeys.
 */
async function logInAt(url: string, page: Page, account: string, path = '/auth_web/my-apps'): Promise<void> {
  const answer = await page.request.post(loginFor(url, path), {
    form: { username: account, password: PASSWORD },
    maxRedirects: 0,
  })
  const next = answer.headers()['location']
  if (!next) throw new Error(`${account} can't log in: ${answer.status()}`)
  await page.goto(next)
  await expect(page).not.toHaveURL(/jsessionid=/)
  await expect(page.locator('header .avatar')).toBeVisible()
}

/** Fills in and submits the login form on the page. */
export async function fillIn(page: Page, account: string, password = PASSWORD): Promise<void> {
  await page.locator('input[name=username]').fill(account)
  await page.locator('input[name=password]').fill(password)
  await page.locator('form button[type=submit]').first().click()
}
