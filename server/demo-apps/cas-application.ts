import { readFileSync } from 'node:fs'
import type { Platform } from '../platform/platform.ts'
import { projectFile } from '../platform/project-files.ts'
import { cookie, cookieName, frameOf, message, redirect, row } from './application-pages.ts'
import { type CasClient, readLogoutRequest } from './cas-client.ts'
import { pageAnswer } from './demo-page.ts'
import type { Answer, DemoApplicationHandler, Visit } from './demo-server.ts'
import { html } from './html.ts'
import { createVisitorSessions, type Visitor, type VisitorSessions } from './visitor-sessions.ts'

type CasApplication = {
  platform: Platform
  appId: string
  /** Its home, which is also the service it logs in for; ends with a slash. */
  home(): string
  cas: CasClient
  sessions: VisitorSessions
  icon: Buffer
}

/** A demo application that signs people in by CAS 3.0, shows the attributes it received, and obeys single logout. */
export function createCasApplication(
  platform: Platform,
  appId: string,
  home: () => string,
  cas: CasClient,
): DemoApplicationHandler {
  const icon = readFileSync(projectFile(`web/public/icons/${appId}.svg`))
  const sessions = createVisitorSessions(platform.now)
  const application = { platform, appId, home, cas, sessions, icon }
  return (visit) => answer(application, visit)
}

async function answer(application: CasApplication, visit: Visit): Promise<Answer> {
  const { method, path } = visit
  if (method === 'POST' && path === 'log-out') return logOut(application, visit)
  if (method === 'POST') return backChannelLogout(application, visit)
  if (method !== 'GET') return { status: 405, headers: { allow: 'GET, POST' }, body: '405' }
  if (path === 'icon.svg') return { status: 200, headers: { 'content-type': 'image/svg+xml' }, body: application.icon }
  if (path === 'goodbye') return goodbye(application, visit)
  if (path !== '') return { status: 404, body: '404' }
  const ticket = visit.query.get('ticket')
  if (ticket) return signIn(application, visit, ticket)
  const visitor = application.sessions.find(visit.cookies.get(cookieName(application.appId)))
  return visitor ? home(application, visit, visitor) : redirect(application.cas.loginUrl(application.home()))
}

async function signIn(application: CasApplication, visit: Visit, ticket: string): Promise<Answer> {
  const { cas, sessions, platform } = application
  const validation = await cas.validate(application.home(), ticket).catch((err: unknown) => {
    platform.log.warn({ err, appId: application.appId }, 'a demo application could not validate its ticket')
    return null
  })
  if (!validation) return failed(application, visit)
  const value = sessions.open({ ...validation, ticket })
  // Without the ticket: it is used and must not be in the browser history.
  return redirect(application.home(), { 'set-cookie': cookie(application, value, 8 * 3600) })
}

function logOut(application: CasApplication, visit: Visit): Answer {
  if (visit.crossSite) return { status: 403, body: '403' }
  application.sessions.close(visit.cookies.get(cookieName(application.appId)))
  const location = application.cas.logoutUrl(`${application.home()}goodbye`)
  return redirect(location, { 'set-cookie': cookie(application, '', 0) })
}

async function backChannelLogout(application: CasApplication, visit: Visit): Promise<Answer> {
  const ticket = readLogoutRequest((await visit.form()).get('logoutRequest') ?? '')
  if (ticket === null) return { status: 400, body: '400' }
  application.sessions.closeByTicket(ticket)
  return { status: 200, body: 'OK' }
}

/** CAS attributes about the login itself. */
const ABOUT_LOGIN = new Set(['authenticationDate', 'longTermAuthenticationRequestTokenUsed', 'isFromNewLogin'])

function home(application: CasApplication, visit: Visit, visitor: Visitor): Answer {
  const frame = frameOf(application, visit)
  const { t } = frame
  const rows = [...visitor.attributes]
    .filter(([name]) => !ABOUT_LOGIN.has(name))
    .map(([name, values]) => row(t, name, values))
  const isNew = visitor.attributes.get('isFromNewLogin')?.[0] === 'true'
  const person = visitor.attributes.get('name')?.[0] ?? visitor.user
  return pageAnswer(
    frame,
    200,
    html`<h1>${t('demo.hello', { name: person })}</h1>
<p class="muted">${t(isNew ? 'demo.new-login' : 'demo.single-sign-on')}</p>
<section class="card"><h2>${t('demo.told')}</h2>
<dl><dt>${t('demo.user')} <code>user</code></dt><dd>${visitor.user}</dd>${rows}</dl></section>
<form class="card" method="post" action="/${application.appId}/log-out"><p>${t('demo.log-out-text')}</p><button class="button">${t('demo.log-out')}</button></form>`,
  )
}

const goodbye = (application: CasApplication, visit: Visit): Answer =>
  message(frameOf(application, visit), 200, 'goodbye', application.home())

const failed = (application: CasApplication, visit: Visit): Answer =>
  message(frameOf(application, visit), 403, 'failed', application.home())
