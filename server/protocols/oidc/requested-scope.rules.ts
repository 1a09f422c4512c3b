import { decodeJwt } from 'jose'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { type Application, findApplicationByClientId } from '../../features/applications/index.ts'
import type { Context } from '../../platform/platform.ts'
import { allowedScopes } from './clients.service.ts'
import { currentRequest } from './oidc-request.service.ts'

/** Requests a refresh token (OpenID Connect Core 11). It releases nothing about a person, so no consent is needed. */
export const OFFLINE_ACCESS = 'offline_access'

/** Which of the requested scopes an application may have: those it is registered with, and `offline_access` if it may refresh. */
export function grantableScopes(application: Application, requested: readonly string[]): string[] {
  const allowed = allowedScopes(application)
  const mayRefresh = application.client?.grantTypes.includes('refresh_token') ?? false
  return requested.filter((scope) => allowed.has(scope) || (scope === OFFLINE_ACCESS && mayRefresh))
}

/** The meaning of a request without scopes (RFC 6749, 3.3): all that its application is registered with. */
const defaultScope = (application: Application | null): string =>
  application ? [...allowedScopes(application)].join(' ') : 'openid'

/**
 * The URL of an authorization request, with the default scope if it names none. Pushed requests carry their own.
 * @param path below the issuer, with its query.
 */
export async function withDefaultScope(ctx: Context, path: string): Promise<string> {
  const [address = '', ...rest] = path.split('?')
  if (!/^\/authorize\/?$/.test(address)) return path
  const search = rest.join('?')
  const given = new URLSearchParams(search)
  if (given.get('scope') || given.has('request_uri')) return path
  const application = await findApplicationByClientId(ctx, given.get('client_id') ?? '')
  const kept = search.split('&').filter((pair) => pair !== '' && !/^scope(=|$)/.test(pair))
  return `${address}?${[...kept, `scope=${encodeURIComponent(defaultScope(application))}`].join('&')}`
}

/**
 * Called for every authorization and pushed request after its parameters are checked. The provider drops `offline_access` unless the person
 * is prompted for consent (`prompt=consent`); here the registration is the "other condition" of Core 11 under which that is not needed.
 */
export async function completeScope(koa: KoaContextWithOIDC): Promise<void> {
  const { params, client } = koa.oidc
  if (!params || !client) return
  const application = await findApplicationByClientId(currentRequest().ctx, client.clientId)
  const scope = (params['scope'] as string | undefined) ?? defaultScope(application)
  const mayRefresh = String(params['response_type']).includes('code') && client.grantTypeAllowed('refresh_token')
  const isDropped =
    mayRefresh && requestedScope(koa).split(' ').includes(OFFLINE_ACCESS) && !scope.includes(OFFLINE_ACCESS)
  params['scope'] = isDropped ? `${scope} ${OFFLINE_ACCESS}` : scope
}

/** The scopes as the application sent them: in the URL, in a pushed form, or in an earlier pushed request. */
function requestedScope({ oidc, query }: KoaContextWithOIDC): string {
  const pushed = oidc.entities.PushedAuthorizationRequest as { request?: string } | undefined
  const written = pushed?.request ? decodeJwt(pushed.request) : oidc.route === 'authorization' ? query : oidc.body
  return String((written as Record<string, unknown> | undefined)?.['scope'] ?? '')
}
