import { withAppToken } from '../app-token.service.ts'
import type { CallBounds } from '../call-provider.service.ts'
import { type ConnectorContext, ConnectorFault } from '../connector.types.ts'
import { textAtPointer } from '../json-pointer.rules.ts'
import { callVendor, type FaultCodes, isVendorCode, lifetimeOf, tokenKey } from '../vendor-call.service.ts'

/** Of the new interface, whose codes are words, and of the old one, whose codes are numbers. */
export const CODES: FaultCodes = {
  unavailable: ['-1', 'Throttling', 'ServiceUnavailable', 'InternalError', '90018', '90002', '143103', '143104'],
  misconfigured: [
    ...['InvalidAuthentication', 'invalidClientId', 'invalidClientSecret', 'Forbidden.AccessDenied'],
    ...['40035', '40089', '40096', '60011', '60020', '88', '40014', '42001', '40056', '400002'],
  ],
  'not-visible': ['50002', '50004'],
  'not-member': ['60121', '33012'],
}
const TOKEN_CODES = ['40014', '42001']
/** A code of the old interface may be wrapped in another one. */
const oldAnswers = { codeAt: '/errcode', codes: CODES, innerCodeAt: '/sub_code' }

export type OldPlace = { host: string; clientId: string; clientSecret: string }

/** The token of the application. @throws ConnectorFault */
export async function fetchAppToken(context: ConnectorContext, { host, clientId, clientSecret }: OldPlace) {
  const query = { appkey: clientId, appsecret: clientSecret }
  const document = await callVendor(context, { step: 'token', host, path: '/gettoken', query }, oldAnswers)
  const token = textAtPointer(document, '/access_token')
  if (token === '') throw new ConnectorFault('unusable', 'token missing')
  return { token, expiresAt: new Date(context.now().getTime() + lifetimeOf(document, '/expires_in') * 1000) }
}

type OldCall = { step: string; path: string; body: object; bounds?: CallBounds }

/** A call of the old interface; a token that was ended before its time is fetched anew once. @throws ConnectorFault */
export async function callOldInterface(context: ConnectorContext, place: OldPlace, call: OldCall) {
  const { host, clientId, clientSecret } = place
  const token = {
    key: tokenKey(host, clientId, clientSecret),
    fetchToken: () => fetchAppToken(context, place),
    ended: (error: unknown) => isVendorCode(error, TOKEN_CODES),
  }
  return await withAppToken(context, token, (accessToken) =>
    callVendor(context, { ...call, host, query: { access_token: accessToken } }, oldAnswers),
  )
}
