import type { Browser, FrameLocator, Locator, Page } from '@playwright/test'
import { type Simulator, startSimulator, VENDORS, WE_CHAT_ACCOUNT } from '../tools/simulators/index.ts'
import { violations } from './axe.ts'
import { expect, fillIn, PASSWORD, testWithServer } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'

type Key = 'qywx' | 'dingding' | 'weChat' | 'qq'

type Vendor = {
  key: Key
  name: string
  path: string
  /** Input by label, from the simulator's settings. */
  fields: Record<string, string>
  secret: string
  /** The message for a wrong secret. */
  wrong: string
  /** Who is always refused, and the message; null: everybody may log in. */
  outsider: [name: RegExp, told: string] | null
  /** The user agent of its own browser; null: it has none. */
  inside: string | null
}

const VENDOR_PAGES: readonly Vendor[] = [
  {
    key: 'qywx',
    name: 'WeCom',
    path: 'qywx',
    fields: {
      'Corporation ID (CorpId)': 'corpId',
      AgentId: 'agentId',
      'API host': 'apiHost',
      'Login host': 'loginHost',
      'In-app login host': 'inAppHost',
      'QR code host on the login page': 'frameHost',
    },
    secret: 'Secret',
    wrong: 'The secret is wrong, or belongs to another app.',
    outsider: [/王红/, 'Ask your IT service desk to add you to the app'],
    inside: 'Mozilla/5.0 (iPhone) MicroMessenger/7.0.1 wxwork/4.1.6 MailPlugin',
  },
  {
    key: 'dingding',
    name: 'DingTalk',
    path: 'dingding',
    fields: {
      'Corporation ID (CorpId)': 'corpId',
      'Client ID (AppKey)': 'clientId',
      'API host': 'apiHost',
      'Legacy API host': 'oldApiHost',
      'Login host': 'loginHost',
    },
    secret: 'Client secret (AppSecret)',
    wrong: 'Client ID or secret is wrong.',
    outsider: [/赵倩/, 'member'],
    inside: 'Mozilla/5.0 (iPhone) AliApp(DingTalk/7.5.0) DingTalk/7.5.0',
  },
  {
    key: 'weChat',
    name: 'WeChat',
    path: 'weixin',
    fields: { AppID: 'appId', 'API host': 'apiHost', 'Login host': 'loginHost' },
    secret: 'Secret',
    wrong: 'The secret is wrong.',
    outsider: [/访客/, 'snapshot'],
    inside: 'Mozilla/5.0 (iPhone) MicroMessenger/8.0.50',
  },
  {
    key: 'qq',
    name: 'QQ',
    path: 'qq',
    fields: { AppID: 'appId', 'API host': 'apiHost' },
    secret: 'APP Key',
    wrong: 'The APP Key is wrong.',
    outsider: null,
    inside: null,
  },
]

type School = { url: string; simulators: Map<Key, Simulator>; stop(): Promise<void> }

/** A school with people at four vendors, none of which is set up here. */
async function openSchool(): Promise<School> {
  const users = [
    { account: 'root', name: 'Root Admin', password: PASSWORD, isSuperUser: true },
    ...VENDOR_PAGES.map(({ key, name }) => ({
      account: `at-${key.toLowerCase()}`,
      name: `Person at ${name}`,
      password: PASSWORD,
    })),
  ]
  const settings = { login: { secondFactorSuperUsers: false }, loginPage: { qrFirst: true } }
  const gatehouse = await startGatehouse({ bootstrap: { users, settings } })
  const simulators = new Map<Key, Simulator>()
  for (const { key } of VENDOR_PAGES) {
    const simulator = await startSimulator(VENDORS[key], { trustedOrigin: gatehouse.url })
    // On another site, for realistic cookies.
    simulator.url = simulator.url.replace('127.0.0.1', 'localhost')
    simulators.set(key, simulator)
  }
  const stop = async () => {
    await gatehouse.stop()
    for (const simulator of simulators.values()) await simulator.close()
  }
  return { url: gatehouse.url, simulators, stop }
}

