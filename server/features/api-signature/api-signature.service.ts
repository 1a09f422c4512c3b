import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { MAX_CLOCK_SKEW_MS, textToSign, WEB_APP_KEY } from '#shared/contract/signature.ts'
import { isSameSecret, sha256 } from '../../platform/crypto.ts'
import { errors } from '../../platform/errors.ts'
import { rawBodyOf } from '../../platform/http/server.ts'
import type { Platform } from '../../platform/platform.ts'
import { insertMark } from './api-signature.store.ts'

const UUIDS = /^[A-Za-z0-9-]{16,64}$/
const TIMESTAMP = /^\d{1,15}$/

/** A request may be dated ahead by the allowed skew and stays acceptable as long afterwards: its mark must outlive both. */
const REPLAY_WINDOW_MS = 3 * MAX_CLOCK_SKEW_MS

/**
 * Integrity and replay protection of the API (decisions, section 4). The web application's key is public, so a valid signature never
 * identifies a person.
 * @throws Refusal `request.clock-skew` (data: the server's time in ms), `request.bad-signature`, `request.replayed`, and
 *   `request.unsupported-media-type` for a body that the signature would not cover.
 */
export async function verifySignature(platform: Platform, request: FastifyRequest, endpoint: Endpoint): Promise<void> {
  const signed = parseSignedText(platform, request)
  if (!isSignedWith(WEB_APP_KEY, signed)) throw errors['request.bad-signature']()
  if (endpoint.method === 'GET') return
  await rejectReplay(platform, WEB_APP_KEY, signed)
}

export type SignedText = { text: string; sign: string; uuids: string }

/** The signed parts of a request. @throws Refusal as `verifySignature`, for what is wrong before any key is tried. */
export function parseSignedText(platform: Platform, request: FastifyRequest): SignedText {
  const { timestamp, sign } = request.headers
  const [path = '', search = ''] = splitOnce(request.url, '?')
  const query = queryOf(search)
  const [uuids = '', ...moreUuids] = query?.getAll('uuids') ?? []
  if (typeof timestamp !== 'string' || !TIMESTAMP.test(timestamp)) throw errors['request.bad-signature']()
  if (!query || !UUIDS.test(uuids) || moreUuids.length > 0) throw errors['request.bad-signature']()
  const now = platform.now().getTime()
  if (Math.abs(now - Number(timestamp)) > MAX_CLOCK_SKEW_MS) {
    throw errors['request.clock-skew']({ data: { serverTime: now } })
  }
  if (isForm(request)) throw errors['request.unsupported-media-type']()
  const text = textToSign(timestamp, request.method, path, query, rawBodyOf(request))
  return { text, sign: typeof sign === 'string' ? sign : '', uuids }
}

export function isSignedWith(key: string, { text, sign }: SignedText): boolean {
  return isSameSecret(sign, createHmac('sha256', key).update(text).digest('hex').toUpperCase())
}

/**
 * Remembers the request's `uuids` for its signer. Call only after verifying the signature: nobody else must be able to fill the table.
 * @throws Refusal `request.replayed` for every copy but the first.
 */
export async function rejectReplay(platform: Platform, signer: string, { uuids }: SignedText): Promise<void> {
  const until = new Date(platform.now().getTime() + REPLAY_WINDOW_MS)
  const first = await insertMark(platform.sql, sha256(`${signer}\n${uuids}`), until)
  if (!first) throw errors['request.replayed']()
}

/** A form body reaches the handler without being part of the signed text. */
const isForm = (request: FastifyRequest): boolean =>
  (request.headers['content-type'] ?? '').toLowerCase().startsWith('application/x-www-form-urlencoded')

/** Null if an escape is invalid: parsers disagree on such a query. */
function queryOf(search: string): URLSearchParams | null {
  try {
    decodeURIComponent(search)
    return new URLSearchParams(search)
  } catch {
    return null
  }
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
