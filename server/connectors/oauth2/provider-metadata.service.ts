import { z } from 'zod'
import type { OAuth2Settings } from '#shared/contract/oauth2-settings.ts'
import { parseWebAddress } from '#shared/rules/redirect-target.ts'
import { callProvider } from '../call-provider.service.ts'
import { type ConnectorContext, ConnectorFault } from '../connector.types.ts'

const TOPIC = 'connectors'

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string().optional(),
  token_endpoint: z.string().optional(),
  userinfo_endpoint: z.string().optional(),
  jwks_uri: z.string().optional(),
})

/** The endpoints, from the settings first and the discovery document for the rest. */
export type Endpoints = {
  authorizeUrl: string
  tokenUrl: string
  userUrl: string | null
  idToken: { issuer: string; jwksUrl: string; algorithms: string[] } | null
}

const WELL_KNOWN = '/.well-known/openid-configuration'
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA']

/** @throws ConnectorFault if the discovery document can't be fetched, is another issuer's, or contains disallowed hosts. */
export async function loadEndpoints(context: ConnectorContext, settings: OAuth2Settings): Promise<Endpoints> {
  const { authorizeUrl = '', tokenUrl = '', userUrl = null, idToken, discoveryUrl } = settings
  if (!discoveryUrl) return { authorizeUrl, tokenUrl, userUrl, idToken }
  const found = await context.cache.read(TOPIC, `metadata ${discoveryUrl}`, () => fetchMetadata(context, discoveryUrl))
  const home = new URL(discoveryUrl).origin
  const vetted = (address: string | undefined): string => {
    const origin = parseWebAddress(address)?.origin
    if (!address || !origin) throw new ConnectorFault('unusable', 'discovery: address missing')
    // Whoever writes that document must not be able to make us call our own network.
    if (origin !== home && !settings.origins.includes(origin)) throw new ConnectorFault('unusable', 'discovery: origin')
    return address
  }
  return {
    authorizeUrl: authorizeUrl || vetted(found.authorization_endpoint),
    tokenUrl: tokenUrl || vetted(found.token_endpoint),
    userUrl: userUrl ?? (found.userinfo_endpoint ? vetted(found.userinfo_endpoint) : null),
    idToken: idToken ?? { issuer: found.issuer, jwksUrl: vetted(found.jwks_uri), algorithms: ALGORITHMS },
  }
}

async function fetchMetadata(context: ConnectorContext, url: string) {
  const { status, document } = await callProvider(context, { step: 'discovery', url })
  const parsed = Metadata.safeParse(document)
  if (status !== 200 || !parsed.success) throw new ConnectorFault('unusable', `discovery ${status}`)
  // A document for another issuer would let one provider impersonate another.
  if (`${parsed.data.issuer.replace(/\/$/, '')}${WELL_KNOWN}` !== url) {
    throw new ConnectorFault('unusable', 'discovery: issuer')
  }
  return parsed.data
}
