import assert from 'node:assert/strict'
import { createBrowser } from './browser.ts'
import type { Ports } from './ports.types.ts'
import { isLoginPage, logIn, type Step, until } from './step.ts'

/** mod_auth_cas and phpCAS: log in once, enter the second, log out everywhere. */
export function casSteps(ports: Ports, step: Step): void {
  const browser = createBrowser()
  const apache = `https://localhost:${ports.modAuthCas}/`
  const php = `https://localhost:${ports.phpCas}/`

  step('mod_auth_cas: a login leads into the application with user and attributes', async () => {
    const page = await logIn(browser, apache)
    const seen = JSON.parse(page.text)
    assert.equal(seen.user, '20260001')
    assert.equal(seen.attributes.tier, 'gold')
    assert.equal(seen.attributes.name, '李雷')
  })
  step('phpCAS: the second application opens without a prompt, attributes intact', async () => {
    const page = await browser.open(php)
    assert.ok(!page.hops.some(isLoginPage), 'no login page on the way')
    const seen = JSON.parse(page.text)
    assert.equal(seen.user, '20260001')
    assert.deepEqual([seen.attributes.name, seen.attributes.mailbox], ['李雷', 'lilei@example.edu'])
    assert.equal(seen.attributes.organization, '计算机 <Science> & "Arts"')
  })
  step('both applications keep their own session afterwards', async () => {
    assert.equal(JSON.parse((await browser.open(apache)).text).user, '20260001')
    assert.equal(JSON.parse((await browser.open(php)).text).user, '20260001')
  })
  step('phpCAS: its log-out ends the sign-on session and returns to the registered address', async () => {
    const page = await browser.open(`${php}?logout=1`)
    assert.ok(isLoginPage(page.url), `back at the application, which asks for a login: ${page.url}`)
  })
  step('mod_auth_cas: single logout ended its session too', async () => {
    await until('the back-channel message', async () => isLoginPage((await browser.open(apache)).url))
  })
  step('phpCAS: a log-out elsewhere ends its session by the back channel', async () => {
    await logIn(browser, php)
    await browser.open(apache)
    await browser.open(`https://localhost:${ports.sso}/fwk_cas_service/logout`)
    await until('the back-channel message', async () => isLoginPage((await browser.open(php)).url))
  })
}