const test = testWithServer('vendors', openSchool)

async function expectSound(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
}

/** Logs out. */
async function leave(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/auth_web/')
  await page.waitForURL('**/auth_web/login?*')
}

/** Opens a vendor's QR code on the login page. */
async function scan(page: Page, { name }: Vendor): Promise<FrameLocator> {
  const region = page.getByRole('region', { name: 'Scan a QR code here' })
  await expect(region).toBeVisible()
  // With a single vendor there is nothing to choose.
  const choice = region.getByRole('button', { name, exact: true })
  if ((await choice.count()) > 0) await choice.click()
  const frame = page.frameLocator(`iframe[title="QR code of ${name}"]`)
  await expect(frame.getByRole('link', { name: 'Refuse' })).toBeInViewport({ ratio: 1 })
  return frame
}

/** As a new administrator who first copies the wrong secret. */
async function setUp(page: Page, vendor: Vendor, { url }: Simulator): Promise<void> {
  const { path, name, fields, secret, wrong, key } = vendor
  await page.goto(`/auth_web/manage/${path}`)
  await fillIn(page, 'root')
  await page.waitForURL(`**/manage/${path}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const settings = VENDORS[key].settings(url) as Record<string, unknown>
  await page.getByText('Other hosts').click()
  for (const [label, field] of Object.entries(fields)) {
    await page
      .getByRole('textbox', { name: new RegExp(`^${label.replace(/[()]/g, '\\$&')}( optional)?$`) })
      .first()
      .fill(String(settings[field]))
  }
  const secretField = page.getByLabel(secret, { exact: true }).first()
  await page.getByRole('button', { name: 'Try a login' }).click()
  await expect(page.getByText("Fill in the provider's values first.")).toBeVisible()
  await expect(secretField).toBeFocused()
  await expect(secretField).toHaveAccessibleDescription('Please fill this in.')
  await secretField.fill('wrong')
  await expect(page.getByText("Fill in the provider's values first.")).toHaveCount(0)
  const apiHost = page.getByRole('textbox', { name: 'API host optional', exact: true })
  await apiHost.fill('vendor.example')
  await page.getByRole('button', { name: 'Check these values' }).click()
  await expect(apiHost).toBeFocused()
  await expect(apiHost).toHaveAccessibleDescription('Enter an address such as https://host, without a path.')
  await apiHost.fill(url)
  await page.getByRole('button', { name: 'Check these values' }).click()
  await expect(page.getByText(wrong)).toBeVisible()
  await secretField.fill('')
  await page.getByRole('button', { name: 'Check these values' }).click()
  await expect(page.getByText("Fill in the provider's values first.")).toBeVisible()
  await expect(page.getByText(wrong)).toHaveCount(0)
  await secretField.fill('nothing-secret-in-a-simulator')
  if (key === 'weChat') {
    await page.getByLabel('Official account: AppID optional').fill(WE_CHAT_ACCOUNT.accountAppId)
    await page.getByLabel('Official account: secret optional').fill(WE_CHAT_ACCOUNT.accountSecret)
  }
  await page.getByRole('button', { name: 'Check these values' }).click()
  await expect(page.locator('.vendor-step-well').first()).toBeVisible()
  await expect(page.locator('.vendor-step-failed')).toHaveCount(0)

  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Try a login' }).click()
  const popup = await opened
  await popup.getByRole('link', { name: '李雷' }).click()
  await expect(popup.getByText('Nobody here is linked: they would log in once')).toBeVisible()
  // What the vendor said of the person.
  await expect(popup.locator('.fact-list').getByText('李雷')).toBeVisible()
  await expect(popup.locator('.fact-list code').first()).toContainText(/lilei/i)
  await popup.close()

  await expectSound(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('.save-bar')).toHaveCount(0)
  await expect(secretField).toHaveValue('******')
  await expectNoSecretInHistory(page, secretField)
}

/** Of a save that replaces only the secret the history shows nothing, and says why. */
async function expectNoSecretInHistory(page: Page, secretField: Locator): Promise<void> {
  await secretField.fill('nothing-secret-in-a-simulator')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('.save-bar')).toHaveCount(0)
  await page.getByRole('tab', { name: /history/i }).click()
  const change = page.getByRole('list', { name: 'Change history' }).getByRole('listitem').first()
  await change.getByRole('button').first().click()
  await expect(change.getByText('No visible differences. Secrets are never shown.')).toBeVisible()
}

/** Inside the vendor's own browser nothing is asked, because the vendor knows who it is. */
async function expectSilent(browser: Browser, url: string, userAgent: string): Promise<void> {
  const context = await browser.newContext({ userAgent, baseURL: url })
  const page = await context.newPage()
  await page.goto('/auth_web/')
  // Redirected without a click. The simulator has to be told who is logged in there.
  await page.waitForURL(/localhost:\d+\/(connect\/oauth2\/authorize|oauth2\/auth)\?/)
  await page.getByRole('link', { name: '李雷' }).click()
  await page.waitForURL('**/auth_web/my-apps')
  await context.close()
}

/** Once it is switched off: what the vendor is called with is gone, and logins have to be set up again. */
async function removeSecret(page: Page, { path, name, secret }: Vendor): Promise<void> {
  await leave(page)
  await page.goto(`/auth_web/manage/${path}`)
  await fillIn(page, 'root')
  await expect(page.getByText('To remove it, first switch off “Offer it on the login page” and save.')).toBeVisible()
  await page.getByRole('switch', { name: 'Offer it on the login page' }).press('Space')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Remove secret' }).click()
  const dialog = page.getByRole('dialog', { name: `Remove the secret of ${name}?` })
  await expectSound(page)
  await dialog.getByRole('button', { name: 'Remove secret' }).click()
  await expect(page.getByText('The secret was removed.')).toBeVisible()
  await expect(page.getByLabel(secret, { exact: true }).first()).toHaveValue('')
  await expect(page.getByRole('button', { name: 'Remove secret' })).toHaveCount(0)
}

for (const vendor of VENDOR_PAGES) {
  const { key, name, outsider, inside } = vendor
  test(`${name}: set up, scanned, refused, linked, logged in, silent inside, unlinked`, async ({
    page,
    server,
    browser,
  }) => {
    test.setTimeout(180_000)
    const simulator = server.simulators.get(key)
    if (!simulator) throw new Error('no simulator')
    await setUp(page, vendor, simulator)

    await leave(page)
    if (outsider) {
      await (await scan(page, vendor)).getByRole('link', { name: outsider[0] }).click()
      await expect(page.getByText(outsider[1]).first()).toBeVisible()
      await leave(page)
    }
    await (await scan(page, vendor)).getByRole('link', { name: '李雷' }).click()
    await page.getByRole('link', { name: 'Log in and link' }).click()
    await fillIn(page, `at-${key.toLowerCase()}`)
    await page.getByRole('dialog').getByRole('button', { name: /Link/ }).click()
    await expect(page.getByText(`${name} is linked.`)).toBeVisible()
    // No button opened the question.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

    await leave(page)
    await (await scan(page, vendor)).getByRole('link', { name: '李雷' }).click()
    await page.waitForURL('**/auth_web/my-apps')
    if (inside !== null) await expectSilent(browser, server.url, inside)

    await page.goto('/auth_web/account-security/third-party-account')
    await page.getByRole('button', { name: `Unlink ${name}` }).click()
    await page.getByRole('dialog').locator('input[type=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog', { name: /^Unlink/ })
      .getByRole('button', { name: 'Unlink' })
      .click()
    await expect(page.getByText('Unbind successfully')).toBeVisible()
    await leave(page)
    await (await scan(page, vendor)).getByRole('link', { name: '李雷' }).click()
    await expect(page.getByRole('link', { name: 'Log in and link' })).toBeVisible()
    await removeSecret(page, vendor)
  })
}
