import { test as base, expect, type Page } from '@playwright/test'
import { violations } from './axe.ts'
import { fillIn, PASSWORD } from './fixtures.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'
import { type RelyingParty, startRelyingParty } from './relying-party.ts'

const LOGIN = /\/auth_web\/login\?/

type Demo = Gatehouse & { library: string; learning: string; lilei: { account: string; password: string } }
type Stranger = Gatehouse & { survey: RelyingParty }

const PEOPLE = ['keyboard', 'refuser', 'reader', 'undecided']

const test = base.extend<object, { demo: Demo; stranger: Stranger }>({
  demo: [
    async ({ browser }, use) => {
      const demo = await startGatehouse({ env: { DEMO: '1' } })
      // Where the applications listen is known to those who see their tiles.
      const page = await browser.newPage({ baseURL: demo.url, locale: 'en' })
      await page.goto('/auth_web/')
      await fillIn(page, 'hanmeimei', await demo.printedPassword('hanmeimei'))
      const addressOf = async (name: RegExp) =>
        (await page.getByRole('link', { name }).first().getAttribute('href')) ?? ''
      const library = await addressOf(/Library/)
      const learning = await addressOf(/Learning/)
      await page.close()
      const password = await demo.printedPassword('lilei')
      await use({ ...demo, library, learning, lilei: { account: 'lilei', password } })
      await demo.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  stranger: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      let url = ''
      const survey = await startRelyingParty(() => url, 'survey')
      const gatehouse = await startGatehouse({ bootstrap: schoolWith(survey) })
      url = gatehouse.url
      await use({ ...gatehouse, survey })
      await survey.close()
      await gatehouse.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

/** A school with the application of somebody else: whoever enters it has to agree. */
const schoolWith = (survey: RelyingParty) => ({
  organizations: [{ code: 'school', name: 'Demo University' }],
  users: PEOPLE.map((account) => ({
    account,
    name: `Person ${account}`,
    mailbox: `${account}@example.edu`,
    password: PASSWORD,
    organization: 'school',
  })),
  applications: [
    {
      appId: 'survey',
      name: 'Survey of other people',
      names: { zh_CN: '校外问卷' },
      protocol: 'oauth2',
      type: 'whitelist',
      clientId: 'survey',
      redirectUris: [survey.callback],
      scopes: ['openid', 'profile', 'email', 'phone'],
      consent: 'explicit',
    },
  ],
})

/** Enters Library by its own login and then Learning; every address on the way is noted. */
async function enterBoth(page: Page, { library, learning, lilei }: Demo): Promise<void> {
  await page.goto(library)
  await expect(page).toHaveURL(LOGIN)
  await fillIn(page, lilei.account, lilei.password)
  await expect(page).toHaveURL(library)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('李雷')
  const seen: string[] = []
  page.on('request', (request) => request.isNavigationRequest() && seen.push(request.url()))
  await page.goto(learning)
  await expect(page).toHaveURL(learning)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('李雷')
  await expect(page.locator('main')).toContainText('OpenID Connect')
  expect(seen.some((url) => url.includes('/oidc/authorize?'))).toBe(true)
  expect(seen.filter((url) => url.includes('/auth_web/'))).toEqual([])
}

test('log in by the CAS application, enter the OpenID Connect one unasked, log out there: out of everything', async ({
  page,
  demo,
}) => {
  await enterBoth(page, demo)
  const portal = await page.context().newPage()
  await portal.goto(`${demo.url}/auth_web/`)
  await expect(portal).toHaveURL(/my-apps$/)

  await page.bringToFront()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${demo.learning}goodbye`)
  await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible()

  await portal.bringToFront()
  await portal.reload()
  await expect(portal).toHaveURL(LOGIN)
  // Its own session may outlive ours by the moment that the message needs.
  await expect(async () => {
    await page.goto(demo.library)
    await expect(page).toHaveURL(LOGIN, { timeout: 1000 })
  }).toPass()
  await page.goto(demo.learning)
  await expect(page).toHaveURL(LOGIN)
})

test('log out of the portal: the OpenID Connect application is told and has forgotten', async ({ page, demo }) => {
  await enterBoth(page, demo)
  await page.goto(`${demo.url}/auth_web/`)
  await page.getByRole('button', { name: /account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(LOGIN)
  await expect(async () => {
    await page.goto(demo.learning)
    await expect(page).toHaveURL(LOGIN, { timeout: 1000 })
  }).toPass()
})

/** From the application over the login to the question. */
async function toQuestion(page: Page, { survey }: Stranger, account: string): Promise<void> {
  await page.goto(survey.url)
  await expect(page).toHaveURL(LOGIN)
  await fillIn(page, account)
  await expect(page).toHaveURL(/\/oidc\/consent\//)
}

for (const { locale, heading, width } of [
  { locale: 'zh-CN', heading: '允许“校外问卷”获知您的身份？', width: 1366 },
  { locale: 'zh-CN', heading: '允许“校外问卷”获知您的身份？', width: 390 },
  { locale: 'en', heading: 'Let Survey of other people know who you are?', width: 1366 },
  { locale: 'en', heading: 'Let Survey of other people know who you are?', width: 390 },
]) {
  test(`the question what an application may learn: ${locale}, ${width} pixels, light and dark`, async ({
    browser,
    stranger,
  }) => {
    const context = await browser.newContext({ locale, viewport: { width, height: 844 }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await toQuestion(page, stranger, 'reader')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.locator('.released li')).toHaveCount(3)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect.soft(await violations(page), colorScheme).toEqual([])
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    for (const button of await page.locator('.actions button').all()) {
      const { height = 0 } = (await button.boundingBox()) ?? {}
      expect(height).toBeGreaterThanOrEqual(44)
    }
    expect(complaints).toEqual([])
    await context.close()
  })
}

test('by keyboard: agree once, be inside, and not be asked again, unless for more', async ({ page, stranger }) => {
  const { survey } = stranger
  await toQuestion(page, stranger, 'keyboard')
  const allow = page.getByRole('button', { name: 'Allow', exact: true })
  for (let stops = 0; stops < 12 && !(await allow.evaluate((one) => one === document.activeElement)); stops++) {
    await page.keyboard.press('Tab')
  }
  await expect(allow).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Welcome Person keyboard' })).toBeVisible()
  await expect(page.locator('pre')).toContainText('keyboard@example.edu')

  await page.goto(survey.url)
  await expect(page).toHaveURL(new RegExp(`^${survey.callback}`))
  await expect(page.getByRole('heading', { name: 'Welcome Person keyboard' })).toBeVisible()

  await page.goto(`${survey.url}?scope=openid+profile+email+phone`)
  await expect(page).toHaveURL(/\/oidc\/consent\//)
  await expect(page.locator('.released')).toContainText('your phone number')
})

test('who does not agree is not known to the application, and is asked anew another time', async ({
  page,
  stranger,
}) => {
  await toQuestion(page, stranger, 'refuser')
  await expect(page.getByText('Person refuser')).toBeVisible()
  await page.getByRole('button', { name: "Don't allow" }).click()
  await expect(page).toHaveURL(new RegExp(`^${stranger.survey.callback}`))
  await expect(page.getByRole('heading', { name: 'Nobody came: access_denied' })).toBeVisible()
  expect(page.url()).not.toContain('code=')
  await page.goto(stranger.survey.url)
  await expect(page).toHaveURL(/\/oidc\/consent\//)
})

for (const { locale, title, take, none } of [
  { locale: 'en', title: 'Applications I allowed', take: 'Take back', none: 'You have not allowed any application' },
  { locale: 'zh-CN', title: '我授权过的应用', take: '收回授权', none: '您还没有授权过任何应用' },
]) {
  test(`who allowed an application takes it back, and is asked anew: ${locale}`, async ({ browser, stranger }) => {
    const context = await browser.newContext({ locale, reducedMotion: 'reduce', viewport: { width: 390, height: 844 } })
    const page = await context.newPage()
    await toQuestion(page, stranger, 'undecided')
    await page.locator('.actions button').first().click()
    await expect(page.getByRole('heading', { name: 'Welcome Person undecided' })).toBeVisible()

    await page.goto(`${stranger.url}/auth_web/account-security/allowed-applications`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.locator('.allowed-card')).toHaveCount(1)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect.soft(await violations(page), colorScheme).toEqual([])
    }
    await page.locator('.allowed-card button').click()
    await page.getByRole('dialog').getByRole('button', { name: take }).click()
    await expect(page.getByRole('heading', { name: none })).toBeVisible()
    expect(await violations(page)).toEqual([])

    await page.goto(stranger.survey.url)
    await expect(page).toHaveURL(/\/oidc\/consent\//)
    await context.close()
  })
}
