import type { Account, Client, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { findApplicationByClientId, isRegisteredRedirect } from '../../features/applications/index.ts'
import { getSigningKeys, issuerOf, type KeySet } from '../../features/signing-keys/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Platform } from '../../platform/platform.ts'
import { createAdapter } from './adapter.service.ts'
import { createProviderSession } from './browser-session.service.ts'
import {
  CUSTOM_CLAIMS,
  claimsFor,
  customClaimsFor,
  listedSources,
  SUBJECT,
  scopeOfClaim,
  subjectFor,
} from './claims.rules.ts'
import { verifyClientSecret } from './client-secret.service.ts'
import { allowedScopes, findClientMetadata } from './clients.service.ts'
import { createPolicy, interactionUrl } from './interaction-policy.rules.ts'
import { currentRequest } from './oidc-request.service.ts'
import { PASSWORD_PARAMETERS, passwordGrant } from './password-grant.service.ts'
import { fixedOptions } from './provider-options.rules.ts'
import { grantableScopes, OFFLINE_ACCESS } from './requested-scope.rules.ts'
import { TOKEN_PREFIXES } from './tokens.service.ts'
import { refuseUnregistered } from './weak-grants.service.ts'

let libraryPromise: Promise<typeof import('oidc-provider')> | null = null

/** Loaded on first use, so that a start doesn't wait for it. */
export const loadLibrary = () => (libraryPromise ??= import('oidc-provider'))

type ProviderEntry = { keySet: KeySet; provider: Promise<Provider> }
const providers = new WeakMap<object, ProviderEntry>()

/** The provider with the current keys; a rotation creates a new one. */
export async function getProvider(platform: Platform): Promise<Provider> {
  const keySet = await getSigningKeys(platform)
  const before = providers.get(platform.sql)
  if (before?.keySet === keySet) return await before.provider
  const isSame = before !== undefined && kidsOf(before.keySet) === kidsOf(keySet)
  const provider = isSame ? before.provider : createProvider(platform, keySet)
  providers.set(platform.sql, { keySet, provider })
  return await provider
}

const kidsOf = ({ keys }: KeySet): string => keys.map(({ kid }) => kid).join(' ')

async function createProvider(platform: Platform, { keys }: KeySet): Promise<Provider> {
  const { Provider, interactionPolicy } = await loadLibrary()
  const provider = new Provider(issuerOf(platform.config), {
    ...fixedOptions(platform),
    adapter: createAdapter(platform),
    jwks: { keys: keys as never },
    interactions: {
      policy: createPolicy(interactionPolicy),
      url: (_koa, interaction) => interactionUrl(interaction as never),
    },
    findAccount: (koa, userId) => findAccount(koa, userId),
    loadExistingGrant: (koa) => createGrant(provider, koa),
    renderError: (_koa, out) => {
      currentRequest().refusal = out
    },
  })
  provider.on('server_error', (_koa, error) => {
    currentRequest().failure = error
  })
  provider.on('authorization.success', (koa, out) => {
    captureFormPost(koa, { ...out })
    // Without a code nothing will be redeemed later: they have entered now.
    if (!('code' in (out ?? {}))) currentRequest().entered = true
  })
  provider.on('authorization.error', (koa, { error, error_description }) =>
    captureFormPost(koa, { error, error_description, state: koa.oidc.params?.['state'], iss: provider.issuer }),
  )
  provider.registerGrantType('password', passwordGrant(provider, findAccount), PASSWORD_PARAMETERS)
  refuseUnregistered(provider.Client)
  adaptModels(platform, provider)
  adaptIdTokens(platform, provider)
  fixOrigin(platform, provider)
  return provider
}

/** The provider's own page for `response_mode=form_post` is replaced by ours. */
function captureFormPost(koa: KoaContextWithOIDC, fields: Record<string, unknown>): void {
  if (koa.oidc.params?.['response_mode'] !== 'form_post') return
  const entries = Object.entries(fields).filter(([, value]) => typeof value === 'string')
  currentRequest().formPost = {
    href: String(koa.oidc.params['redirect_uri']),
    fields: Object.fromEntries(entries) as Record<string, string>,
  }
}

/** A proof may be dated 300 seconds ahead, and is valid for 300 seconds from then. */
const PROOF_SECONDS = 600

const isPublic = (client: Client): boolean => client.clientAuthMethod === 'none'

/** Replaces the provider's models where they would store or compare our data. */
function adaptModels(platform: Platform, provider: Provider): void {
  const { Session, Client: ClientModel, Claims } = provider
  const findClient = ClientModel.find.bind(ClientModel)
  const clients = new WeakMap<object, Promise<Client | undefined>>()
  // The provider would serialise and hash a client's registration at each lookup; ours is one object as long as it is unchanged.
  const find = async (id: string) => {
    const metadata = typeof id === 'string' ? await findClientMetadata(platform, id) : undefined
    if (!metadata) return undefined
    const client = clients.get(metadata) ?? findClient(id)
    clients.set(metadata, client)
    return await client
  }
  Object.assign(ClientModel, { find })
  Object.assign(Session, { get: (koa: KoaContextWithOIDC) => createProviderSession(provider, koa) })
  ClientModel.prototype.compareClientSecret = async function (this: Client, secret: string) {
    const application = await findApplicationByClientId(platform, this.clientId)
    const hash = application?.client?.secretHash
    return hash ? await verifyClientSecret(platform, hash, secret) : false
  }
  ClientModel.prototype.redirectUriAllowed = function (this: Client, uri: string) {
    const registered = { redirectUris: this.redirectUris ?? [], secretHash: isPublic(this) ? null : '' }
    return isRegisteredRedirect(registered, uri)
  }
  // The provider reads and then writes: of two concurrent uses of one proof, both would pass.
  const isNewProof = async (clientId: string, jti: string) =>
    (await platform.state.increment('oidc-dpop-proof', `${clientId} ${jti}`, PROOF_SECONDS)) === 1
  Object.assign(provider.ReplayDetection, { unique: isNewProof })
  for (const [name, prefix] of Object.entries(TOKEN_PREFIXES)) {
    const model = provider[name as keyof typeof TOKEN_PREFIXES].prototype as unknown as { generateTokenId(): string }
    model.generateTokenId = function (this: { format?: string }) {
      this.format = 'opaque'
      return prefix + randomToken(43)
    }
  }
  const { result } = Claims.prototype
  Claims.prototype.result = async function (this: { available: Record<PropertyKey, unknown> }) {
    const claims = await result.call(this as never)
    const { [SUBJECT]: sub, [CUSTOM_CLAIMS]: own } = this.available
    return { ...claims, ...(own as object | undefined), ...(typeof sub === 'string' && { sub }) }
  }
}

/**
 * For an application registered so, ID tokens contain what userinfo returns, for clients that never call it. Others find the claims only
 * there, except where there is no access token to call it with (OpenID Connect Core 5.4).
 */
function adaptIdTokens(platform: Platform, provider: Provider): void {
  type Issued = { scope?: string; client: Client; ctx?: KoaContextWithOIDC }
  const model = provider.IdToken.prototype as unknown as { payload(this: Issued): Promise<object> }
  const { payload } = model
  model.payload = async function () {
    const application = await findApplicationByClientId(platform, this.client.clientId)
    const isAlone = this.ctx?.oidc.params?.['response_type'] === 'id_token'
    if (!application?.client?.idTokenClaims && !isAlone) this.scope = 'openid'
    return await payload.call(this)
  }
}

/** Every URL it writes is built from PUBLIC_URL, whatever Host a request names. */
function fixOrigin({ config }: Platform, provider: Provider): void {
  const { host, hostname, protocol, origin } = new URL(config.publicUrl)
  const fixed = { host, hostname, protocol: protocol.slice(0, -1), origin, secure: protocol === 'https:' }
  const { request } = provider as unknown as { request: object }
  for (const [name, value] of Object.entries(fixed)) Object.defineProperty(request, name, { value })
  Object.defineProperty(request, 'href', {
    get(this: { originalUrl: string }) {
      return origin + this.originalUrl
    },
  })
}

/** The person of the request's session or token, for its application. */
async function findAccount(koa: KoaContextWithOIDC, userId: string): Promise<Account | undefined> {
  const { ctx, clientSession } = currentRequest()
  const clientId =
    koa.oidc.client?.clientId ?? (koa.oidc.entities.AccessToken as { clientId?: string } | undefined)?.clientId
  if (clientSession?.session.userId !== userId) return undefined
  const { application, person } = clientSession
  // The gate was asked about one application: its answer says nothing about another.
  if (application.client?.clientId !== clientId) throw new Error('a session judged for another application')
  const sub = subjectFor(ctx, application, person)
  if (sub === null && clientSession.session.refusal === null) return undefined
  return {
    accountId: userId,
    claims: async (use) => ({
      ...claimsFor(application, person),
      ...((use === 'userinfo' || application.client?.idTokenClaims) && {
        [CUSTOM_CLAIMS]: customClaimsFor(application, person),
      }),
      [SUBJECT]: sub,
      sub: sub ?? '',
    }),
  }
}

/**
 * What this request may get: its scopes within the application's own, and for an application that requires consent, what was consented to.
 */
async function createGrant(provider: Provider, koa: KoaContextWithOIDC) {
  const { clientSession } = currentRequest()
  const { account, client, params } = koa.oidc
  if (!clientSession || !account || !client) return undefined
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  const requested = String(params?.['scope'] ?? '').split(' ')
  const claims = [...koa.oidc.requestParamClaims]
  const allowed = allowedScopes(clientSession.application)
  const granted = grantableScopes(clientSession.application, requested)
  const byName = claims.map(scopeOfClaim).filter((scope) => scope !== null && allowed.has(scope))
  const needed = new Set([
    ...granted.filter((scope) => scope !== OFFLINE_ACCESS),
    ...byName,
    ...listedSources(clientSession.application),
  ])
  const consented = consentedScopes(koa, clientSession)
  const isAgreed = consented === null || [...needed].every((scope) => consented.has(String(scope)))
  grant.rejectOIDCScope(requested.filter((scope) => !granted.includes(scope)).join(' '))
  if (isAgreed) {
    grant.addOIDCScope(granted.join(' '))
    grant.addOIDCClaims(claims)
  }
  Object.assign(grant, { jti: randomToken(22) })
  return grant
}

/** Null: no consent is required. */
function consentedScopes(
  koa: KoaContextWithOIDC,
  { application, consented }: NonNullable<ReturnType<typeof currentRequest>['clientSession']>,
): Set<string> | null {
  if (application.client?.consent !== 'explicit') return null
  const result = koa.oidc.result as { consent?: { scopes?: string[] } } | undefined
  return new Set([...(consented ?? []), ...(result?.consent?.scopes ?? [])])
}
