import type { JWTPayload } from 'jose'
import { appToken } from '../app-token.ts'
import { callProvider } from '../call-provider.ts'
import {
  type Attempt,
  CLAIMS,
  type Claims,
  ConnectorFault,
  type Outside,
  type ThirdPartyIdentity,
} from '../connector.ts'
import { pointedAt, textAt } from '../json-pointer.ts'
import { stableSubject } from '../stable-subject.ts'
import { verifiedIdToken } from './id-token.ts'
import type { OAuth2Settings } from './oauth2.settings.ts'
import { successful } from './provider-answer.ts'
import type { Addresses } from './provider-metadata.ts'
import { askForToken, named, withParameters } from './token-call.ts'

type Exchange = { settings: OAuth2Settings; addresses: Addresses; attempt: Attempt; code: string }

/** Redeems the code and asks who came. @throws ConnectorFault */
export async function whoIsIt(outside: Outside, exchange: Exchange): Promise<ThirdPartyIdentity> {
  const { settings, addresses } = exchange
  if (settings.token.of === 'app') {
    const document = await withAppToken(outside, exchange)
    return identityFrom(settings, document, settings.realm ?? settings.clientId)
  }
  const { token, document } = await redeem(outside, exchange)
  const idToken = addresses.idToken ? await readIdToken(outside, exchange, addresses.idToken, document) : null
  const user = addresses.userUrl ? await askUser(outside, exchange, addresses.userUrl, { token }) : null
  // A user call that answers about somebody else than the token was made for (OpenID Connect Core, 5.3.2).
  if (idToken && user && textAt(user, '/sub') !== idToken.sub)
    throw new ConnectorFault('unusable', 'user: other subject')
  const about = idToken ? { ...idToken, ...user } : (user ?? document)
  return identityFrom(settings, about, settings.realm ?? addresses.idToken?.issuer ?? settings.clientId)
}

function redeem(outside: Outside, { settings, addresses, attempt, code }: Exchange) {
  const { names, clientId, pkce, token } = settings
  const parameters = named([
    [names.grantType, 'authorization_code'],
    [names.code, code],
    [names.redirectUri, attempt.redirectUri],
    // A public client has nothing else to say who it is.
    [names.clientId, token.auth === 'none' ? clientId : undefined],
    ['code_verifier', pkce ? attempt.codeVerifier : undefined],
  ])
  return askForToken(outside, settings, { tokenUrl: addresses.tokenUrl, parameters })
}

function readIdToken(
  outside: Outside,
  { settings, attempt }: Exchange,
  idToken: NonNullable<Addresses['idToken']>,
  document: unknown,
): Promise<JWTPayload> {
  const nonce = settings.nonce ? attempt.nonce : null
  return verifiedIdToken(outside, pointedAt(document, '/id_token'), { idToken, nonce, settings })
}

async function withAppToken(outside: Outside, exchange: Exchange): Promise<object> {
  const { settings, addresses, code } = exchange
  const { userUrl, tokenUrl } = addresses
  if (!userUrl) throw new ConnectorFault('unusable', 'no user address')
  const fetchToken = async () => {
    const { token, document } = await askForToken(outside, settings, { tokenUrl, parameters: {} })
    const seconds = Number(textAt(document, settings.token.expiresIn)) || 7200
    return { token, expiresAt: new Date(outside.now().getTime() + seconds * 1000) }
  }
  const key = `${tokenUrl} ${settings.clientId}`
  const token = await appToken(key, outside.now(), fetchToken)
  const extra = named([[settings.names.code, code]])
  try {
    return await askUser(outside, exchange, userUrl, { token, extra })
  } catch (error) {
    if (!(error instanceof ConnectorFault) || error.reason !== 'refused') throw error
    // Perhaps it was renewed elsewhere, which ended ours. Whatever else was wrong is wrong again.
    const other = await appToken(key, outside.now(), fetchToken, token)
    return askUser(outside, exchange, userUrl, { token: other, extra })
  }
}

type UserQuestion = { token: string; extra?: Record<string, string> }

async function askUser(
  outside: Outside,
  { settings }: Exchange,
  userUrl: string,
  { token, extra = {} }: UserQuestion,
): Promise<object> {
  const { user: call } = settings
  const sent = {
    ...extra,
    ...call.extra,
    ...((call.token === 'query' || call.token === 'body') && { [call.tokenName]: token }),
  }
  const inBody = call.method === 'POST'
  const answer = await callProvider(outside, {
    step: 'user',
    url: inBody ? userUrl : withParameters(userUrl, sent),
    method: call.method,
    headers: {
      accept: 'application/json',
      ...(call.token === 'bearer' && { authorization: `Bearer ${token}` }),
      ...(call.token === 'header' && { [call.tokenName]: token }),
      ...(inBody && { 'content-type': 'application/json' }),
    },
    ...(inBody && { body: JSON.stringify(sent) }),
  })
  const document = successful('user', answer, call)
  return typeof document === 'object' && document !== null ? document : {}
}

type ClaimMap = OAuth2Settings['claims']

const said = (document: unknown, pointer: string | null): string =>
  pointer === null ? '' : textAt(document, pointer).slice(0, 500)

/** How several languages write "true". */
const YES: readonly unknown[] = [true, 'true', 1, '1']
const isTrue = (document: unknown, pointer: string | null): boolean =>
  pointer !== null && YES.includes(pointedAt(document, pointer))

function claimsFrom(document: unknown, map: ClaimMap, values: OAuth2Settings['values']): Claims {
  const read = CLAIMS.map((name) => [name, said(document, map[name])] as const)
  const role = said(document, map.role)
  const orgCode = said(document, map.orgCode)
  const translated = { role: values.role?.[role] ?? role, orgCode: values.orgCode?.[orgCode] ?? orgCode }
  return Object.fromEntries(
    Object.entries({ ...Object.fromEntries(read), ...translated }).filter(([, text]) => text !== ''),
  )
}

/** Reads the claims by their pointers. Only the subject has to be there. */
function identityFrom(settings: OAuth2Settings, document: unknown, realm: string): ThirdPartyIdentity {
  const { claims: map, values, verifies } = settings
  const isVerified = {
    phone: verifies.includes('phone') || isTrue(document, map.phoneVerified),
    mailbox: verifies.includes('mailbox') || isTrue(document, map.mailboxVerified),
  }
  return {
    realm,
    subject: stableSubject(pointedAt(document, map.subject)),
    claims: claimsFrom(document, map, values),
    verified: (['phone', 'mailbox'] as const).filter((name) => isVerified[name]),
  }
}
