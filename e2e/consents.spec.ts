import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { expect, fillIn, PASSWORD, testWithServer } from './fixtures.ts'
import { type Gatehouse, startGatehouse } from './gatehouse.ts'
import { type RelyingParty, startRelyingParty } from './relying-party.ts'

const LOGIN = /\/auth_web\/login\?/

type Stranger = Gatehouse & { survey: RelyingParty }

const PEOPLE = ['keyboard', 'refuser', 'reader', 'undecided', 'noscript', 'windowed']

async function openStranger(): Promise<Stranger> {
  let url = ''
  const survey = await startRelyingParty(() => url, 'survey')
  const gatehouse = await startGatehouse({ bootstrap: schoolWith(survey) })
  url = gatehouse.url
  const stop = async () => {
    await survey.close()
    await gatehouse.stop()
  }
  return { ...gatehouse, survey, stop }
}

const test = testWithServer('stranger', openStranger)

test.describe.configure({ mode: 'default' })

/** A school with a third-party application that needs consent. */
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

/** From the application through the login to the consent page. */
async function toQuestion(page: Page, { survey }: Stranger, account: string): Promise<void> {
  await page.goto(survey.url)
  await expect(page).toHaveURL(LOGIN)
  await fillIn(page, account)
  await expect(page).toHaveURL(/\/oidc\/consent\//)
}

for (const { locale, heading, width } of [
  { locale: 'zh-CN', heading: '允许“校外问卷”获知您的身份？', width: 390 },
  { locale: 'en', heading: 'Share your information with Survey of other people?', width: 1366 },
]) {
  test(`the consent page: ${locale}, ${width} pixels, light and dark`, async ({ browser, server }) => {
    const context = await browser.newContext({ locale, viewport: { width, height: 844 }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await toQuestion(page, server, 'reader')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.locator('.released li')).toHaveCount(3)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect.soft(await violations(page, colorScheme === 'dark' ? 'colours' : undefined), colorScheme).toEqual([])
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

test('by keyboard: consent once, enter, and not be asked again except for more', async ({ page, server }) => {
  const { survey } = server
  await toQuestion(page, server, 'keyboard')
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

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a third-party application: log in, read what it will receive, allow it, enter', async ({ page, server }) => {
    await toQuestion(page, server, 'noscript')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Share your information with Survey of other people?',
    )
    await expect(page.getByRole('listitem')).toContainText(['a permanent identifier', 'your name', 'your email'])
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Welcome Person noscript' })).toBeVisible()
    await page.goto(server.survey.url)
    await expect(page.getByRole('heading', { name: 'Welcome Person noscript' })).toBeVisible()
  })
})

test('a person who declines is not revealed to the application, and is asked again next time', async ({
  page,
  server,
}) => {
  await toQuestion(page, server, 'refuser')
  await expect(page.getByText('Person refuser')).toBeVisible()
  await page.getByRole('button', { name: "Don't allow" }).click()
  await expect(page).toHaveURL(new RegExp(`^${server.survey.callback}`))
  await expect(page.getByRole('heading', { name: 'Nobody came: access_denied' })).toBeVisible()
  expect(page.url()).not.toContain('code=')
  await page.goto(server.survey.url)
  await expect(page).toHaveURL(/\/oidc\/consent\//)
})

for (const { locale, title, take, none } of [
  { locale: 'en', title: 'Applications you allowed', take: 'Revoke', none: "You haven't allowed any applications" },
  { locale: 'zh-CN', title: '我授权过的应用', take: '收回授权', none: '您还没有授权过任何应用' },
]) {
  test(`a consent is revoked, and the person is asked again: ${locale}`, async ({ browser, server }) => {
    const context = await browser.newContext({ locale, reducedMotion: 'reduce', viewport: { width: 390, height: 844 } })
    const page = await context.newPage()
    await toQuestion(page, server, 'undecided')
    await page.locator('.actions button').first().click()
    await expect(page.getByRole('heading', { name: 'Welcome Person undecided' })).toBeVisible()

    await page.goto('/auth_web/account-security/allowed-applications')
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.locator('.allowed-card')).toHaveCount(1)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect.soft(await violations(page, colorScheme === 'dark' ? 'colours' : undefined), colorScheme).toEqual([])
    }
    await page.locator('.allowed-card button').click()
    await page.getByRole('dialog').getByRole('button', { name: take }).click()
    await expect(page.getByRole('heading', { name: none })).toBeVisible()
    expect(await violations(page)).toEqual([])

    await page.goto(server.survey.url)
    await expect(page).toHaveURL(/\/oidc\/consent\//)
    await context.close()
  })
}

test('an application that opens the login in a popup gets its answer there', async ({ page, server }) => {
  // Any page of the application: it says that nobody is logged in.
  await page.goto(server.survey.callback)
  const opened = page.waitForEvent('popup')
  await page.evaluate(() => void window.open('/', '_blank', 'popup'))
  const popup = await opened
  await expect(popup).toHaveURL(LOGIN)
  await fillIn(popup, 'windowed', PASSWORD)
  await popup.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect(popup).toHaveURL(/\/callback\?/)
  await popup.evaluate(() => {
    window.opener.name = 'told by the window'
  })
  expect(await page.evaluate(() => window.name)).toBe('told by the window')
})
