import { createHmac } from 'node:crypto'
import { callProvider } from '../call-provider.service.ts'
import { type ConnectorContext, ConnectorFault } from '../connector.types.ts'
import { textAtPointer } from '../json-pointer.rules.ts'
import type { OAuth2Settings } from './oauth2.settings.ts'
import { requireSuccess } from './provider-response.rules.ts'

/** Parameters by the names that this provider gives them; one without a name is not sent. */
export function definedParameters(
  pairs: readonly (readonly [name: string, value: string | undefined])[],
): Record<string, string> {
  return Object.fromEntries(
    pairs.flatMap(([name, value]) => (name === '' || value === undefined ? [] : [[name, value]])),
  )
}

/** An address with more parameters; those that it already has stay. */
export function withParameters(address: string, parameters: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

type TokenRequest = { tokenUrl: string; parameters: Record<string, string> }

/** Asks for a token. @returns the whole answer, and the token in it. @throws ConnectorFault */
export async function requestToken(
  context: ConnectorContext,
  settings: OAuth2Settings,
  { tokenUrl, parameters }: TokenRequest,
) {
  const { token: call } = settings
  const secrets = call.auth === 'body' ? clientCredentials(settings) : {}
  const fields = { ...parameters, ...secrets, ...call.extra }
  const inQuery = call.body === 'query' || call.method === 'GET'
  const response = await callProvider(context, {
    step: 'token',
    url: inQuery ? withParameters(tokenUrl, fields) : tokenUrl,
    method: call.method,
    headers: {
      accept: 'application/json',
      ...basicAuth(settings),
      ...(!inQuery && { 'content-type': MEDIA_TYPES[call.body === 'json' ? 'json' : 'form'] }),
      ...signedHeaders(context, settings),
    },
    ...(!inQuery && { body: call.body === 'json' ? JSON.stringify(fields) : new URLSearchParams(fields).toString() }),
  })
  const document = requireSuccess('token', response, call)
  const token = textAtPointer(document, call.token)
  if (token === '') throw new ConnectorFault('unusable', 'token missing')
  return { token, document }
}

const MEDIA_TYPES = { form: 'application/x-www-form-urlencoded', json: 'application/json' }

const clientCredentials = ({ names, clientId, clientSecret }: OAuth2Settings) =>
  definedParameters([
    [names.clientId, clientId],
    [names.clientSecret, clientSecret],
  ])

/** RFC 6749, 2.3.1: both halves form-encoded first. */
function basicAuth({ token, clientId, clientSecret }: OAuth2Settings): Record<string, string> {
  if (token.auth !== 'basic' || clientSecret === undefined) return {}
  const half = (text: string) => new URLSearchParams({ x: text }).toString().slice(2)
  return { authorization: `Basic ${Buffer.from(`${half(clientId)}:${half(clientSecret)}`).toString('base64')}` }
}

function signedHeaders(context: ConnectorContext, { token, clientId, clientSecret = '' }: OAuth2Settings) {
  const timestamp = String(Math.floor(context.now().getTime() / 1000))
  const values: Record<string, string> = { clientId, clientSecret, timestamp }
  const filled = (template: string) => template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
  if (token.signature) {
    const { algorithm, text, encoding } = token.signature
    values['signature'] = encoded(createHmac(algorithm, clientSecret).update(filled(text)).digest(), encoding)
  }
  return Object.fromEntries(Object.entries(token.headers).map(([name, template]) => [name, filled(template)]))
}

function encoded(digest: Buffer, encoding: 'hex' | 'HEX' | 'base64' | 'base64-of-hex'): string {
  if (encoding === 'base64') return digest.toString('base64')
  const hex = digest.toString('hex')
  if (encoding === 'base64-of-hex') return Buffer.from(hex).toString('base64')
  return encoding === 'HEX' ? hex.toUpperCase() : hex
}
