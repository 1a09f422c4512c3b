import { test as base, type Page } from '@playwright/test'
import { type CasService, startCasService } from './cas-service.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'

export { expect } from '@playwright/test'

/** The password of everyone at the school of the journeys. */
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

/** Small on purpose: everything in it has a part in some journey. One person for each that changes the person. */
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
    ].map((account) => person(account, `Person ${account}`)),
    person('newcomer', 'New Comer', { mustChangePassword: true }),
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
  // The administrator of the journeys has a password and nothing else.
  settings: { login: { secondFactorSuperUsers: false, ...login } },
})

export type School = Gatehouse & { library: CasService }

/** A server with the school of the journeys and its library. @param login what differs from the default sign-in policy. */
export async function openSchool(login: object = {}): Promise<School> {
  let url = ''
  const library = await startCasService(() => url)
  const gatehouse = await startGatehouse({ bootstrap: school(library.url, login) })
  url = gatehouse.url
  const stop = async () => {
    await library.close()
    await gatehouse.stop()
  }
  return { ...gatehouse, library, stop }
}

type Options = {
  /** The sign-in policy of this file's server; workers of the same policy share it. */
  login: object
}

export const test = base.extend<
  { logIn: (page: Page, account: string) => Promise<void> },
  Options & { school: School }
>({
  login: [{}, { option: true, scope: 'worker' }],
  school: [
    async ({ login }, use) => {
      const opened = await openSchool(login)
      await use(opened)
      await opened.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ school: opened }, use) => use(opened.url),
  logIn: async ({ school: _ }, use) =>
    use(async (page, account) => {
      await page.goto('/auth_web/')
      await fillIn(page, account)
      await page.waitForURL('**/auth_web/my-apps')
      await page
        .getByRole('link', { name: /Library/ })
        .first()
        .waitFor()
    }),
})

/** Fills in and sends the login form that the page shows. */
export async function fillIn(page: Page, account: string, password = PASSWORD): Promise<void> {
  await page.locator('input[name=username]').fill(account)
  await page.locator('input[name=password]').fill(password)
  await page.locator('form button[type=submit]').first().click()
}
