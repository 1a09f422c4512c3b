import { createHmac } from 'node:crypto'
import type { OAuth2Settings } from '#shared/contract/oauth2-settings.ts'
import { filledTemplate, tokenRequest } from '#shared/rules/oauth2-requests.ts'
import { callProvider } from '../call-provider.service.ts'
import { type ConnectorContext, ConnectorFault } from '../connector.types.ts'
import { textAtPointer } from '../json-pointer.rules.ts'
import { requireSuccess } from './provider-response.rules.ts'

type TokenRequest = { tokenUrl: string; parameters: Record<string, string> }

/** Requests a token. @returns the whole answer, and the token in it. @throws ConnectorFault */
export async function requestToken(context: ConnectorContext, settings: OAuth2Settings, wanted: TokenRequest) {
  const { token: call } = settings
  const request = tokenRequest(settings, { ...wanted, values: templateValues(context, settings) })
  const document = requireSuccess('token', await callProvider(context, { step: 'token', ...request }), call)
  const token = textAtPointer(document, call.token)
  if (token === '') throw new ConnectorFault('unusable', 'token missing')
  return { token, document }
}

function templateValues(context: ConnectorContext, { token, clientId, clientSecret = '' }: OAuth2Settings) {
  const timestamp = String(Math.floor(context.now().getTime() / 1000))
  const values: Record<string, string> = { clientId, clientSecret, timestamp }
  if (token.signature) {
    const { algorithm, text, encoding } = token.signature
    const digest = createHmac(algorithm, clientSecret).update(filledTemplate(text, values)).digest()
    values['signature'] = encoded(digest, encoding)
  }
  return values
}

function encoded(digest: Buffer, encoding: 'hex' | 'HEX' | 'base64' | 'base64-of-hex'): string {
  if (encoding === 'base64') return digest.toString('base64')
  const hex = digest.toString('hex')
  if (encoding === 'base64-of-hex') return Buffer.from(hex).toString('base64')
  return encoding === 'HEX' ? hex.toUpperCase() : hex
}
