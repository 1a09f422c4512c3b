import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { casLogin, casLoginNotice } from '#shared/contract/cas-login.ts'
import { parseOwnAddress } from '#shared/rules/redirect-target.ts'
import { browserIdOf, issueExchangeCode } from '../../features/sessions/index.ts'
import { type Api, type Exchange, REPLY_SENT } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { LOGIN_PATH, renderNotice } from './pages.render.ts'
import { text, toHeaderUrl } from './parameters.rules.ts'
import { validateTicket } from './validate.service.ts'

/** Step 4 of logging in: the portal is a CAS service of its own server. */
export function mountPortalCallback(api: Api): void {
  api.mount(casLogin, async (ctx, _input, exchange) => {
    await handleCallback(ctx, exchange)
    return REPLY_SENT
  })
  api.mount(casLoginNotice, async () => null)
}

/** Marks a second attempt, so that a browser that can't keep a login is told so instead of being redirected in a loop. */
const RETRY_PARAMETER = 'again'

async function handleCallback(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const service = ctx.config.publicUrl + withoutParameters(request.url, ['ticket'])
  const browser = browserIdOf(ctx.config, request)
  const ticket = text(request.query, 'ticket')
  const result =
    ticket === null || browser === null
      ? null
      : await validateTicket(ctx, { ticket, service, renew: false, pgtUrl: null, proxies: false }, browser)
  if (!result || 'failed' in result || browser === null) return restartLogin(ctx, exchange)
  const { session } = result
  const code = await issueExchangeCode(ctx, {
    ssoSessionId: session.id,
    userId: session.userId,
    limited: session.limited,
    browser,
  })
  return reply.redirect(toHeaderUrl(withExchangeCode(returnUrl(ctx, exchange), code)), 302)
}

const CasParameter = z.object({ redirectUrl: z.string() })

/** Where the person wanted to go, if that is a page of ours; else the home page. */
function returnUrl(ctx: Context, { request }: Exchange): string {
  const home = `${ctx.config.publicUrl}/auth_web/`
  try {
    const { redirectUrl } = CasParameter.parse(JSON.parse(text(request.query, 'casParameter') ?? '{}'))
    return parseOwnAddress(redirectUrl, home) ?? home
  } catch {
    return home
  }
}

/** A URL without these parameters and otherwise unchanged: a ticket matches only the same order and spelling. */
function withoutParameters(address: string, names: readonly string[]): string {
  const [path = '', ...rest] = address.split('?')
  const query = rest.join('?')
  const kept = query.split('&').filter((pair) => !names.includes(pair.split('=', 1)[0] ?? ''))
  return kept.join('&') === '' ? path : `${path}?${kept.join('&')}`
}

function withExchangeCode(address: string, code: string): string {
  const [beforeFragment = '', ...fragment] = address.split('#')
  const clean = withoutParameters(beforeFragment, ['ticket', 'jsessionid'])
  const joined = `${clean}${clean.includes('?') ? '&' : '?'}jsessionid=${code}`
  return fragment.length > 0 ? `${joined}#${fragment.join('#')}` : joined
}

/** A used, expired or foreign ticket, or none: through the login once more, which asks nothing while the session lasts. */
function restartLogin(ctx: Context, exchange: Exchange): FastifyReply | Promise<FastifyReply> {
  const { request, reply } = exchange
  if (text(request.query, RETRY_PARAMETER) !== null) {
    return renderNotice(ctx, exchange, {
      name: 'refused',
      error: { code: 'session.hand-over-invalid', params: {} },
      status: 401,
      actions: [{ text: { key: 'notice.to-login' }, href: '/auth_web/', primary: true }],
    })
  }
  const parameter = encodeURIComponent(JSON.stringify({ redirectUrl: returnUrl(ctx, exchange) }))
  const service = `${ctx.config.publicUrl}/auth_service/cas/login/?casParameter=${parameter}&${RETRY_PARAMETER}=1`
  return reply.redirect(`${ctx.config.publicUrl}${LOGIN_PATH}?service=${encodeURIComponent(service)}`, 302)
}
