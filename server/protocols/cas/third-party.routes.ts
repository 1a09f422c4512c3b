import type { FastifyReply } from 'fastify'
import type { LightAction, NoticeName } from '#shared/contract/light-page.ts'
import type { TicketMethod } from '#shared/contract/sign-in.ts'
import { openThirdPartyFrame, startThirdPartyLogin, thirdPartyCallback } from '#shared/contract/third-party-accounts.ts'
import { vendorPage } from '#shared/contract/vendors.ts'
import { type Application, findApplicationByService } from '../../features/applications/index.ts'
import { ensureBrowserId, findBrowserSession } from '../../features/sessions/index.ts'
import { recordFailure, signInUser } from '../../features/sign-in/index.ts'
import {
  finishTestLogin,
  handleCallback,
  offerBinding,
  offerCreation,
  recordAccountUse,
  redeemLoginProof,
  startFlow,
  startFramedFlow,
} from '../../features/third-party-accounts/index.ts'
import { requireProvider } from '../../features/third-party-providers/index.ts'
import { Refusal } from '../../platform/errors.ts'
import { isPrefetch } from '../../platform/http/client.ts'
import { type Api, type Exchange, REPLY_SENT } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { completeLogin } from './login.service.ts'
import { refuseService } from './login-response.service.ts'
import { renderStepAfterRefusal } from './login-second-factor.service.ts'
import { CAS_PATH, LOGIN_PATH, renderNotice } from './pages.render.ts'
import { type LoginParameters, loginParameters, text, withLoginParameters } from './parameters.rules.ts'
import { isInFrame, renderFrameReturn } from './third-party-frame.render.ts'

/** Where a browser continues after the callback: below the path of the sign-on cookie, which the callback doesn't receive. */
export const THIRD_PARTY_STEP = '/third_party'
const ACCOUNT_PAGE = '/auth_web/account-security/third-party-account'
/** Target of a notice's language links: the address of the notice itself works only once. */
const LOGIN_PAGE = '/auth_web/login'
const MAX_SERVICE_CHARACTERS = 4096

/** Login through an identity provider, there and back. */
export function mountThirdPartyLogin(api: Api): void {
  api.mount(startThirdPartyLogin, async (ctx, { query }, exchange) => {
    await withRefusalNotice(ctx, exchange, () => startLogin(ctx, exchange, query.provider))
    return REPLY_SENT
  })
  api.mount(openThirdPartyFrame, async (ctx, { query, body }, { request, reply }) => {
    const { service, method } = loginParameters(body)
    const provider = await requireProvider(ctx, { key: query.provider })
    const browser = ensureBrowserId(ctx.config, request, reply)
    return await startFramedFlow(ctx, provider, { browser, purpose: { kind: 'login', service, method } })
  })
  api.mount(thirdPartyCallback, async (ctx, { query }, exchange) => {
    // The state is not consumed: the page around the frame sends it.
    if (isInFrame(exchange.request)) return renderFrameReturn(exchange.reply)
    await withRefusalNotice(ctx, exchange, () => redirectFromCallback(ctx, exchange, query.provider))
    return REPLY_SENT
  })
}

const parametersOf = (service: string | null, method: TicketMethod): LoginParameters => ({
  service,
  method,
  renew: false,
  gateway: false,
})

/** Shows a person in a browser a page that says what went wrong, with a link back. */
async function withRefusalNotice(
  ctx: Context,
  exchange: Exchange,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return renderRefusalNotice(ctx, exchange, error, loginAction(null, 'GET'))
  }
}

const loginAction = (service: string | null, method: TicketMethod): LightAction => ({
  text: { key: 'notice.to-login' },
  // Without a service the portal is meant, which starts the login itself.
  href: service === null ? '/auth_web/' : withLoginParameters(LOGIN_PATH, parametersOf(service, method)),
  primary: true,
})

const ACCOUNTS_ACTION: LightAction = { text: { key: 'notice.back' }, href: ACCOUNT_PAGE, primary: true }

function renderRefusalNotice(
  ctx: Context,
  exchange: Exchange,
  refusal: Refusal,
  back: LightAction,
): Promise<FastifyReply> {
  if (refusal.retryAfter !== undefined) exchange.reply.header('retry-after', String(Math.ceil(refusal.retryAfter)))
  return renderNotice(ctx, exchange, {
    name: 'refused',
    error: { code: refusal.code, params: refusal.params },
    status: refusal.status,
    actions: [back],
    self: LOGIN_PAGE,
  })
}

async function startLogin(ctx: Context, exchange: Exchange, key: string): Promise<FastifyReply> {
  const { request, reply } = exchange
  const { service, method } = loginParameters(request.query)
  if (service !== null && service.length > MAX_SERVICE_CHARACTERS) {
    return refuseService(ctx, exchange, 'application.unknown', null)
  }
  const provider = await requireProvider(ctx, { key })
  const browser = ensureBrowserId(ctx.config, request, reply)
  return reply.redirect(await startFlow(ctx, provider, { browser, purpose: { kind: 'login', service, method } }), 302)
}

