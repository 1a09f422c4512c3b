import type { Account, Client, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { findApplicationByClientId } from '../../features/applications/index.ts'
import { issuerOf, type KeySet, signingKeys } from '../../features/signing-keys/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Platform } from '../../platform/platform.ts'
import { createAdapter } from './adapter.ts'
import { sessionOf } from './browser-session.ts'
import { claimsFor, listedSources, OWN_ATTRIBUTES, ownAttributes, SUBJECT, scopeOfClaim, subjectFor } from './claims.ts'
import { fitsSecret } from './client-secret.ts'
import { allowedScopes, clientMetadata } from './clients.ts'
import { createPolicy, interactionUrl } from './interaction-policy.ts'
import { currentRequest } from './oidc-request.ts'
import { PASSWORD_PARAMETERS, passwordGrant } from './password-grant.ts'
import { fixedOptions } from './provider.options.ts'
import { PREFIXES } from './tokens.ts'
import { hideWeakGrants } from './weak-grants.ts'

let library: Promise<typeof import('oidc-provider')> | null = null

/** Loaded on first use, so that a start doesn't wait for it. */
export const loadLibrary = () => (library ??= import('oidc-provider'))

type Made = { keys: string; provider: Promise<Provider> }
const made = new WeakMap<object, Made>()

/** The provider with the keys of this moment; a rotation makes a new one. */
export async function providerOf(platform: Platform): Promise<Provider> {
  const keySet = await signingKeys(platform)
  const keys = keySet.keys.map(({ kid }) => kid).join(' ')
  const before = made.get(platform.sql)
  if (before?.keys === keys) return await before.provider
  const provider = createProvider(platform, keySet)
  made.set(platform.sql, { keys, provider })
  return await provider
}

async function createProvider(platform: Platform, { keys }: KeySet): Promise<Provider> {
  const { Provider, interactionPolicy } = await loadLibrary()
  const provider = new Provider(issuerOf(platform.config), {
    ...fixedOptions(platform.config),
    adapter: createAdapter(platform),
    jwks: { keys: keys as never },
    interactions: {
      policy: createPolicy(interactionPolicy),
      url: (_koa, interaction) => interactionUrl(interaction as never),
    },
    findAccount: (koa, userId) => accountOf(koa, userId),
    loadExistingGrant: (koa) => grantFor(provider, koa),
    renderError: (_koa, out) => {
      currentRequest().refusal = out
    },
  })
  provider.on('server_error', (_koa, error) => {
    currentRequest().failure = error
  })
  provider.on('authorization.success', (koa, out) => {
    noteFormPost(koa, { ...out })
    // Without a code nobody will come to redeem anything: they are inside now.
    if (!('code' in (out ?? {}))) currentRequest().entered = true
  })
  provider.on('authorization.error', (koa, { error, error_description }) =>
    noteFormPost(koa, { error, error_description, state: koa.oidc.params?.['state'], iss: provider.issuer }),
  )
  provider.registerGrantType('password', passwordGrant(provider, accountOf), PASSWORD_PARAMETERS)
  hideWeakGrants(provider.Client)
  adaptModels(platform, provider)
  speakFor(platform, provider)
  return provider
}

/** The provider's own page for `response_mode=form_post` becomes ours. */
function noteFormPost(koa: KoaContextWithOIDC, fields: Record<string, unknown>): void {
  if (koa.oidc.params?.['response_mode'] !== 'form_post') return
  const entries = Object.entries(fields).filter(([, value]) => typeof value === 'string')
  currentRequest().formPost = {
    href: String(koa.oidc.params['redirect_uri']),
    fields: Object.fromEntries(entries) as Record<string, string>,
  }
}

/** Where the provider's own models would keep or compare what is ours. */
function adaptModels(platform: Platform, provider: Provider): void {
  const { Session, Client: ClientModel, Claims } = provider
  const findClient = ClientModel.find.bind(ClientModel)
  const clients = new WeakMap<object, Promise<Client | undefined>>()
  // The provider would serialise and hash a client's registration at each look; ours are one object for as long as they stand.
  const find = async (id: string) => {
    const metadata = typeof id === 'string' ? await clientMetadata(platform, id) : undefined
    if (!metadata) return undefined
    const client = clients.get(metadata) ?? findClient(id)
    clients.set(metadata, client)
    return await client
  }
  Object.assign(ClientModel, { find })
  Object.assign(Session, { get: (koa: KoaContextWithOIDC) => sessionOf(provider, koa) })
  ClientModel.prototype.compareClientSecret = async function (this: Client, secret: string) {
    const application = await findApplicationByClientId(platform, this.clientId)
    const hash = application?.client?.secretHash
    return hash ? await fitsSecret(platform, hash, secret) : false
  }
  for (const [name, prefix] of Object.entries(PREFIXES)) {
    const model = provider[name as keyof typeof PREFIXES].prototype as unknown as { generateTokenId(): string }
    model.generateTokenId = function (this: { format?: string }) {
      this.format = 'opaque'
      return prefix + randomToken(43)
    }
  }
  const { result } = Claims.prototype
  Claims.prototype.result = async function (this: { available: Record<PropertyKey, unknown> }) {
    const claims = await result.call(this as never)
    const { [SUBJECT]: sub, [OWN_ATTRIBUTES]: own } = this.available
    return { ...claims, ...(own as object | undefined), ...(typeof sub === 'string' && { sub }) }
  }
}

/** Every address it writes comes from PUBLIC_URL, whatever a request calls us. */
function speakFor({ config }: Platform, provider: Provider): void {
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

/** The person of the request's session or token, towards its application. */
async function accountOf(koa: KoaContextWithOIDC, userId: string): Promise<Account | undefined> {
  const { ctx, standing } = currentRequest()
  const clientId =
    koa.oidc.client?.clientId ?? (koa.oidc.entities.AccessToken as { clientId?: string } | undefined)?.clientId
  if (standing?.session.userId !== userId) return undefined
  const { application, person } = standing
  // The gate was asked about one application: its answer is worth nothing for another.
  if (application.client?.clientId !== clientId) throw new Error('a session judged for another application')
  const sub = subjectFor(ctx, application, person)
  if (sub === null && standing.session.refusal === null) return undefined
  return {
    accountId: userId,
    claims: async (use) => ({
      ...claimsFor(application, person),
      ...(use === 'userinfo' && { [OWN_ATTRIBUTES]: ownAttributes(application, person) }),
      [SUBJECT]: sub,
      sub: sub ?? '',
    }),
  }
}

/** What this request may get: its scopes within the application's own, and for an application that has to ask, what was agreed to. */
async function grantFor(provider: Provider, koa: KoaContextWithOIDC) {
  const { standing } = currentRequest()
  const { account, client, params } = koa.oidc
  if (!standing || !account || !client) return undefined
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  const requested = String(params?.['scope'] ?? '').split(' ')
  const claims = [...koa.oidc.requestParamClaims]
  const allowed = allowedScopes(standing.application)
  const wanted = requested.filter((scope) => allowed.has(scope))
  const byName = claims.map(scopeOfClaim).filter((scope) => scope !== null && allowed.has(scope))
  const needed = new Set([...wanted, ...byName, ...listedSources(standing.application)])
  const agreed = agreedScopes(koa, standing)
  const isAgreed = agreed === null || [...needed].every((scope) => agreed.has(String(scope)))
  grant.rejectOIDCScope(requested.filter((scope) => !allowed.has(scope)).join(' '))
  if (isAgreed) {
    grant.addOIDCScope(wanted.join(' '))
    grant.addOIDCClaims(claims)
  }
  Object.assign(grant, { jti: randomToken(22) })
  return grant
}

/** Null: nobody has to be asked. */
function agreedScopes(
  koa: KoaContextWithOIDC,
  { application, consented }: NonNullable<ReturnType<typeof currentRequest>['standing']>,
): Set<string> | null {
  if (application.client?.consent !== 'explicit') return null
  const result = koa.oidc.result as { consent?: { scopes?: string[] } } | undefined
  return new Set([...(consented ?? []), ...(result?.consent?.scopes ?? [])])
}
