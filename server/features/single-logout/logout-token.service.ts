import { randomToken } from '../../platform/crypto.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Application } from '../applications/index.ts'
import { issuerOf, signJwt } from '../signing-keys/index.ts'
import type { Delivery } from './deliveries.store.ts'

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const LIFETIME_SECONDS = 120

/** OpenID Connect Back-Channel Logout 1.0, section 2.4: no nonce, so that it is never accepted as an ID token. */
export function signLogoutToken(platform: Platform, { client }: Application, delivery: Delivery): Promise<string> {
  const iat = Math.floor(platform.now().getTime() / 1000)
  const claims = {
    iss: issuerOf(platform.config),
    aud: client?.clientId,
    iat,
    exp: iat + LIFETIME_SECONDS,
    jti: randomToken(22),
    ...(delivery.subject && { sub: delivery.subject }),
    sid: delivery.ticket,
    events: { [LOGOUT_EVENT]: {} },
  }
  return signJwt(platform, claims, { alg: client?.idTokenAlg ?? 'RS256', typ: 'logout+jwt' })
}
