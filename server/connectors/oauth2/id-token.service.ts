import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import type { OAuth2Settings } from '#shared/contract/oauth2-settings.ts'
import { callProvider } from '../call-provider.service.ts'
import { type ConnectorContext, ConnectorFault } from '../connector.types.ts'
import type { Endpoints } from './provider-metadata.service.ts'

const TOPIC = 'connectors'

/** Only public keys are accepted: with a symmetric key in the set, everybody who reads it could sign. */
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) })).max(100) })

type IdTokenExpectation = { idToken: NonNullable<Endpoints['idToken']>; nonce: string | null; settings: OAuth2Settings }

/**
 * The claims of an ID token that this provider signed for us, for this very login.
 * @throws ConnectorFault
 */
export async function verifyIdToken(
  context: ConnectorContext,
  token: unknown,
  expected: IdTokenExpectation,
): Promise<JWTPayload> {
  if (typeof token !== 'string') throw new ConnectorFault('unusable', 'id token missing')
  const { idToken, nonce, settings } = expected
  const claims = await verifySignature(context, token, expected)
  if (claims.exp === undefined || claims.iat === undefined) throw new ConnectorFault('unusable', 'id token: times')
  if (nonce !== null && claims['nonce'] !== nonce) throw new ConnectorFault('unusable', 'id token: nonce')
  // With several audiences it must say that it was issued for us.
  const { azp } = claims
  const isForSeveral = Array.isArray(claims.aud) && claims.aud.length > 1
  if ((azp !== undefined || isForSeveral) && azp !== settings.clientId) {
    throw new ConnectorFault('unusable', 'id token: azp')
  }
  if (claims.iss !== idToken.issuer) throw new ConnectorFault('unusable', 'id token: issuer')
  return claims
}

async function verifySignature(
  context: ConnectorContext,
  token: string,
  { idToken, settings }: IdTokenExpectation,
): Promise<JWTPayload> {
  const { issuer, algorithms, jwksUrl } = idToken
  const options = {
    issuer,
    algorithms,
    audience: settings.clientId,
    clockTolerance: settings.clockSkewSeconds,
    currentDate: context.now(),
  }
  const attempt = async (keys: ProviderKeySet) => (await jwtVerify(token, createLocalJWKSet(keys), options)).payload
  try {
    const known = await context.cache.read(TOPIC, `keys ${jwksUrl}`, () => fetchKeys(context, jwksUrl))
    return await attempt(known).catch(async (error: unknown) => {
      // Signed with a key that is newer than our copy.
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      return attempt(await fetchKeys(context, jwksUrl))
    })
  } catch (error) {
    if (error instanceof ConnectorFault) throw error
    throw new ConnectorFault('unusable', `id token: ${error instanceof errors.JOSEError ? error.code : 'unreadable'}`)
  }
}

type ProviderKeySet = z.output<typeof KeySet>

async function fetchKeys(context: ConnectorContext, url: string): Promise<ProviderKeySet> {
  const { status, document } = await callProvider(context, { step: 'keys', url })
  const parsed = KeySet.safeParse(document)
  if (status !== 200 || !parsed.success) throw new ConnectorFault('unusable', `keys ${status}`)
  return parsed.data
}
