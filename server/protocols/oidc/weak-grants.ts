import type { Client } from 'oidc-provider'
import { type Application, allOpenIdApplications } from '../../features/applications/index.ts'
import type { Platform } from '../../platform/platform.ts'
import { refusal } from './oidc-request.ts'

/**
 * Grants that RFC 9700 advises against. An application has them only when it is registered with them, which is warned about; for
 * all others this server doesn't know them.
 */
const WEAK_GRANTS = ['implicit', 'password'] as const

export const IMPLICIT_RESPONSES = ['id_token', 'id_token token'] as const

export const responseTypesOf = ({ grantTypes }: { grantTypes: string[] }): string[] => [
  ...(grantTypes.includes('authorization_code') ? ['code'] : []),
  ...(grantTypes.includes('implicit') ? IMPLICIT_RESPONSES : []),
]

type Allowed = (this: Client, type: string) => boolean

/** Refuses them in the words of a server that has never heard of them, instead of "not allowed for this client". */
export function hideWeakGrants(model: typeof Client): void {
  const { grantTypeAllowed, responseTypeAllowed } = model.prototype as unknown as Record<string, Allowed>
  const hiding = (allowed: Allowed | undefined, isWeak: (type: string) => boolean, code: string): Allowed =>
    function (type) {
      const answer = allowed?.call(this, type) ?? false
      if (!answer && isWeak(type)) throw refusal(code)
      return answer
    }
  Object.assign(model.prototype, {
    grantTypeAllowed: hiding(grantTypeAllowed, (type) => type === 'password', 'unsupported_grant_type'),
    responseTypeAllowed: hiding(responseTypeAllowed, (type) => type !== 'code', 'unsupported_response_type'),
  })
}

/** Which applications have which weak grants. */
export async function weakGrantsInUse(platform: Platform): Promise<{ grant: string; applications: string[] }[]> {
  const all = await allOpenIdApplications(platform)
  const having = (grant: string) =>
    all.filter(({ enabled, client }: Application) => enabled && client?.grantTypes.includes(grant))
  return WEAK_GRANTS.map((grant) => ({ grant, applications: having(grant).map(({ appId }) => appId) })).filter(
    ({ applications }) => applications.length > 0,
  )
}

type Discovery = { grant_types_supported?: string[]; response_types_supported?: string[] }

/** The discovery document names what somebody uses, and no weak grant that nobody does. */
export async function withoutUnusedGrants<T>(platform: Platform, document: T & Discovery): Promise<T> {
  const { grant_types_supported: grants, response_types_supported: responses } = document
  if (!grants || !responses) return document
  const used = new Set((await weakGrantsInUse(platform)).map(({ grant }) => grant))
  const isShown = (grant: string) => !(WEAK_GRANTS as readonly string[]).includes(grant) || used.has(grant)
  return {
    ...document,
    grant_types_supported: grants.filter(isShown),
    response_types_supported: used.has('implicit') ? responses : ['code'],
  }
}
