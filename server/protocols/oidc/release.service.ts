import type { Application, PersonAttributes, ReleasePreview } from '../../features/applications/index.ts'
import type { Platform } from '../../platform/platform.ts'
import { profileBody } from './aliases.routes.ts'
import { claimsFor, customClaimsFor, subjectFor } from './claims.rules.ts'

const HOUR_SECONDS = 3600

/** What an OpenID Connect application would learn about a person with all its scopes, by the code that answers it. */
export function openIdRelease(
  platform: Platform,
  application: Application,
  person: PersonAttributes,
  at: Date,
): ReleasePreview {
  const sub = subjectFor(platform, application, person)
  if (sub === null) return { userName: null, answers: [] }
  const iat = Math.floor(at.getTime() / 1000)
  const claims = { ...claimsFor(application, person), ...customClaimsFor(application, person) }
  const userinfo = { ...claims, sub }
  const idToken = {
    ...(application.client?.idTokenClaims && claims),
    iss: `${platform.config.publicUrl}/fwk_cas_service/oidc`,
    aud: application.client?.clientId,
    sub,
    iat,
    exp: iat + HOUR_SECONDS,
  }
  const profile = profileBody(application, person, userinfo)
  const texts = { 'id-token': idToken, userinfo, 'oauth-profile': profile } as const
  const names = ['userinfo', 'id-token', 'oauth-profile'] as const
  return { userName: sub, answers: names.map((name) => ({ name, text: JSON.stringify(texts[name], null, 2) })) }
}
