import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { languageOf } from '../../platform/http/client.ts'
import { parseInput } from '../../platform/http/responses.ts'
import type { Platform } from '../../platform/platform.ts'
import { projectFile } from '../../platform/project-files.ts'
import { saveDisplayChoices } from './display-choices.rules.ts'
import { renderLoginPage } from './login-page.render.ts'
import { DEFAULT_FAVICON, loadSwitchedSurroundings } from './page-surroundings.service.ts'
import { renderPortalHtml } from './portal-html.render.ts'
import { mountThemeSheet } from './theme-sheet.routes.ts'

/** CAS parameters that the login form passes on unchanged. */
const CAS_PARAMETERS = ['renew', 'method'] as const

const SurroundingsQuery = z.object({
  kind: z.enum([
    'login',
    'second-factor',
    'session-limit',
    'notice',
    'confirm',
    'consent',
    'device',
    'post',
    'front-logout',
    'reading',
  ]),
})

/** The pages of /auth_web: the light login page, and the portal application for every other path. */
export function mountPages(app: FastifyInstance, platform: Platform): void {
  app.get('/', (_request, reply) => reply.redirect('/auth_web/'))
  app.get(DEFAULT_FAVICON, favicon())
  app.get('/auth_web/login', async (request, reply) => {
    if (redirectToPublicUrl(platform, request, reply)) return reply
    saveDisplayChoices(platform, request, reply)
    return loginPage(platform, request, reply)
  })
  // What a language switch needs without leaving the page.
  app.get('/auth_web/login/surroundings', (request) => {
    const { kind } = parseInput(SurroundingsQuery, request.query, platform, languageOf(request))
    return loadSwitchedSurroundings(platform, kind, languageOf(request))
  })
  mountThemeSheet(app, platform)
  for (const path of ['/auth_web', '/auth_web/*']) {
    app.get(path, async (request, reply) =>
      redirectToPublicUrl(platform, request, reply) ? reply : renderPortalHtml(platform, request, reply),
    )
  }
}

/** Set while the sign-on server is asked whether a browser is logged in; its own cookie is not sent to this path. */
const LOGIN_REDIRECT_COOKIE = 'gatehouse_asked'

/** A bookmarked or reopened login page continues at once in a browser with a portal session. */
const seemsLoggedIn = ({ cookies }: FastifyRequest): boolean =>
  !cookies[LOGIN_REDIRECT_COOKIE] && Object.keys(cookies).some((name) => name.endsWith('gatehouse_portal'))

/** A service given twice matches no registration. */
const AMBIGUOUS_SERVICE = 'ambiguous:'

async function loginPage(platform: Platform, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const query = request.query as Record<string, unknown>
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : null)
  const carry = Object.fromEntries(CAS_PARAMETERS.flatMap((name) => (text(name) ? [[name, text(name) ?? '']] : [])))
  // A bookmarked login page without a service leads to the portal.
  const bare = query['service'] === undefined || query['service'] === ''
  const service = bare ? portalService(platform) : (text('service') ?? AMBIGUOUS_SERVICE)
  // HEAD changes nothing, so it would be redirected back and forth forever.
  if (seemsLoggedIn(request) && !carry['renew'] && request.method === 'GET') {
    // Once: the session may have ended, and then the browser returns here.
    reply.setCookie(LOGIN_REDIRECT_COOKIE, '1', { path: '/auth_web/login', maxAge: 5, httpOnly: true, sameSite: 'lax' })
    return reply.redirect(`/fwk_cas_service/login?${new URLSearchParams({ ...carry, service })}`)
  }
  return renderLoginPage(platform, request, reply, {
    service,
    carry,
    username: (text('login_hint') ?? '').slice(0, 256),
    type: text('loginType') ?? undefined,
  })
}

const portalService = ({ config: { publicUrl } }: Platform): string =>
  `${publicUrl}/auth_service/cas/login/?casParameter=${encodeURIComponent(JSON.stringify({ redirectUrl: `${publicUrl}/auth_web/` }))}`

/** Set while a browser is redirected to the right host: a proxy that hides the Host header must not cause a loop. */
const REDIRECTED_COOKIE = 'gatehouse_redirected'

/** Pages are served at PUBLIC_URL only, whatever host a browser used. @returns true if it was redirected there */
function redirectToPublicUrl({ config }: Platform, request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.host === new URL(config.publicUrl).host || request.cookies[REDIRECTED_COOKIE]) return false
  reply.setCookie(REDIRECTED_COOKIE, '1', { path: '/', maxAge: 10, httpOnly: true, sameSite: 'lax' })
  reply.redirect(config.publicUrl + request.url)
  return true
}

function favicon() {
  const mark = readFileSync(projectFile('web/ui/mark.svg'))
  return (_request: FastifyRequest, reply: FastifyReply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(mark)
}
