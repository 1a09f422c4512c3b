import type { CDPSession, Page } from '@playwright/test'
import { violations } from './axe.ts'
import { expect, fillIn, PASSWORD, testWithServer } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'

const people = ['app', 'appzh', 'noscript', 'passkey', 'passkeyzh', 'tabs', 'late', 'beside'].map((account) => ({
  account,
  name: `Person ${account}`,
  password: PASSWORD,
}))
const bootstrap = {
  userCategories: [{ code: 'staff', name: 'Staff' }],
  users: [
    ...people,
    { account: 'staff', name: 'Staff Member', password: PASSWORD, category: 'staff' },
    { account: 'root', name: 'Root Admin', password: PASSWORD, isSuperUser: true },
  ],
  settings: { login: { secondFactorCategories: ['staff'] } },
}

/** A server named `localhost`, which passkeys need, whose rules require a second factor of super users and staff. */
const campusTest = testWithServer('two steps', () => startGatehouse({ bootstrap, host: 'localhost' }))

export const test = campusTest.extend({
  // A virtual authenticator belongs to its page.
  context: async ({ browser }, use) => {
    const context = await browser.newContext()
    await use(context)
    await context.close()
  },
})

export const accessible = async (page: Page) => expect(await violations(page)).toEqual([])

export async function logIn(page: Page, account: string): Promise<void> {
  await page.goto('/auth_web/')
  await fillIn(page, account)
}

export async function logOut(page: Page): Promise<void> {
  // A page still navigating cancels this navigation.
  await expect(() => page.goto('/auth_service/login/logout/')).toPass()
  await page.goto('about:blank')
}

/** Reauthenticates for a sensitive change. */
export async function reauthenticate(page: Page, label: string, verb: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: verb, exact: true }).click()
}

export const TWO_STEP = '/auth_web/account-security/two-step'

/** A platform authenticator with user verification. */
export async function virtualAuthenticator(page: Page): Promise<{ devtools: CDPSession; id: string }> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { devtools, id: authenticatorId }
}
