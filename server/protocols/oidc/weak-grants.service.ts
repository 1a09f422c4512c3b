import type { Client } from 'oidc-provider'
import { type Application, listOAuthApplications } from '../../features/applications/index.ts'
import type { Platform } from '../../platform/platform.ts'
import { currentRequest, refusal } from './oidc-request.service.ts'

/**
 * Grants that RFC 9700 advises against. An application has them only if registered with them, which causes a warning; for all others this
 * server doesn't support them.
 */
const WEAK_GRANTS = ['implicit', 'password'] as const

export const IMPLICIT_RESPONSE_TYPES = ['id_token', 'id_token token'] as const

export const responseTypesOf = ({ grantTypes }: { grantTypes: string[] }): string[] => [
  ...(grantTypes.includes('authorization_code') ? ['code'] : []),
  ...(grantTypes.includes('implicit') ? IMPLICIT_RESPONSE_TYPES : []),
]

type IsAllowed = (this: Client, type: string) => boolean

/**
 * Rejects what a client is not registered for: weak grants with the error of a server that doesn't support them, the rest as
 * `unauthorized_client` (RFC 6749, 4.1.2.1 and 5.2), where the provider says `invalid_request`.
 */
export function refuseUnregistered(model: typeof Client): void {
  const { grantTypeAllowed, responseTypeAllowed } = model.prototype as unknown as Record<string, IsAllowed>
  const refusing = (allowed: IsAllowed | undefined, codeOf: (type: string) => string | null): IsAllowed =>
    function (type) {
      const answer = allowed?.call(this, type) ?? false
      const code = answer ? null : codeOf(type)
      if (code) throw refusal(code)
      return answer
    }
  Object.assign(model.prototype, {
    grantTypeAllowed: refusing(grantTypeAllowed, (type) => {
      if (type === 'password') return 'unsupported_grant_type'
      return isRequestedGrant(type) ? 'unauthorized_client' : null
    }),
    responseTypeAllowed: refusing(responseTypeAllowed, (type) =>
      type === 'code' ? 'unauthorized_client' : 'unsupported_response_type',
    ),
  })
}

/** Is this the grant that the request is about? The provider also asks whether to issue a refresh token. */
function isRequestedGrant(grantType: string): boolean {
  const oidc = currentRequest().koa?.oidc
  return oidc?.route === 'device_authorization'
    ? grantType === 'urn:ietf:params:oauth:grant-type:device_code'
    : oidc?.params?.['grant_type'] === grantType
}

/** Which applications have which weak grants. */
export async function listWeakGrantsInUse(platform: Platform): Promise<{ grant: string; applications: string[] }[]> {
  const all = await listOAuthApplications(platform)
  const having = (grant: string) =>
    all.filter(({ enabled, client }: Application) => enabled && client?.grantTypes.includes(grant))
  return WEAK_GRANTS.map((grant) => ({ grant, applications: having(grant).map(({ appId }) => appId) })).filter(
    ({ applications }) => applications.length > 0,
  )
}

type Discovery = { grant_types_supported?: string[]; response_types_supported?: string[] }

/** The discovery document without weak grants that no application is registered with. */
export async function withoutUnusedGrants<T>(platform: Platform, document: T & Discovery): Promise<T> {
  const { grant_types_supported: grants, response_types_supported: responses } = document
  if (!grants || !responses) return document
  const used = new Set((await listWeakGrantsInUse(platform)).map(({ grant }) => grant))
  const isShown = (grant: string) => !(WEAK_GRANTS as readonly string[]).includes(grant) || used.has(grant)
  return {
    ...document,
    grant_types_supported: grants.filter(isShown),
    response_types_supported: used.has('implicit') ? responses : ['code'],
  }
}
