import assert from 'node:assert/strict'
import { startAuthlib } from './authlib.ts'
import { createBrowser } from './browser.ts'
import { ACCOUNT, AUTHLIB_CALLBACK } from './content.ts'
import type { Ports } from './ports.types.ts'
import { isLoginPage, logIn, type Step, until } from './step.ts'

/** mod_auth_openidc and Authlib on the session shared with CAS applications. */
export function oidcSteps(ports: Ports, ca: string, step: Step): void {
  const browser = createBrowser()
  const openidc = `https://localhost:${ports.modAuthOpenidc}/`
  const issuer = `https://localhost:${ports.sso}/fwk_cas_service/oidc`

  step('mod_auth_openidc: discovery, code flow with PKCE, claims in the application', async () => {
    const page = await logIn(browser, openidc)
    const seen = JSON.parse(page.text)
    assert.match(seen.user, new RegExp(`^${ACCOUNT}\\b`))
    assert.equal(seen.attributes.name, '李雷')
    assert.equal(seen.attributes.email, 'lilei@example.edu')
  })
  step('a CAS application opens on the same session without a prompt', async () => {
    const page = await browser.open(`https://localhost:${ports.phpCas}/`)
    assert.equal(JSON.parse(page.text).user, ACCOUNT)
  })
  step('Authlib: code flow with PKCE on the session, verified ID token, userinfo, refresh', async () => {
    const client = startAuthlib(issuer, ca)
    const { url } = await client.say({ step: 'begin' })
    const back = await browser.open(String(url), { stopBefore: AUTHLIB_CALLBACK })
    assert.ok(back.url.startsWith(AUTHLIB_CALLBACK), `expected the call-back, got ${back.url}`)
    const { claims, userinfo, refreshed } = await client.say({ step: 'finish', url: back.url })
    client.end()
    assert.equal(claims.iss, issuer)
    assert.equal(claims.sub, userinfo.sub)
    assert.equal(userinfo.name, '李雷')
    assert.equal(refreshed, true)
  })
  step('mod_auth_openidc: its log-out ends the one session, for CAS too', async () => {
    await browser.open(`${openidc}redirect_uri?logout=${encodeURIComponent(openidc)}`)
    await until('single logout at phpCAS', async () =>
      isLoginPage((await browser.open(`https://localhost:${ports.phpCas}/`)).url),
    )
    assert.ok(isLoginPage((await browser.open(openidc)).url))
  })
  step('mod_auth_openidc: a log-out elsewhere reaches it by back-channel logout', async () => {
    await logIn(browser, openidc)
    await browser.open(`https://localhost:${ports.sso}/fwk_cas_service/logout`)
    await until('the logout token', async () => isLoginPage((await browser.open(openidc)).url))
  })
}