async function redirectFromCallback(ctx: Context, exchange: Exchange, key: string): Promise<FastifyReply> {
  const { request, reply } = exchange
  const to = (path: string) => reply.redirect(ctx.config.publicUrl + path, 302)
  const tested = await finishTestLogin(ctx, request, key)
  if (tested !== null) return to(`${vendorPage(key)}?test=${tested}`)
  const result = await handleCallback(ctx, request, key)
  if (result.kind === 'bind') return to(`${ACCOUNT_PAGE}?bind=${result.pending}`)
  if (result.kind === 'again') return reply.redirect(result.address, 302)
  if (result.kind === 'login') return to(`${CAS_PATH}${THIRD_PARTY_STEP}?proof=${result.proof}`)
  const { purpose, refusal } = result
  const action = purpose.kind === 'bind' ? ACCOUNTS_ACTION : loginAction(purpose.service, purpose.method)
  // Whoever cancelled at the provider has changed their mind, and needs no page about that.
  if (refusal.code === 'third-party.cancelled') return to(action.href)
  return renderRefusalNotice(ctx, exchange, refusal, action)
}

/** GET /third_party: logs in the person whom an identity provider has vouched for, like every other login. */
export async function handleThirdPartyStep(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request } = exchange
  if (isPrefetch(request)) return exchange.reply.code(204).send()
  return await withRefusalNotice(ctx, exchange, () => loginByProof(ctx, exchange, text(request.query, 'proof') ?? ''))
}

type ThirdPartyLogin = Awaited<ReturnType<typeof redeemLoginProof>>

async function loginByProof(ctx: Context, exchange: Exchange, proof: string): Promise<FastifyReply> {
  const login = await redeemLoginProof(ctx, exchange.request, proof)
  const { service, bound, provider } = login
  const application = service === null ? null : await findApplicationByService(ctx, service)
  if (service !== null && !application) return refuseService(ctx, exchange, 'application.unknown', null)
  if (application && !application.enabled) return refuseService(ctx, exchange, 'application.disabled', application)
  if (bound) return await loginAs(ctx, exchange, login, { ...bound, application })
  const attempt = { authType: provider.key, application, userId: null, account: '***' }
  await recordFailure(ctx, attempt, 'third-party.unbound')
  return await renderUnbound(ctx, exchange, login, application?.builtIn ? null : service)
}

/** What a person is told whose account was just created, but not ready for a login: by the refusal of that. */
const CREATED_NOTICES: Partial<Record<string, NoticeName>> = {
  'sign-in.inactive': 'third-party-created-inactive',
  'sign-in.disabled': 'third-party-created-disabled',
}

async function loginAs(
  ctx: Context,
  exchange: Exchange,
  { provider, service, method, isCreated }: ThirdPartyLogin,
  { application, ...bound }: NonNullable<ThirdPartyLogin['bound']> & { application: Application | null },
): Promise<FastifyReply> {
  const parameters = parametersOf(service, method)
  const replaces = await findBrowserSession(ctx, exchange.request, application)
  const { userId, account } = bound
  const attempt = { userId, account, authType: provider.key, application, replaces, rememberMe: false, warn: false }
  try {
    const session = await signInUser(ctx, exchange, attempt)
    await recordAccountUse(ctx, bound)
    return await completeLogin(ctx, exchange, { parameters, application, session, fresh: true })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const back = loginAction(service, method)
    const notice = isCreated ? CREATED_NOTICES[error.code] : undefined
    if (notice) {
      const application = { name: provider.name, names: provider.names }
      const { status } = error
      return await renderNotice(ctx, exchange, { name: notice, application, status, actions: [back], self: LOGIN_PAGE })
    }
    const step = await renderStepAfterRefusal(ctx, exchange, error, { parameters, session: replaces })
    return step ?? renderRefusalNotice(ctx, exchange, error, back)
  }
}

/** Nobody here is linked to that identity: if the setting allows it, whoever proves to own an account here may link it. */
async function renderUnbound(
  ctx: Context,
  exchange: Exchange,
  login: ThirdPartyLogin,
  service: string | null,
): Promise<FastifyReply> {
  const { provider, method } = login
  const label = { name: provider.name, names: provider.names }
  const elsewhere: LightAction = { ...loginAction(login.service, method), text: { key: 'notice.other-method' } }
  if (provider.unbound === 'refuse') {
    return renderNotice(ctx, exchange, {
      name: 'third-party-unbound',
      application: label,
      status: 403,
      actions: [elsewhere],
      self: LOGIN_PAGE,
    })
  }
  const next = service === null ? null : withLoginParameters(LOGIN_PATH, parametersOf(service, method))
  const pending = await offerBinding(ctx, login, next)
  const creation: LightAction[] = login.mayCreate
    ? [
        {
          text: { key: 'notice.create-account' },
          href: `${CAS_PATH}${THIRD_PARTY_STEP}?proof=${await offerCreation(ctx, login)}`,
        },
      ]
    : []
  return renderNotice(ctx, exchange, {
    name: login.mayCreate ? 'third-party-to-create' : 'third-party-to-bind',
    application: label,
    actions: [
      { text: { key: 'notice.log-in-and-bind' }, href: `${ACCOUNT_PAGE}?bind=${pending}`, primary: true },
      ...creation,
      { ...elsewhere, primary: false },
    ],
    self: LOGIN_PAGE,
  })
}
