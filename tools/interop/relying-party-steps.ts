import assert from 'node:assert/strict'
import { type Browser, createBrowser, type Page } from './browser.ts'
import { ACCOUNT } from './content.ts'
import type { RelyingParties, RelyingParty } from './relying-parties.ts'
import { isLoginPage, logIn, type Step, until } from './step.ts'

/** The person's data that every application shows. */
export const PERSON = { sub: ACCOUNT, name: '李雷', email: 'lilei@example.edu' }

const json = ({ status, url, text }: Page): Record<string, unknown> => {
  assert.equal(status, 200, `${status} at ${url}: ${text.slice(0, 500)}`)
  return JSON.parse(text)
}

/** Logs out of an application, and expects both its session and the sign-on session to have ended. */
async function logOut(browser: Browser, url: string): Promise<void> {
  const page = await browser.open(`${url}/logout`)
  const place = new URL(url).origin
  assert.ok(
    page.hops.slice(1).some((hop) => hop.startsWith(place)),
    `not back at the application: ${page.hops.join(' ')}`,
  )
  const again = await browser.open(`${url}/login`)
  assert.ok(isLoginPage(again.url), `still logged in: ${again.url} ${again.text.slice(0, 200)}`)
}

/** Applications that log in at `/`, show the person there, refresh at `/refresh` and log out at `/logout`. */
const PLAIN = {
  'openid-client-5': 'openid-client 5: code flow with PKCE, userinfo, refresh, RP-initiated logout',
  'openid-client-6': 'openid-client 6: code flow with PKCE, userinfo, refresh, RP-initiated logout',
  'openid-client-6-dpop': 'openid-client 6: tokens bound to its key (DPoP), userinfo, refresh, RP-initiated logout',
  'express-openid-connect-code': 'express-openid-connect: code flow, userinfo, refresh, RP-initiated logout',
  'authlib-flask': 'Authlib for Flask: name and mail from the ID token, refresh, RP-initiated logout',
} as const

export function relyingPartySteps(places: RelyingParties, sso: string, step: Step): void {
  for (const [name, promise] of Object.entries(PLAIN)) {
    step(promise, async () => {
      const browser = createBrowser()
      const url = places[name as RelyingParty]
      assert.deepEqual(json(await logIn(browser, `${url}/`)), PERSON)
      assert.deepEqual(json(await browser.open(`${url}/refresh`)), { refreshed: true, sub: ACCOUNT })
      await logOut(browser, url)
    })
  }
  openidClientSteps(places['openid-client-6'], sso, step)
  step('express-openid-connect: a log-out elsewhere reaches it by back-channel logout', async () => {
    const browser = createBrowser()
    const url = places['express-openid-connect-code']
    await logIn(browser, `${url}/`)
    await browser.open(`${sso}/fwk_cas_service/logout`)
    await until('the logout token', async () => isLoginPage((await browser.open(`${url}/`)).url))
  })
  step('passport-openidconnect: name and mail from the ID token, RP-initiated logout', async () => {
    const browser = createBrowser()
    const url = places['passport-openidconnect']
    assert.deepEqual(json(await logIn(browser, `${url}/`)), PERSON)
    await logOut(browser, url)
  })
  step(
    '@hono/oidc-auth: every scope that discovery names, name and mail from the ID token, refresh, revocation',
    async () => {
      const browser = createBrowser()
      const url = places['hono-oidc-auth']
      assert.deepEqual(json(await logIn(browser, `${url}/`)), PERSON)
      await until('the refresh', async () => json(await browser.open(`${url}/refresh`))['refreshed'] === true)
      assert.deepEqual(json(await browser.open(`${url}/`)), PERSON)
      assert.match((await browser.open(`${url}/logout`)).text, /successfully logged out/)
      const again = await browser.open(`${url}/`)
      assert.ok(
        again.hops.some((hop) => hop.includes('/oidc/authorize')),
        'it asks for a login again',
      )
    },
  )
  authJsStep('Auth.js', places['auth-js'], '/auth', step)
  authJsStep('NextAuth.js 4', places['next-auth'], '/api/auth', step)
}

/** Features beyond login and logout. */
function openidClientSteps(url: string, sso: string, step: Step): void {
  step('openid-client 6: two refreshes at once with the same token leave it logged in', async () => {
    const browser = createBrowser()
    await logIn(browser, `${url}/`)
    for (const times of [2, 1])
      assert.deepEqual(json(await browser.open(`${url}/refresh?times=${times}`)), { refreshed: true, sub: ACCOUNT })
  })
  step('openid-client 6: finds the server by the discovery of OAuth 2.0', async () => {
    const endpoint = `${sso}/fwk_cas_service/oidc/token`
    assert.deepEqual(json(await createBrowser().open(`${url}/oauth2`)), { token_endpoint: endpoint })
  })
  step('openid-client 6: prompt=select_account asks who it shall be, though somebody is logged in', async () => {
    const browser = createBrowser()
    await logIn(browser, `${url}/`)
    const page = await browser.open(`${url}/login?prompt=select_account`)
    assert.ok(isLoginPage(page.url), `expected the login page, got ${page.url}`)
  })
  step('openid-client 6: a log-out that may not come back ends the session all the same', async () => {
    const browser = createBrowser()
    await logIn(browser, `${url}/`)
    const page = await browser.open(`${url}/logout?to=/not-registered`)
    assert.equal(new URL(page.url).origin, sso)
    assert.ok(isLoginPage((await browser.open(`${url}/`)).url), 'still logged in')
  })
}

/** Auth.js starts a login or logout only with a form of its own page. */
function authJsStep(title: string, url: string, base: string, step: Step): void {
  step(`${title}: name and mail from the ID token, refresh, RP-initiated logout`, async () => {
    const browser = createBrowser()
    const submit = async (path: string, stopBefore?: string) => {
      const { csrfToken } = json(await browser.open(`${url}${base}/csrf`))
      const form = { csrfToken: String(csrfToken), callbackUrl: `${url}${base}/session` }
      return await browser.open(`${url}${base}${path}`, { form, stopBefore })
    }
    const request = await submit('/signin/gatehouse', 'https://')
    const { user, refreshed } = json(await logIn(browser, request.url)) as { user: object; refreshed: boolean }
    assert.partialDeepStrictEqual(user, PERSON)
    assert.equal(refreshed, true)
    assert.deepEqual(json(await browser.open(`${url}/`)), PERSON)
    const end = await browser.open(`${url}/logout`)
    assert.ok(
      end.hops.some((hop) => hop === `${url}/`),
      `not back at the application: ${end.hops.join(' ')}`,
    )
    await submit('/signout')
    const again = await submit('/signin/gatehouse')
    assert.ok(isLoginPage(again.url), `still logged in: ${again.url}`)
  })
}
