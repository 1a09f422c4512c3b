import type { JWTPayload } from 'jose'
import type { OAuth2Settings } from '#shared/contract/oauth2-settings.ts'
import { codeParameters, definedParameters, userRequest } from '#shared/rules/oauth2-requests.ts'
import { getAppToken } from '../app-token.service.ts'
import { callProvider } from '../call-provider.service.ts'
import {
  type AuthorizationAttempt,
  CLAIMS,
  type Claims,
  type ConnectorContext,
  ConnectorFault,
  type ThirdPartyIdentity,
} from '../connector.types.ts'
import { resolvePointer, textAtPointer } from '../json-pointer.rules.ts'
import { parseSubject } from '../subject.rules.ts'
import { tokenKey } from '../vendor-call.service.ts'
import { verifyIdToken } from './id-token.service.ts'
import type { Endpoints } from './provider-metadata.service.ts'
import { requireSuccess } from './provider-response.rules.ts'
import { requestToken } from './token-request.service.ts'

type CodeExchange = { settings: OAuth2Settings; addresses: Endpoints; attempt: AuthorizationAttempt; code: string }

/** Redeems the code and requests the identity. @throws ConnectorFault */
export async function fetchIdentity(context: ConnectorContext, exchange: CodeExchange): Promise<ThirdPartyIdentity> {
  const { settings, addresses } = exchange
  if (settings.token.of === 'app') {
    const document = await fetchUserWithAppToken(context, exchange)
    return toIdentity(settings, document, settings.realm ?? settings.clientId)
  }
  const { token, document } = await redeemCode(context, exchange)
  const idToken = addresses.idToken ? await readIdToken(context, exchange, addresses.idToken, document) : null
  const user = addresses.userUrl ? await fetchUser(context, exchange, addresses.userUrl, { token }) : null
  // The user call answers about somebody else than the token was issued for (OpenID Connect Core, 5.3.2).
  if (idToken && user && textAtPointer(user, '/sub') !== idToken.sub)
    throw new ConnectorFault('unusable', 'user: other subject')
  const subject = idToken ? { ...idToken, ...user } : (user ?? document)
  return toIdentity(settings, subject, settings.realm ?? addresses.idToken?.issuer ?? settings.clientId)
}

function redeemCode(context: ConnectorContext, { settings, addresses, attempt, code }: CodeExchange) {
  const { redirectUri, codeVerifier } = attempt
  const parameters = codeParameters(settings, { code, redirectUri, codeVerifier })
  return requestToken(context, settings, { tokenUrl: addresses.tokenUrl, parameters })
}

function readIdToken(
  context: ConnectorContext,
  { settings, attempt }: CodeExchange,
  idToken: NonNullable<Endpoints['idToken']>,
  document: unknown,
): Promise<JWTPayload> {
  const nonce = settings.nonce ? attempt.nonce : null
  return verifyIdToken(context, resolvePointer(document, '/id_token'), { idToken, nonce, settings })
}

async function fetchUserWithAppToken(context: ConnectorContext, exchange: CodeExchange): Promise<object> {
  const { settings, addresses, code } = exchange
  const { userUrl, tokenUrl } = addresses
  if (!userUrl) throw new ConnectorFault('unusable', 'no user address')
  const fetchToken = async () => {
    const { token, document } = await requestToken(context, settings, { tokenUrl, parameters: {} })
    const seconds = Number(textAtPointer(document, settings.token.expiresIn)) || 7200
    return { token, expiresAt: new Date(context.now().getTime() + seconds * 1000) }
  }
  const key = tokenKey(tokenUrl, settings.clientId, settings.clientSecret ?? '')
  const token = await getAppToken(context, key, fetchToken)
  const extra = definedParameters([[settings.names.code, code]])
  try {
    return await fetchUser(context, exchange, userUrl, { token, extra })
  } catch (error) {
    if (!(error instanceof ConnectorFault) || error.reason !== 'refused') throw error
    // Perhaps it was renewed elsewhere, which invalidated ours. Any other error will repeat.
    const other = await getAppToken(context, key, fetchToken, token)
    return fetchUser(context, exchange, userUrl, { token: other, extra })
  }
}

type UserRequest = { token: string; extra?: Record<string, string> }

async function fetchUser(
  context: ConnectorContext,
  { settings }: CodeExchange,
  userUrl: string,
  { token, extra }: UserRequest,
): Promise<object> {
  const request = userRequest(settings, { userUrl, token, ...(extra && { extra }) })
  const response = await callProvider(context, { step: 'user', ...request })
  const document = requireSuccess('user', response, settings.user)
  return typeof document === 'object' && document !== null ? document : {}
}

type ClaimMap = OAuth2Settings['claims']

const claimText = (document: unknown, pointer: string | null): string =>
  pointer === null ? '' : textAtPointer(document, pointer).slice(0, 500)

/** Spellings of "true" in several languages. */
const TRUE_VALUES: readonly unknown[] = [true, 'true', 1, '1']
const isTrue = (document: unknown, pointer: string | null): boolean =>
  pointer !== null && TRUE_VALUES.includes(resolvePointer(document, pointer))

function toClaims(document: unknown, map: ClaimMap, values: OAuth2Settings['values']): Claims {
  const read = CLAIMS.map((name) => [name, claimText(document, map[name])] as const)
  const role = claimText(document, map.role)
  const orgCode = claimText(document, map.orgCode)
  const translated = { role: values.role?.[role] ?? role, orgCode: values.orgCode?.[orgCode] ?? orgCode }
  return Object.fromEntries(
    Object.entries({ ...Object.fromEntries(read), ...translated }).filter(([, text]) => text !== ''),
  )
}

/** Reads the claims by their pointers. Only the subject is required. */
function toIdentity(settings: OAuth2Settings, document: unknown, realm: string): ThirdPartyIdentity {
  const { claims: map, values, verifies } = settings
  const isVerified = {
    phone: verifies.includes('phone') || isTrue(document, map.phoneVerified),
    mailbox: verifies.includes('mailbox') || isTrue(document, map.mailboxVerified),
  }
  return {
    realm,
    subject: parseSubject(resolvePointer(document, map.subject)),
    claims: toClaims(document, map, values),
    verified: (['phone', 'mailbox'] as const).filter((name) => isVerified[name]),
  }
}
