import { readFileSync } from 'node:fs'
import { randomToken } from '../platform/crypto.ts'
import type { Platform } from '../platform/platform.ts'
import { projectFile } from '../platform/project-files.ts'
import { cookie, cookieName, frameOf, message, redirect, row } from './application-pages.ts'
import { pageAnswer } from './demo-page.ts'
import type { Answer, DemoApplicationHandler, Visit } from './demo-server.ts'
import { html } from './html.ts'
import type { Login, OpenIdParty, Started } from './openid-party.ts'

const MAX_KEPT = 5000
const APP_ID = 'learning'

type Learning = {
  platform: Platform
  appId: string
  home(): string
  party: OpenIdParty
  icon: Buffer
  /** Logins by the value of the session cookie: after a restart everybody signs in again, without noticing. */
  logins: Map<string, Login>
  started: Map<string, Started>
}

/** The demo application that uses OpenID Connect: code flow with PKCE, refresh, and logout in both directions. */
export function createLearning(platform: Platform, home: () => string, party: OpenIdParty): DemoApplicationHandler {
  const icon = readFileSync(projectFile(`web/public/icons/${APP_ID}.svg`))
  const learning = { platform, appId: APP_ID, home, party, icon, logins: new Map(), started: new Map() }
  return (visit) => answer(learning, visit)
}

async function answer(learning: Learning, visit: Visit): Promise<Answer> {
  const { method, path } = visit
  if (method === 'POST' && path === 'log-out') return logOut(learning, visit)
  if (method === 'POST' && path === 'backchannel') return backChannelLogout(learning, visit)
  if (method !== 'GET') return { status: 405, headers: { allow: 'GET, POST' }, body: '405' }
  if (path === 'icon.svg') return { status: 200, headers: { 'content-type': 'image/svg+xml' }, body: learning.icon }
  if (path === 'goodbye') return message(frameOf(learning, visit), 200, 'goodbye', learning.home())
  if (path === 'callback') return finish(learning, visit)
  if (path !== '') return { status: 404, body: '404' }
  return home(learning, visit)
}

const cookieOf = ({ appId }: Learning, visit: Visit): string => visit.cookies.get(cookieName(appId)) ?? ''

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size >= MAX_KEPT) map.delete(map.keys().next().value ?? '')
  map.set(key, value)
}

async function toPortal(learning: Learning): Promise<Answer> {
  const { address, started } = await learning.party.start(learning.home())
  const value = randomToken(32)
  keep(learning.started, value, started)
  return redirect(address, { 'set-cookie': cookie(learning, value, 3600) })
}

async function finish(learning: Learning, visit: Visit): Promise<Answer> {
  const before = cookieOf(learning, visit)
  const started = learning.started.get(before)
  learning.started.delete(before)
  try {
    if (!started) throw new Error('this browser started no login')
    const login = await learning.party.finish(learning.home(), visit.query, started)
    const value = randomToken(32)
    keep(learning.logins, value, login)
    return redirect(learning.home(), { 'set-cookie': cookie(learning, value, 8 * 3600) })
  } catch (err) {
    learning.platform.log.warn({ err, appId: APP_ID }, 'a demo application could not finish a login')
    return message(frameOf(learning, visit), 403, 'failed', learning.home())
  }
}

async function home(learning: Learning, visit: Visit): Promise<Answer> {
  const value = cookieOf(learning, visit)
  const known = learning.logins.get(value)
  if (!known) return toPortal(learning)
  try {
    const login = known.until > learning.platform.now().getTime() ? known : await learning.party.refresh(known)
    learning.logins.set(value, login)
    return page(learning, visit, await learning.party.claims(login))
  } catch {
    // Ended at the portal, which decides what happens next.
    learning.logins.delete(value)
    return toPortal(learning)
  }
}

async function logOut(learning: Learning, visit: Visit): Promise<Answer> {
  if (visit.crossSite) return { status: 403, body: '403' }
  const value = cookieOf(learning, visit)
  const login = learning.logins.get(value)
  learning.logins.delete(value)
  const gone = { 'set-cookie': cookie(learning, '', 0) }
  if (!login) return redirect(`${learning.home()}goodbye`, gone)
  return redirect(await learning.party.logOutAddress(learning.home(), login.idToken), gone)
}

async function backChannelLogout(learning: Learning, visit: Visit): Promise<Answer> {
  const token = (await visit.form()).get('logout_token') ?? ''
  const sid = await learning.party.endedSession(token).catch(() => null)
  if (sid === null) return { status: 400, body: '400' }
  for (const [key, login] of learning.logins) if (login.sid === sid) learning.logins.delete(key)
  return { status: 200, body: 'OK' }
}

/** Standard claims with the labels of the other demo applications. */
const LABELS: Record<string, string> = { preferred_username: 'account', email: 'mailbox' }
const UNSHOWN = new Set(['sub', 'email_verified', 'phone_number_verified'])

function page(learning: Learning, visit: Visit, claims: Record<string, unknown>): Answer {
  const frame = frameOf(learning, visit)
  const { t } = frame
  const rows = Object.entries(claims)
    .filter(([name]) => !UNSHOWN.has(name))
    .map(([name, value]) => row(t, LABELS[name] ?? name, [value].flat().map(String)))
  const subject = String(claims['sub'])
  return pageAnswer(
    frame,
    200,
    html`<h1>${t('demo.hello', { name: String(claims['name'] ?? subject) })}</h1>
<p class="muted">${t('demo.learning-note')}</p>
<section class="card"><h2>${t('demo.told')}</h2>
<dl><dt>${t('demo.user')} <code>sub</code></dt><dd>${subject}</dd>${rows}</dl></section>
<form class="card" method="post" action="/${learning.appId}/log-out"><p>${t('demo.log-out-text')}</p><button class="button">${t('demo.log-out')}</button></form>`,
  )
}
