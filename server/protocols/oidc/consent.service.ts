import type { FastifyReply } from 'fastify'
import type { AdapterPayload } from 'oidc-provider'
import type { ConsentPage, LightAction } from '#shared/contract/light-page.ts'
import { renderLightPage } from '../../features/appearance/index.ts'
import { clientOrigins, findApplicationByClientId } from '../../features/applications/index.ts'
import { saveConsent } from '../../features/consents/index.ts'
import { recordAudit } from '../../features/records/index.ts'
import { ssoCookieOf } from '../../features/sessions/index.ts'
import { OIDC_PATH } from '../../features/signing-keys/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import { errors } from '../../platform/errors.ts'
import { isCrossSite } from '../../platform/http/client.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { findInteraction, type StoredInteraction, saveInteractionResult } from './artifacts.service.ts'
import { listedSources, scopeOfClaim } from './claims.rules.ts'
import { allowedScopes } from './clients.service.ts'
import { type ClientSession, findBrowserClientSession } from './oidc-request.service.ts'
import { renderRefusal } from './pages.render.ts'

type ConsentRequest = {
  uid: string
  kept: StoredInteraction
  clientSession: ClientSession
  scopes: string[]
  back: string
}
type Params = { scope?: string; claims?: string; client_id?: string }

/** GET: shows what an application will learn, to the person in whose session it was requested. */
export async function handleConsentGet(ctx: Context, exchange: Exchange, uid: string): Promise<FastifyReply> {
  const consent = await loadConsentRequest(ctx, exchange, uid)
  if (typeof consent === 'string') return exchange.reply.redirect(consent, 303)
  if (!consent) return renderExpired(ctx, exchange)
  const { clientSession, scopes } = consent
  const answer = (value: string, primary: boolean): LightAction => ({
    text: { key: `consent.${value}` },
    href: `${OIDC_PATH}/consent/${uid}`,
    fields: { answer: value },
    primary,
  })
  return renderConsent(ctx, exchange, clientSession, {
    scopes,
    code: null,
    actions: [answer('allow', true), answer('deny', false)],
  })
}

/** POST: stores the answer and continues the request. @throws Refusal `request.cross-site`. */
export async function handleConsentPost(ctx: Context, exchange: Exchange, uid: string): Promise<FastifyReply> {
  const { request, reply } = exchange
  if (isCrossSite(request, ctx.config.publicUrl)) throw errors['request.cross-site']()
  const consent = await loadConsentRequest(ctx, exchange, uid)
  if (typeof consent === 'string') return reply.redirect(consent, 303)
  if (!consent) return renderExpired(ctx, exchange)
  const { kept, clientSession, scopes, back } = consent
  const agreed = (request.body as { answer?: unknown } | undefined)?.answer === 'allow'
  if (agreed) await recordConsent(ctx, clientSession, scopes)
  const earlier = kept.payload['lastSubmission'] as object | undefined
  const denied = { error: 'access_denied', error_description: 'the person did not agree' }
  await saveInteractionResult(
    ctx,
    uid,
    kept,
    agreed ? { ...earlier, consent: { scopes: releasedScopes(clientSession, scopes) } } : denied,
  )
  return reply.redirect(back, 303)
}

/** Stored only where consent is required: elsewhere nothing depends on it. */
export async function recordConsent(ctx: Context, clientSession: ClientSession, scopes: string[]): Promise<void> {
  const { session, application } = clientSession
  if (application.client?.consent !== 'explicit') return
  const released = releasedScopes(clientSession, scopes)
  const { userId } = session
  const audit = {
    action: 'consent.give',
    targetKind: 'application',
    targetId: application.appId,
    userId,
    actor: userId,
  }
  await transaction(ctx, async (inner) => {
    await saveConsent(inner.db, { userId, applicationId: application.id, scopes: released, at: inner.now() })
    await recordAudit(inner, { ...audit, after: { application: application.name, scopes: released } })
  })
}

const renderExpired = (ctx: Context, exchange: Exchange) =>
  renderRefusal(ctx, exchange, { error: 'invalid_request', error_description: 'request has expired' }, 400)

/** The pending request; its return address if it belongs to another session; null if it has expired. */
async function loadConsentRequest(
  ctx: Context,
  { request }: Exchange,
  uid: string,
): Promise<ConsentRequest | string | null> {
  const kept = await findInteraction(ctx, uid)
  if (!kept) return null
  const { params, session } = kept.payload as AdapterPayload & { session?: { uid?: string } }
  const { client_id: clientId = '', scope, claims } = (params ?? {}) as Params
  const application = await findApplicationByClientId(ctx, clientId)
  if (!application) return null
  const back = `${ctx.config.publicUrl}${OIDC_PATH}/authorize/${uid}?client_id=${encodeURIComponent(clientId)}`
  const secret = ssoCookieOf(request)
  const clientSession = secret ? await findBrowserClientSession(ctx, sha256(secret), application) : null
  if (!clientSession || clientSession.session.refusal || clientSession.session.id !== session?.uid) return back
  return { uid, kept, clientSession, back, scopes: requestedScopes(clientSession, scope, claims) }
}

/** Everything that a request would let an application learn, as scopes. */
export function requestedScopes({ application }: ClientSession, scope = '', claims = '{}'): string[] {
  const allowed = allowedScopes(application)
  const { userinfo, id_token } = JSON.parse(claims) as Record<string, object | undefined>
  const named = [...Object.keys(userinfo ?? {}), ...Object.keys(id_token ?? {})].map(scopeOfClaim)
  const asked = new Set([...scope.split(' '), ...named.filter((one) => one !== null)])
  return [...asked].filter((one) => allowed.has(one))
}

/** What a person consents to, and what is stored: the scopes, and the attributes that the application gets with any of them. */
const releasedScopes = ({ application }: ClientSession, scopes: string[]): string[] => [
  ...scopes,
  ...listedSources(application),
]

export function renderConsent(
  ctx: Context,
  { request, reply }: Exchange,
  clientSession: ClientSession,
  { scopes, ...rest }: { scopes: string[] } & Pick<ConsentPage, 'code' | 'actions'>,
): Promise<FastifyReply> {
  const { application, person } = clientSession
  const { name, names, picture, attributes } = application
  // With its own list, an application gets nothing by its scopes that the list does not name.
  const byScope = attributes.length > 0 ? scopes.filter((scope) => scope === 'openid') : scopes
  const page: ConsentPage = {
    kind: 'consent',
    application: { name, names },
    picture,
    person: person.name ?? person.account ?? '',
    learns: [...byScope.map((scope) => `scope.${scope}`), ...listedSources(application)],
    ...rest,
  }
  return renderLightPage(ctx, request, reply, page, {
    formTargets: clientOrigins(application),
  })
}
