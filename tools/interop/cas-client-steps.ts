import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, createBrowser } from './browser.ts'
import { type CasClientRun, type CasClients, hasJavaClient } from './cas-clients.ts'
import { ACCOUNT } from './content.ts'
import { isLoginPage, logIn, type Step, until } from './step.ts'

/** Logs out of an application by a click in it, and expects the sign-on session to have ended. */
async function logOut(browser: Browser, out: string, cas: string, referer?: string): Promise<void> {
  const page = await browser.open(out, { click: true, referer })
  assert.ok(!page.text.includes('Log out everywhere?'), 'the log-out was asked about')
  const again = await browser.open(`${cas}/login`)
  assert.ok(isLoginPage(again.url), `still logged in: ${page.hops.join(' ')}`)
}

/** CAS clients as separate applications: log in, see the person, log out. */
export function casClientSteps(places: CasClients, { cas, ca, folder }: CasClientRun, step: Step): void {
  step('django-casclient: a login by p3/proxyValidate with attributes, and a log-out without Referer', async () => {
    const browser = createBrowser()
    const site = places['django-casclient']
    const seen = JSON.parse((await logIn(browser, `${site}/`)).text)
    assert.equal(seen.user, ACCOUNT)
    assert.deepEqual([seen.attributes.name, seen.attributes.tier], ['李雷', 'gold'])
    await logOut(browser, `${site}/accounts/logout/?next=/`, cas)
    assert.ok(isLoginPage((await browser.open(`${site}/`)).url))
  })
  step('SimpleSAMLphp, module cas: a login by serviceValidate with attributes, and a log-out', async () => {
    const browser = createBrowser()
    const seen = JSON.parse((await logIn(browser, `${places.simplesamlphp}/`)).text)
    assert.deepEqual(seen, { uid: [ACCOUNT], name: ['李雷'], mailbox: ['lilei@example.edu'], tier: ['gold'] })
    // It sends no service, so its Referer has to identify it.
    await logOut(browser, `${places.simplesamlphp}/?logout=1`, cas, `${places.simplesamlphp}/`)
  })
  step('LemonLDAP::NG as a client: a login by serviceValidate with attributes', async () => {
    const browser = createBrowser()
    const page = await logIn(browser, `${places.lemonldap}/`)
    assert.match(page.text, new RegExp(ACCOUNT))
    const sessions = join(folder, 'lemonldap', 'sessions')
    const kept = readdirSync(sessions).map((name) => readFileSync(join(sessions, name), 'utf8'))
    assert.ok(
      kept.some(
        (session) => session.includes(ACCOUNT) && session.includes('李雷') && session.includes('lilei@example.edu'),
      ),
      `no session with attributes: ${kept.join('\n')}`,
    )
  })
  step(
    'Authen::CAS::Client of Perl: protocol 1.0 byte by byte, a ticket that is good and one that is not',
    async () => {
      const service = `${places.perl}/`
      const { url } = await logIn(createBrowser(), `${cas}/login?service=${encodeURIComponent(service)}`, service)
      const ticket = new URL(url).searchParams.get('ticket') ?? ''
      const program = `use Authen::CAS::Client; my ($cas, @asked) = @ARGV; my $client = Authen::CAS::Client->new($cas);
for (1, 2) { my $r = $client->validate(@asked); print $r->is_success ? $r->user : $r->is_failure ? 'refused' : 'error', "\\n" }`
      const env = { ...process.env, PERL_LWP_SSL_CA_FILE: ca }
      const said = execFileSync('/usr/bin/perl', ['-e', program, cas, service, ticket], { env, encoding: 'utf8' })
      assert.equal(said, `${ACCOUNT}\nrefused\n`)
    },
  )
  if (hasJavaClient()) javaSteps(places, cas, step)
  else console.log('skipped: the Java client, for whose jars CAS_CLIENT_JARS names no folder')
}

function javaSteps(places: CasClients, cas: string, step: Step): void {
  const ways = { 'java-cas30': 'its CAS 3.0 filters', 'java-saml11': 'its SAML 1.1 filters' } as const
  for (const [name, filters] of Object.entries(ways)) {
    step(`Java client: a login through ${filters} with attributes, and single logout`, async () => {
      const browser = createBrowser()
      const site = `${places[name as keyof typeof ways]}/`
      const { text } = await logIn(browser, `${site}desk?id=7`)
      assert.deepEqual(text.split('\n', 1), [ACCOUNT])
      for (const line of ['name=李雷', 'mailbox=lilei@example.edu', 'tier=gold']) assert.ok(text.includes(line), text)
      await logOut(browser, `${cas}/logout?service=${encodeURIComponent(site)}`, cas)
      await until('the back-channel message', async () => isLoginPage((await browser.open(site)).url))
    })
  }
}
