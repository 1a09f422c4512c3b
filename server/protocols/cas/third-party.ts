import type { FastifyReply } from 'fastify'
import type { LightAction } from '#shared/contract/light-page.ts'
import { startThirdPartyLogin, thirdPartyCallback } from '#shared/contract/third-party-accounts.ts'
import { type Application, findApplicationByService } from '../../features/applications/index.ts'
import { bindBrowser, ssoSessionOf } from '../../features/sessions/index.ts'
import { acceptSignIn, recordFailure } from '../../features/sign-in/index.ts'
import { arrivalOf, beginFlow, comeBack, noteUse, offerBinding } from '../../features/third-party-accounts/index.ts'
import { providerInUse } from '../../features/third-party-providers/index.ts'
import { Refusal } from '../../platform/errors.ts'
import { isFetchedAhead } from '../../platform/http/client.ts'
import { ANSWERED, type Api, type Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { refuseService } from './login.answer.ts'
import { stepAfter } from './login.second-factor.ts'
import { arrive } from './login.ts'
import { CAS_PATH, LOGIN_PATH, renderNotice } from './pages.ts'
import { addressWith, type LoginParameters, loginParameters, text } from './parameters.ts'

/** Where a browser goes on from the callback: below the path of the sign-on cookie, which the callback does not see. */
export const THIRD_PARTY_STEP = '/third_party'
const ACCOUNT_PAGE = '/auth_web/account-security/third-party-account'
/** Where a language link of a notice leads: the address of the notice itself works once only. */
const LOGIN_PAGE = '/auth_web/login'
const LONGEST_SERVICE = 4096

/** The way to another system and back. */
export function mountThirdPartyLogin(api: Api): void {
  api.mount(startThirdPartyLogin, async (ctx, { query }, exchange) => {
    await orNotice(ctx, exchange, () => setOut(ctx, exchange, query.provider))
    return ANSWERED
  })
  api.mount(thirdPartyCallback, async (ctx, { query }, exchange) => {
    await orNotice(ctx, exchange, () => callback(ctx, exchange, query.provider))
    return ANSWERED
  })
}

const parametersOf = (service: string | null, method: LoginParameters['method']): LoginParameters => ({
  service,
  method,
  renew: false,
  gateway: false,
})

/** A person in a browser gets a page that says what went wrong, and the way back to where they were. */
async function orNotice(ctx: Context, exchange: Exchange, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refused(ctx, exchange, error, toLogin(null, 'GET'))
  }
}

const toLogin = (service: string | null, method: LoginParameters['method']): LightAction => ({
  text: { key: 'notice.to-login' },
  // Without a service the portal is meant, which asks for the login by itself.
  href: service === null ? '/auth_web/' : addressWith(LOGIN_PATH, parametersOf(service, method)),
  primary: true,
})

const toAccounts: LightAction = { text: { key: 'notice.back' }, href: ACCOUNT_PAGE, primary: true }

function refused(ctx: Context, exchange: Exchange, refusal: Refusal, back: LightAction): Promise<FastifyReply> {
  if (refusal.retryAfter !== undefined) exchange.reply.header('retry-after', String(Math.ceil(refusal.retryAfter)))
  return renderNotice(ctx, exchange, {
    name: 'refused',
    error: { code: refusal.code, params: refusal.params },
    status: refusal.status,
    actions: [back],
    self: LOGIN_PAGE,
  })
}

async function setOut(ctx: Context, exchange: Exchange, key: string): Promise<FastifyReply> {
  const { request, reply } = exchange
  const { service, method } = loginParameters(request.query)
  if (service !== null && service.length > LONGEST_SERVICE) {
    return refuseService(ctx, exchange, 'application.unknown', null)
  }
  const provider = await providerInUse(ctx, { key })
  const browser = bindBrowser(ctx.config, request, reply)
  return reply.redirect(await beginFlow(ctx, provider, browser, { kind: 'login', service, method }), 302)
}

