import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type EventSourceKind, type SourceEvents, tellsEvents } from '#shared/contract/source-events.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import {
  decryptEvent,
  dingdingEvent,
  type EventSecrets,
  encryptEvent,
  encryptedOf,
  isSignedBy,
  parseObject,
  qywxEvent,
  signEvent,
  type VendorEvent,
} from '../../connectors/index.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, type Platform, transaction } from '../../platform/platform.ts'
import { findSource } from '../data-sources/index.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './source-events.errors.ts'
import {
  type Callback,
  countEvents,
  deleteCallback,
  deleteEvents,
  findCallback,
  insertEvents,
  type NewEvent,
  noteEcho,
  saveCallback,
} from './source-events.store.ts'

const Secrets = z.object({ token: z.string(), aesKey: z.string() })
const target = (id: string) => ({ targetKind: 'data-source', targetId: id })
const urlOf = ({ config }: Platform, id: string): string => `${config.publicUrl}/auth_service/source_events/${id}`

/** @throws Refusal `resource.not-found`, `data-source.no-events`. */
async function requireTelling(ctx: Context, id: string): Promise<{ kind: EventSourceKind; name: string }> {
  const { kind, name } = await findSource(ctx, id)
  if (!tellsEvents(kind)) throw errors['data-source.no-events']()
  return { kind, name }
}

/** @throws Refusal `resource.not-found`, `data-source.no-events`. */
export async function describeEvents(ctx: Context, id: string): Promise<SourceEvents> {
  await requireTelling(ctx, id)
  const callback = await findCallback(ctx.db, id)
  return {
    url: urlOf(ctx, id),
    setUpAt: toIso(callback?.setUpAt ?? null),
    echoedAt: toIso(callback?.echoedAt ?? null),
    lastEventAt: toIso(callback?.lastEventAt ?? null),
    received: await countEvents(ctx.db, id, new Date(ctx.now().getTime() - DAY_MS)),
  }
}

/** Letters and digits, as both vendors require for the token and the key. */
function randomText(length: number): string {
  let text = ''
  while (text.length < length)
    text += randomBytes(length)
      .toString('base64')
      .replaceAll(/[^A-Za-z0-9]/g, '')
  return text.slice(0, length)
}

const TOKEN_LENGTH = 32
/** 32 bytes in base64 without the `=`; the last character has two spare bits, which `A` leaves empty. */
const KEY_LENGTH = 43

/** @throws Refusal `resource.not-found`, `data-source.no-events`. */
export async function setUpEvents(ctx: Context, id: string) {
  return await transaction(ctx, async (inner) => {
    const { name } = await requireTelling(inner, id)
    const secrets = { token: randomText(TOKEN_LENGTH), aesKey: `${randomText(KEY_LENGTH - 1)}A` }
    await saveCallback(inner.db, id, inner.secrets.seal(JSON.stringify(secrets)), inner.now())
    await recordAudit(inner, { action: 'data-source.set-up-events', ...target(id), after: { name } })
    return { url: urlOf(inner, id), ...secrets }
  })
}

/** @throws Refusal `resource.not-found`, `data-source.no-events`. */
export async function removeEvents(ctx: Context, id: string): Promise<null> {
  return await transaction(ctx, async (inner) => {
    const { name } = await requireTelling(inner, id)
    if (await deleteCallback(inner.db, id))
      await recordAudit(inner, { action: 'data-source.remove-events', ...target(id), before: { name } })
    return null
  })
}

/** The parameters in the address of a call. */
export type Query = Readonly<Record<string, string>>

/** Calls with a larger clock difference are rejected, as they may be replays. */
const MAX_SKEW_MS = 3_600_000

/** WeCom sends seconds, DingTalk milliseconds. */
const timeOf = (timestamp: string): number => Number(timestamp) * (timestamp.length > 11 ? 1 : 1000)

type Opened = { kind: EventSourceKind; secrets: EventSecrets; message: string }

