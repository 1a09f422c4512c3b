import { describe, expect, test } from 'vitest'
import type { Browser } from '../../testing/browser.ts'
import { addPerson, logIn } from '../../testing/people.ts'
import {
  addClient,
  authorize,
  introspect,
  obtainTokens,
  redeem,
  refresh,
  returned,
  userinfo,
} from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

async function strangersApplication(server: TestServer) {
  await addPerson(server, { account: 'lilei', name: 'Li Lei', phone: '13800000001' })
  const client = await addClient(server, { appId: 'survey', name: 'Survey', consent: 'explicit' })
  return { client, browser: await logIn(server, 'lilei') }
}

async function answer(browser: Browser, page: string, value: string) {
  const path = new URL(page).pathname
  const answered = await browser.post(path, { answer: value }, { 'sec-fetch-site': 'same-origin' })
  return browser.get(answered.location)
}

describe('consent', () => {
  test('is asked once, in plain words, and remembered', async () => {
    const server = await testServer()
    const { client, browser } = await strangersApplication(server)
    const asked = await authorize(browser, client, { scope: 'openid phone' })
    expect(asked.location).toContain('/fwk_cas_service/oidc/consent/')
    const page = await browser.get(asked.location)
    expect(page.text).toContain('<li>your phone number</li>')
    expect(page.text).toContain('Survey')
    const back = await answer(browser, asked.location, 'allow')
    expect((await redeem(client, returned(back)['code'])).status).toBe(200)
    const tokens = await obtainTokens(browser, client, { scope: 'openid phone' })
    expect((await userinfo(server, tokens.access_token)).body).toHaveProperty('phone_number')
    const more = await authorize(browser, client, { scope: 'openid phone profile' })
    expect(more.location).toContain('/consent/')
  })

  test('names what an application gets by a list of its own, and is asked again when the list grows', async () => {
    const server = await testServer()
    await addPerson(server, { account: 'lilei' })
    const client = await addClient(server, { appId: 'survey', consent: 'explicit', attributes: ['name'] })
    const browser = await logIn(server, 'lilei')
    const asked = await authorize(browser, client, { scope: 'openid phone' })
    const page = (await browser.get(asked.location)).text
    expect(page).toContain('<li>your name</li>')
    expect(page).not.toContain('<li>your phone number</li>')
    await answer(browser, asked.location, 'allow')
    expect(returned(await authorize(browser, client, { scope: 'openid phone' }))).toHaveProperty('code')
    await addClient(server, { appId: 'survey', consent: 'explicit', attributes: ['name', 'birthday'] })
    expect((await authorize(browser, client, { scope: 'openid phone' })).location).toContain('/consent/')
  })

  test('that is refused tells the application so, and nothing else', async () => {
    const server = await testServer()
    const { client, browser } = await strangersApplication(server)
    const asked = await authorize(browser, client)
    const back = await answer(browser, asked.location, 'deny')
    expect(returned(back)).toMatchObject({ error: 'access_denied', state: 'state-of-the-application' })
    expect(returned(await authorize(browser, client, { prompt: 'none' }))['error']).toBe('consent_required')
  })

  test('that is withdrawn ends what the application holds at once, on every node', async () => {
    const server = await testServer()
    const second = await server.secondNode()
    const { client, browser } = await strangersApplication(server)
    const asked = await authorize(browser, client)
    const back = await answer(browser, asked.location, 'allow')
    const { body: tokens } = await redeem(client, returned(back)['code'])
    await server.platform.sql`delete from consents`
    const elsewhere = { ...client, server: second }
    expect((await userinfo(second, tokens.access_token)).status).toBe(401)
    expect((await introspect(elsewhere, tokens.access_token)).body).toEqual({ active: false })
    expect((await refresh(elsewhere, tokens.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('can be given neither by another site nor in another session', async () => {
    const server = await testServer()
    const { client, browser } = await strangersApplication(server)
    await addPerson(server, { account: 'hanmei' })
    const other = await logIn(server, 'hanmei')
    const path = new URL((await authorize(browser, client)).location).pathname
    const evil = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    expect((await browser.post(path, { answer: 'allow' }, evil)).status).toBe(403)
    await other.post(path, { answer: 'allow' })
    expect(await server.platform.sql`select from consents`).toHaveLength(0)
  })

  test('prompt=consent asks for it even where nobody has to be asked', async () => {
    const server = await testServer()
    await addPerson(server, { account: 'lilei' })
    const client = await addClient(server, { appId: 'lms' })
    const browser = await logIn(server, 'lilei')
    const asked = await authorize(browser, client, { prompt: 'consent' })
    const back = await answer(browser, asked.location, 'allow')
    expect((await redeem(client, returned(back)['code'])).status).toBe(200)
  })
})
