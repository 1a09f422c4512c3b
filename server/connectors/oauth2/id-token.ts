import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { callProvider } from '../call-provider.ts'
import { ConnectorFault, type Outside } from '../connector.ts'
import type { OAuth2Settings } from './oauth2.settings.ts'
import type { Addresses } from './provider-metadata.ts'

const TOPIC = 'connectors'

/** Only public keys come out of this: a symmetric key in the set would make everybody who reads it a signer. */
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) })).max(100) })

type Expected = { idToken: NonNullable<Addresses['idToken']>; nonce: string | null; settings: OAuth2Settings }

/**
 * The claims of an ID token that this provider signed for us, for this very login.
 * @throws ConnectorFault
 */
export async function verifiedIdToken(outside: Outside, token: unknown, expected: Expected): Promise<JWTPayload> {
  if (typeof token !== 'string') throw new ConnectorFault('unusable', 'id token missing')
  const { idToken, nonce, settings } = expected
  const claims = await verify(outside, token, expected)
  if (claims.exp === undefined || claims.iat === undefined) throw new ConnectorFault('unusable', 'id token: times')
  if (nonce !== null && claims['nonce'] !== nonce) throw new ConnectorFault('unusable', 'id token: nonce')
  // Meant for several: then it must say that it was made for us.
  const { azp } = claims
  const isForSeveral = Array.isArray(claims.aud) && claims.aud.length > 1
  if ((azp !== undefined || isForSeveral) && azp !== settings.clientId) {
    throw new ConnectorFault('unusable', 'id token: azp')
  }
  if (claims.iss !== idToken.issuer) throw new ConnectorFault('unusable', 'id token: issuer')
  return claims
}

async function verify(outside: Outside, token: string, { idToken, settings }: Expected): Promise<JWTPayload> {
  const { issuer, algorithms, jwksUrl } = idToken
  const options = {
    issuer,
    algorithms,
    audience: settings.clientId,
    clockTolerance: settings.clockSkewSeconds,
    currentDate: outside.now(),
  }
  const attempt = async (keys: KeySetOf) => (await jwtVerify(token, createLocalJWKSet(keys), options)).payload
  try {
    const known = await outside.cache.read(TOPIC, `keys ${jwksUrl}`, () => fetchKeys(outside, jwksUrl))
    return await attempt(known).catch(async (error: unknown) => {
      // Signed with a key that is younger than our copy.
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      return attempt(await fetchKeys(outside, jwksUrl))
    })
  } catch (error) {
    if (error instanceof ConnectorFault) throw error
    throw new ConnectorFault('unusable', `id token: ${error instanceof errors.JOSEError ? error.code : 'unreadable'}`)
  }
}

type KeySetOf = z.output<typeof KeySet>

async function fetchKeys(outside: Outside, url: string): Promise<KeySetOf> {
  const { status, document } = await callProvider(outside, { step: 'keys', url })
  const parsed = KeySet.safeParse(document)
  if (status !== 200 || !parsed.success) throw new ConnectorFault('unusable', `keys ${status}`)
  return parsed.data
}
