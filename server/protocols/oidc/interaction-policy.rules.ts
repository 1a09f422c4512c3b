import type { interactionPolicy, KoaContextWithOIDC } from 'oidc-provider'
import { ensureBrowserId } from '../../features/sessions/index.ts'
import { OIDC_PATH } from '../../features/signing-keys/index.ts'
import { isApplicationRefusal } from './browser-session.service.ts'
import { subjectFor } from './claims.rules.ts'
import { currentRequest, refusal } from './oidc-request.service.ts'

type Policy = typeof interactionPolicy
type Prompts = ReturnType<Policy['base']>

/** When a person must be prompted: to log in, to be told why they are refused, or for consent. */
export function createPolicy({ base, Check, Prompt }: Policy): Prompts {
  const policy = base()
  const login = policy.get('login')
  for (const reason of ['id_token_hint', 'claims_id_token_sub_value']) login?.checks.remove(reason)
  login?.checks.add(
    new Check(
      'another_subject',
      'the requested subject is not the one who is logged in',
      'login_required',
      requestsOtherSubject,
    ),
  )
  login?.checks.add(new Check('unmet', 'another login would not help', 'login_required', requireRequestedAcr), 0)
  const refused = new Check('refused', 'not granted to this person', 'access_denied', () =>
    isApplicationRefusal(currentRequest().clientSession),
  )
  policy.add(new Prompt({ name: 'refused', requestable: false }, refused), 1)
  // There is one session and so one account: selecting another means logging in as somebody else.
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 1)
  const consent = policy.get('consent')
  for (const reason of ['native_client_prompt', 'rs_scopes_missing', 'rar_prompt']) consent?.checks.remove(reason)
  consent?.checks.add(new Check('warn', 'the person wants to be asked', 'consent_required', mustConfirm))
  return policy
}

/** An ID token hint or a requested `sub` value identifies a person by the name that this application knows. */
function requestsOtherSubject(koa: KoaContextWithOIDC): boolean {
  const { clientSession, ctx } = currentRequest()
  const hint = koa.oidc.entities['IdTokenHint'] as { payload: { sub?: string } } | undefined
  const asked = (koa.oidc.claims as { id_token?: { sub?: { value?: string } | null } }).id_token?.sub?.value
  const wanted = [hint?.payload.sub, asked].filter((sub) => sub !== undefined)
  if (wanted.length === 0) return false
  const subject = clientSession && subjectFor(ctx, clientSession.application, clientSession.person)
  return wanted.some((sub) => sub !== subject)
}

/**
 * A person who has just logged in and still lacks the required `acr` would be asked to log in again endlessly (OpenID Connect Core 5.5.1.1:
 * authentication failed).
 */
function requireRequestedAcr(koa: KoaContextWithOIDC): boolean {
  const { acr } = (koa.oidc.claims as { id_token?: { acr?: RequestedAcr | null } }).id_token ?? {}
  const { login } = (koa.oidc.result ?? {}) as { login?: unknown }
  const wanted = acr?.essential ? [acr.value ?? [], acr.values ?? []].flat() : []
  const isMet = wanted.length === 0 || wanted.includes(String(koa.oidc.acr))
  if (login && !isMet)
    throw refusal('unmet_authentication_requirements', 'none of the requested ACRs could be obtained')
  return false
}

type RequestedAcr = { essential?: boolean; value?: string; values?: string[] }

const mustConfirm = (koa: KoaContextWithOIDC): boolean => {
  const result = koa.oidc.result as { consent?: unknown } | undefined
  return (currentRequest().clientSession?.session.warn ?? false) && !result?.consent
}

type Interaction = { uid: string; prompt: { name: string }; params: Record<string, unknown>; returnTo: string }

/** Where a person is prompted: our login page with the return address, or our own pages. */
export function interactionUrl(interaction: Interaction): string {
  const { ctx, exchange, clientSession } = currentRequest()
  const { publicUrl } = ctx.config
  const { params, prompt, uid } = interaction
  const back = `${publicUrl}${OIDC_PATH}/authorize/${uid}?client_id=${encodeURIComponent(String(params['client_id']))}`
  const service = `service=${encodeURIComponent(back)}`
  if (prompt.name === 'consent') return `${publicUrl}${OIDC_PATH}/consent/${uid}`
  // It says why and links to the portal, or asks for the second factor.
  if (prompt.name === 'refused' || clientSession?.session.refusal === 'session.second-factor') {
    return `${publicUrl}/fwk_cas_service/login?${service}`
  }
  if (clientSession?.session.refusal === 'session.limited') {
    return `${publicUrl}/auth_web/forgot-password?type=2&${service}`
  }
  if (clientSession?.session.refusal === 'session.profile-incomplete')
    return `${publicUrl}/auth_web/complete-profile?${service}`
  ensureBrowserId(ctx.config, exchange.request, exchange.reply)
  return `${publicUrl}/auth_web/login?${[service, ...loginHints(params, clientSession !== null)].join('&')}`
}

function loginHints(params: Record<string, unknown>, hasSession: boolean): string[] {
  const language = parseUiLocales(params['ui_locales'])
  const hint = params['login_hint']
  return [
    ...(hasSession ? ['renew=true'] : []),
    ...(language ? [`lang=${language}`] : []),
    ...(typeof hint === 'string' && hint !== '' ? [`login_hint=${encodeURIComponent(hint.slice(0, 256))}`] : []),
  ]
}

/** The first of the requested languages that we support. */
export function parseUiLocales(locales: unknown): string | null {
  if (typeof locales !== 'string') return null
  for (const tag of locales.toLowerCase().split(' ').slice(0, 20)) {
    if (/^en\b/.test(tag)) return 'en'
    if (/^zh(-hant)?-(tw|hk|mo)\b|^zh-hant\b/.test(tag)) return 'zh_TW'
    if (/^zh\b/.test(tag)) return 'zh_CN'
  }
  return null
}
