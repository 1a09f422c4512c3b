import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, logIn, PASSWORD } from '../../testing/people.ts'
import {
  addClient,
  authorize,
  OIDC,
  obtainTokens,
  redeem,
  refresh,
  returned,
  userinfo,
} from '../../testing/relying-party.ts'
import { testServer } from '../../testing/server.ts'

describe('a code flow', () => {
  test('on a session gives an ID token and the claims that the scopes open', async () => {
    const server = await testServer()
    await addPerson(server, { account: 'lilei', name: 'Li Lei', mailbox: 'lilei@example.edu' })
    const client = await addClient(server, { appId: 'lms' })
    const browser = await logIn(server, 'lilei')
    const tokens = await obtainTokens(browser, client, { scope: 'openid profile email' })
    expect(decodeProtectedHeader(tokens.id_token ?? '').alg).toBe('RS256')
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ iss: `${server.url}${OIDC}`, aud: 'lms', sub: 'lilei' })
    const { body } = await userinfo(server, tokens.access_token)
    expect(body).toEqual({
      sub: 'lilei',
      name: 'Li Lei',
      preferred_username: 'lilei',
      email: 'lilei@example.edu',
      email_verified: true,
    })
  })

  test('without a session leads over the login page back to the application', async () => {
    const server = await testServer()
    await addPerson(server, { account: 'lilei' })
    const client = await addClient(server, { appId: 'lms' })
    const browser = createBrowser(server)
    const asked = await authorize(browser, client, { login_hint: 'lilei' })
    expect(asked.status).toBe(303)
    const page = await browser.get(asked.location)
    expect(page.text).toContain('value="lilei"')
    expect(page.headers.get('content-security-policy')).toContain('https://lms.test')
    const service = new URL(asked.location).searchParams.get('service') ?? ''
    const loggedIn = await browser.post(`/fwk_cas_service/login?service=${encodeURIComponent(service)}`, {
      username: 'lilei',
      password: PASSWORD,
    })
    expect(loggedIn.location).toBe(service)
    const back = await browser.get(loggedIn.location)
    expect(returned(back)).toMatchObject({ state: 'state-of-the-application', iss: `${server.url}${OIDC}` })
    expect((await redeem(client, returned(back)['code'])).status).toBe(200)
  })

  test('refreshes, and a refresh token that is used again later ends its family', async () => {
    const server = await testServer()
    await addPerson(server, { account: 'lilei' })
    const client = await addClient(server, { appId: 'lms' })
    const first = await obtainTokens(await logIn(server, 'lilei'), client)
    const second = await refresh(client, first.refresh_token)
    expect(second.status).toBe(200)
    expect((await userinfo(server, second.body.access_token)).status).toBe(200)
    server.advance(31)
    expect((await refresh(client, first.refresh_token)).body.error).toBe('invalid_grant')
    expect((await userinfo(server, second.body.access_token)).status).toBe(401)
    expect((await refresh(client, second.body.refresh_token)).body.error).toBe('invalid_grant')
  })
})