async function callback(ctx: Context, exchange: Exchange, key: string): Promise<FastifyReply> {
  const { request, reply } = exchange
  const back = await comeBack(ctx, request, key)
  const to = (path: string) => reply.redirect(ctx.config.publicUrl + path, 302)
  if (back.kind === 'bind') return to(`${ACCOUNT_PAGE}?bind=${back.pending}`)
  if (back.kind === 'login') return to(`${CAS_PATH}${THIRD_PARTY_STEP}?proof=${back.proof}`)
  const { purpose, refusal } = back
  const action = purpose.kind === 'bind' ? toAccounts : toLogin(purpose.service, purpose.method)
  // Who says no to the other system has changed their mind, and needs no page about that.
  if (refusal.code === 'third-party.cancelled') return to(action.href)
  return refused(ctx, exchange, refusal, action)
}

/** GET /third_party: the person whom another system has vouched for comes in through the same door as everybody. */
export async function enterByThirdParty(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request } = exchange
  if (isFetchedAhead(request)) return exchange.reply.code(204).send()
  return await orNotice(ctx, exchange, () => enter(ctx, exchange, text(request.query, 'proof') ?? ''))
}

type Arrival = Awaited<ReturnType<typeof arrivalOf>>

async function enter(ctx: Context, exchange: Exchange, proof: string): Promise<FastifyReply> {
  const arrival = await arrivalOf(ctx, exchange.request, proof)
  const { service, method, bound, provider } = arrival
  const application = service === null ? null : await findApplicationByService(ctx, service)
  if (service !== null && !application) return refuseService(ctx, exchange, 'application.unknown', null)
  if (application && !application.enabled) return refuseService(ctx, exchange, 'application.disabled', application)
  const forRecord = application?.builtIn ? null : application
  const who = { authType: provider.key, application: forRecord }
  if (bound)
    return await enterAs(ctx, exchange, bound, {
      ...who,
      parameters: parametersOf(service, method),
      target: application,
    })
  await recordFailure(ctx, { ...who, userId: null, account: '***' }, 'third-party.unbound')
  return await sayUnbound(ctx, exchange, arrival, forRecord ? service : null)
}

type Entrance = {
  authType: string
  parameters: LoginParameters
  /** For the record. */
  application: Application | null
  target: Application | null
}

async function enterAs(
  ctx: Context,
  exchange: Exchange,
  bound: NonNullable<Arrival['bound']>,
  { authType, parameters, application, target }: Entrance,
): Promise<FastifyReply> {
  const session = await ssoSessionOf(ctx, exchange.request, target)
  const { userId, account } = bound
  const entrant = { userId, account, authType, application, replaces: session, rememberMe: false, warn: false }
  try {
    const opened = await acceptSignIn(ctx, exchange, entrant)
    await noteUse(ctx, bound)
    return await arrive(ctx, exchange, { parameters, application: target, opened })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const step = await stepAfter(ctx, exchange, error, { parameters, session })
    return step ?? refused(ctx, exchange, error, toLogin(parameters.service, parameters.method))
  }
}

/** Nobody here is bound to that identity: where the setting allows it, whoever proves to be somebody here may bind it. */
async function sayUnbound(
  ctx: Context,
  exchange: Exchange,
  arrival: Arrival,
  service: string | null,
): Promise<FastifyReply> {
  const { provider, method } = arrival
  const label = { name: provider.name, names: provider.names }
  const elsewhere: LightAction = { ...toLogin(arrival.service, method), text: { key: 'notice.other-way' } }
  if (provider.unbound === 'refuse') {
    return renderNotice(ctx, exchange, {
      name: 'third-party-unbound',
      application: label,
      status: 403,
      actions: [elsewhere],
      self: LOGIN_PAGE,
    })
  }
  const next = service === null ? null : addressWith(LOGIN_PATH, parametersOf(service, method))
  const pending = await offerBinding(ctx, arrival, next)
  return renderNotice(ctx, exchange, {
    name: 'third-party-to-bind',
    application: label,
    actions: [
      { text: { key: 'notice.log-in-and-bind' }, href: `${ACCOUNT_PAGE}?bind=${pending}`, primary: true },
      { ...elsewhere, primary: false },
    ],
    self: LOGIN_PAGE,
  })
}