/** The content of a call; null: not from the vendor, or too old. */
function openCall(
  ctx: Context,
  { kind, receiver, ...callback }: Callback,
  query: Query,
  encrypted: string,
): Opened | null {
  const { timestamp = '', nonce = '' } = query
  if (!tellsEvents(kind) || encrypted === '') return null
  const secrets = { ...Secrets.parse(JSON.parse(ctx.secrets.open(callback.secrets))), receiver }
  const signature = query['msg_signature'] ?? query['signature'] ?? ''
  if (!isSignedBy(secrets.token, { timestamp, nonce, encrypted }, signature)) return null
  if (!(Math.abs(timeOf(timestamp) - ctx.now().getTime()) <= MAX_SKEW_MS)) return null
  const message = decryptEvent(secrets, encrypted)
  return message === null ? null : { kind, secrets, message }
}

/** Answers WeCom's verification of the address. @returns the expected text; null: it was not WeCom. */
export async function answerEcho(ctx: Context, id: string, query: Query): Promise<string | null> {
  const callback = await findCallback(ctx.db, id)
  const opened = callback && openCall(ctx, callback, query, query['echostr'] ?? '')
  if (opened?.kind !== 'wecom') return null
  await noteEcho(ctx.db, id, ctx.now())
  return opened.message
}

export type Answer = { type: 'text/plain' | 'application/json'; text: string }

/** Stores an event, and answers as the vendor expects; null: it was not from the vendor. The changes are read later. */
export async function takeEvent(ctx: Context, id: string, query: Query, body: string): Promise<Answer | null> {
  const callback = await findCallback(ctx.db, id)
  if (!callback) return null
  const encrypted = body.startsWith('{') ? parseObject(body)['encrypt'] : encryptedOf(body)
  const opened = typeof encrypted === 'string' ? openCall(ctx, callback, query, encrypted) : null
  if (!opened) return null
  const event = (opened.kind === 'wecom' ? qywxEvent : dingdingEvent)(opened.message)
  if (!event) return null
  await keep(ctx, id, event, opened.message)
  return opened.kind === 'wecom' ? { type: 'text/plain', text: '' } : encryptedSuccess(ctx, opened.secrets)
}

async function keep(ctx: Context, id: string, event: VendorEvent, message: string): Promise<void> {
  const at = ctx.now()
  if (event.isEcho) return void (await noteEcho(ctx.db, id, at))
  const digest = createHash('sha256').update(message).digest()
  await keepTogether(ctx, id, { ...event, digest })
}

type Batch = { events: NewEvent[]; done: Promise<void> }

/** By database and source: the batch being written, and the one collected meanwhile. */
const batches = new WeakMap<object, Map<string, { writing: Promise<unknown>; next: Batch | null }>>()

/** Collects events while others are being written, so that a burst uses a single connection. */
function keepTogether(ctx: Context, id: string, event: NewEvent): Promise<void> {
  const known = batches.get(ctx.sql) ?? new Map()
  batches.set(ctx.sql, known)
  const state = known.get(id) ?? { writing: Promise.resolve(), next: null }
  known.set(id, state)
  if (state.next) {
    state.next.events.push(event)
    return state.next.done
  }
  const events = [event]
  const write = async () => {
    state.next = null
    // By the clock that runs are dated with: an event counts as read if a run started after it.
    await transaction(ctx, async (inner) => insertEvents(inner.db, id, events, await inner.sharedNow(inner.db)))
  }
  const done: Promise<void> = state.writing.then(write)
  state.next = { events, done }
  state.writing = done.catch(() => {})
  void state.writing.then(() => state.next === null && known.delete(id))
  return done
}

function encryptedSuccess(ctx: Context, secrets: EventSecrets): Answer {
  const timestamp = String(ctx.now().getTime())
  const nonce = randomText(8)
  const encrypted = encryptEvent(secrets, 'success', randomBytes(16))
  const signature = signEvent(secrets.token, { timestamp, nonce, encrypted })
  const answer = { msg_signature: signature, timeStamp: timestamp, nonce, encrypt: encrypted }
  return { type: 'application/json', text: JSON.stringify(answer) }
}

const KEPT_DAYS = 3

/** Nightly. Events are kept longer than a call is accepted, so that none counts twice. */
export async function forgetEvents({ sql, sharedNow }: Platform): Promise<void> {
  await deleteEvents(sql, new Date((await sharedNow(sql)).getTime() - KEPT_DAYS * DAY_MS))
}
