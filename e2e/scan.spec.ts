import type { Page } from '@playwright/test'
import { freePort } from '../server/testing/free-port.ts'
import { type Simulator, startSimulator, VENDORS } from '../tools/simulators/index.ts'
import { violations } from './axe.ts'
import { expect, PASSWORD, testWithServer } from './fixtures.ts'
import { startGatehouse } from './gatehouse.ts'

type Key = 'qywx' | 'dingding' | 'weChat' | 'qq'
const NAMES: Record<Key, string> = { qywx: 'WeCom', dingding: 'DingTalk', weChat: 'WeChat', qq: 'QQ' }
const KEYS = Object.keys(NAMES) as Key[]

type School = { url: string; simulators: Map<Key, Simulator>; stop(): Promise<void> }

/** A school that shows the QR codes of four vendors first. They are on another site, for realistic cookies. */
async function openSchool(): Promise<School> {
  const ports = new Map<Key, number>()
  for (const key of KEYS) ports.set(key, await freePort())
  const elsewhere = (key: Key) => `http://localhost:${ports.get(key)}`
  const thirdPartyProviders = KEYS.map((key) => {
    const settings = VENDORS[key].settings(elsewhere(key))
    return { key, connector: key, name: NAMES[key], unbound: 'refuse', settings }
  })
  const users = [{ account: 'lilei', name: 'Li Lei', password: PASSWORD }]
  const settings = { loginPage: { qrFirst: true } }
  const gatehouse = await startGatehouse({ bootstrap: { users, settings, thirdPartyProviders } })
  const simulators = new Map<Key, Simulator>()
  for (const [key, port] of ports) {
    simulators.set(key, await startSimulator(VENDORS[key], { trustedOrigin: gatehouse.url, port }))
  }
  const identities: [Key, string, string][] = [
    ['qywx', 'ww1234567890abcdef', 'lilei'],
    ['dingding', 'ding1234567890', 'union-LiLei'],
    ['weChat', 'unionid', 'union-LiLei'],
    ['qq', 'unionid', 'union-LiLei'],
  ]
  for (const [key, realm, subject] of identities) {
    await gatehouse.sql`
      insert into third_party_accounts (id, user_id, provider_id, realm, subject, bound_at)
      select gen_random_uuid(), users.id, provider.id, ${realm}, ${subject}, now()
      from users, third_party_providers provider where users.account = 'lilei' and provider.key = ${key}`
  }
  const stop = async () => {
    await gatehouse.stop()
    for (const simulator of simulators.values()) await simulator.close()
  }
  return { url: gatehouse.url, simulators, stop }
}

const test = testWithServer('scan', openSchool)
test.describe.configure({ mode: 'default' })

const frameOf = (page: Page, key: Key) => page.frameLocator(`iframe[title="QR code of ${NAMES[key]}"]`)

async function choose(page: Page, key: Key): Promise<void> {
  await page.getByRole('region', { name: 'Scan a QR code here' }).getByRole('button', { name: NAMES[key] }).click()
}

for (const key of KEYS) {
  test(`${NAMES[key]}: scanning the QR code on the login page logs in`, async ({ page }) => {
    await page.goto('/auth_web/')
    await choose(page, key)
    await expect(frameOf(page, key).getByRole('link', { name: '李雷' })).toBeVisible()
    expect(await page.locator('iframe').boundingBox()).toMatchObject({ width: 300, height: 400 })
    await frameOf(page, key).getByRole('link', { name: '李雷' }).click()
    await page.waitForURL('**/auth_web/my-apps')
  })
}

test('a QR code is renewed automatically with another state, and the new one logs in', async ({ page }) => {
  await page.clock.install()
  await page.goto('/auth_web/')
  const source = () => page.locator('iframe').getAttribute('src')
  await expect(frameOf(page, 'qywx').getByRole('link', { name: '李雷' })).toBeVisible()
  const first = await source()
  await page.clock.fastForward('04:01')
  await expect.poll(source).not.toBe(first)
  await frameOf(page, 'qywx').getByRole('link', { name: '李雷' }).click()
  await page.waitForURL('**/auth_web/my-apps')
})

test('messages from other windows and origins are ignored', async ({ page, server }) => {
  await page.goto('/auth_web/')
  await expect(frameOf(page, 'qywx').getByRole('link', { name: '李雷' })).toBeVisible()
  const src = new URL((await page.locator('iframe').getAttribute('src')) ?? '')
  const back = `${src.searchParams.get('redirect_uri')}?code=x&state=${src.searchParams.get('state')}`
  // Correct in all but the sending window.
  await page.evaluate((address) => window.postMessage(address, '*'), back)
  const wecom = page.frames().find((frame) => frame.url().startsWith(src.origin))
  // From the right window, but with a wrong callback or state.
  for (const address of [`${server.url}/fwk_cas_service/logout`, `${back}0`, 'javascript:document.title=1']) {
    await wecom?.evaluate((text) => parent.postMessage(text, '*'), address)
  }
  await page.waitForTimeout(300)
  await expect(page).toHaveURL(/\/auth_web\/login/)
  await expect(frameOf(page, 'qywx').getByRole('link', { name: '李雷' })).toBeVisible()
})

test('the frame is accessible and fits a phone, light and dark', async ({ page }) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/auth_web/')
    await expect(frameOf(page, 'qywx').getByRole('link', { name: '李雷' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(await violations(page)).toEqual([])
  }
})

test('an unavailable vendor does not affect other login methods', async ({ page, server }) => {
  await server.simulators.get('qywx')?.close()
  await page.goto('/auth_web/')
  await page.locator('input[name=username]').fill('lilei')
  await page.locator('input[name=password]').fill(PASSWORD)
  await expect(page.getByRole('button', { name: 'Load the code again' })).toBeVisible()
  await choose(page, 'weChat')
  await expect(frameOf(page, 'weChat').getByRole('link', { name: '李雷' })).toBeVisible()
  await page.locator('form button[type=submit]').first().click()
  await page.waitForURL('**/auth_web/my-apps')
})
