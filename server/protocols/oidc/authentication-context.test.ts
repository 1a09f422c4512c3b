import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, postLogin } from '../../testing/people.ts'
import { addClient, authorize, obtainTokens, returned } from '../../testing/relying-party.ts'
import { reauthenticate, setUpApp, submitPassword, submitSecondFactor, totpCode } from '../../testing/second-factors.ts'
import { testServer } from '../../testing/server.ts'
import { enterPortal } from '../../testing/sign-in.ts'

test('an ID token says by which means the person logged in, and whether by two', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei' })
  const client = await addClient(server, { appId: 'lms' })
  const page = await enterPortal(server, 'lilei')
  const claimsOf = async (browser: typeof page.browser) =>
    decodeJwt((await obtainTokens(browser, client)).id_token ?? '')
  const claims = { id_token: { acr: null, amr: null } }
  const askingFor = async (browser: typeof page.browser) => {
    const { id_token } = await obtainTokens(browser, client, { acr_values: '2 1', claims: JSON.stringify(claims) })
    return decodeJwt(id_token ?? '')
  }
  expect(await askingFor(page.browser)).toMatchObject({ acr: '1', amr: ['pwd'] })
  expect(await claimsOf(page.browser)).not.toHaveProperty('amr')

  await reauthenticate(page)
  const { secret } = await setUpApp(server, page)
  const browser = createBrowser(server)
  await submitPassword(browser, 'lilei')
  await submitSecondFactor(browser, { code: totpCode(server, secret) })
  expect(await askingFor(browser)).toMatchObject({ acr: '2', amr: ['pwd', 'otp', 'mfa'] })
})

test.each([{ value: '2' }, { values: ['2', '3'] }])(
  'an application that requires two factors learns that there is one, instead of asking for the password forever: %o',
  async (wanted) => {
    const server = await testServer()
    await addPerson(server, { account: 'lilei' })
    const client = await addClient(server, { appId: 'lms' })
    const { browser } = await enterPortal(server, 'lilei')
    const claims = JSON.stringify({ id_token: { acr: { essential: true, ...wanted } } })
    const asked = new URL((await authorize(browser, client, { claims })).location)
    expect(asked.pathname).toBe('/auth_web/login')
    server.advance(1)
    const service = asked.searchParams.get('service') ?? ''
    const { location } = await postLogin(browser, { username: 'lilei' }, { service, renew: 'true' })
    const answer = await browser.get(location)
    expect(returned(answer)).toMatchObject({ error: 'unmet_authentication_requirements' })
    const silent = await authorize(browser, client, { claims, prompt: 'none' })
    expect(returned(silent)).toMatchObject({ error: 'login_required' })
  },
)
