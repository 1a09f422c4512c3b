import { X509Certificate } from 'node:crypto'
import type { z } from 'zod'
import { type LogStream, LogStreamFields, MAX_LOG_STREAMS, type moveLogStream } from '#shared/contract/log-streams.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import { MINUTE_MS } from '#shared/rules/durations.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { resolveStoredSecret } from '../../platform/stored-secret.ts'
import { recordAudit } from '../records/index.ts'
import { countNamed, lockResource, resourceService } from '../resources/index.ts'
import { errors } from './log-streams.errors.ts'
import {
  deleteOtherCursors,
  ensureCursors,
  findSecret,
  listCursors,
  moveCursors,
  type StoredCursor,
  type StoredStream,
  type StreamQuery,
  streamsStore,
  wakeSenders,
} from './log-streams.store.ts'
import { countWaiting } from './stream-records.store.ts'

/** Who can verify or see what the secret signs. */
const destinationOf = ({ kind, url }: LogStreamFields) => ({ kind, url })

const MIN_SECRET = 16

/** @throws Refusal `settings.secret-needed`. */
async function resolveSecret(ctx: Context, fields: LogStreamFields, id: string | null): Promise<string> {
  const [stored] = id === null || fields.secret !== SECRET_PLACEHOLDER ? [] : await streamsStore.find(ctx, [id])
  return resolveStoredSecret(
    { secret: fields.secret, destination: destinationOf(fields) },
    stored && id !== null ? { secret: await findSecret(ctx, id), destination: destinationOf(stored) } : null,
  )
}

const NO_SYSLOG = { host: '', port: 0, tls: 'verify', ca: '', facility: 13 } as const
const NO_ENDPOINT = { url: '', secret: '' } as const

/** The fields that its kind has, validated. @throws Refusal `log-stream.incomplete`, `log-stream.bad-ca`, `log-stream.weak-secret`. */
function checkedFields(fields: LogStreamFields): LogStreamFields {
  const incomplete = (field: string) => errors['log-stream.incomplete']({ data: { fields: [field] } })
  if (fields.kind === 'https') {
    if (fields.url === '') throw incomplete('url')
    if (fields.secret === '') throw incomplete('secret')
    if (fields.secret !== SECRET_PLACEHOLDER && fields.secret.length < MIN_SECRET) {
      throw errors['log-stream.weak-secret']({ params: { least: MIN_SECRET }, data: { fields: ['secret'] } })
    }
    return { ...fields, ...NO_SYSLOG }
  }
  if (fields.host === '' || /[/\s?#@]/.test(fields.host)) throw incomplete('host')
  if (fields.ca !== '' && !isCertificate(fields.ca)) throw errors['log-stream.bad-ca']({ data: { fields: ['ca'] } })
  return { ...fields, ...NO_ENDPOINT }
}

function isCertificate(pem: string): boolean {
  try {
    return Boolean(new X509Certificate(pem))
  } catch {
    return false
  }
}

export const streamsService = resourceService<LogStreamFields, StoredStream, StreamQuery>({
  kind: 'log-stream',
  fields: LogStreamFields,
  store: streamsStore,
  async check(ctx, given, id) {
    const fields = checkedFields(given)
    const { count, isTaken } = await countNamed(ctx.db, 'log_streams', fields.name, id)
    if (isTaken) throw errors['log-stream.name-taken']({ params: { name: fields.name }, data: { fields: ['name'] } })
    if (id === null && count >= MAX_LOG_STREAMS) {
      throw errors['log-stream.too-many']({ params: { most: MAX_LOG_STREAMS } })
    }
    await resolveSecret(ctx, fields, id)
    return fields
  },
  /** A newly added log starts with records written from now on. */
  async changed(ctx, { id, after }) {
    if (!after) return
    const { logs } = LogStreamFields.parse(after)
    await deleteOtherCursors(ctx.db, id, logs)
    await ensureCursors(ctx.db, id, logs, ctx.now())
    await wakeSenders(ctx.db)
  },
})

export const logStreamRestorer = streamsService.restorer

/** Waiting records are counted up to this; beyond, only that there are more. */
const MAX_WAITING = 10_000
/** Records waiting longer than this are reported: they should have been sent. */
const BEHIND_MS = 5 * MINUTE_MS

/** A stream with the numbers of sent and waiting records. */
export async function describeStream(ctx: Context, stream: StoredStream): Promise<LogStream> {
  const [described] = await describeStreams(ctx, [stream])
  if (!described) throw new Error('described none')
  return described
}

export async function describeStreams(ctx: Context, streams: readonly StoredStream[]): Promise<LogStream[]> {
  const stored = await listCursors(
    ctx.db,
    streams.map(({ id }) => id),
  )
  const all: LogStream[] = []
  for (const stream of streams) {
    const cursors: LogStream['cursors'] = []
    for (const cursor of stored) if (cursor.streamId === stream.id) cursors.push(await describeCursor(ctx, cursor))
    const { updatedAt, sentAt, problemAt, nextAttemptAt, ...rest } = stream
    const state = stateOf(stream, cursors, ctx.now())
    const times = { sentAt: toIso(sentAt), problemAt: toIso(problemAt), nextAttemptAt: toIso(nextAttemptAt) }
    all.push({ ...rest, ...times, updatedAt: updatedAt.toISOString(), state, cursors })
  }
  return all
}

async function describeCursor({ db }: Context, { log, at, position, sent }: StoredCursor) {
  const { count, since } = await countWaiting(db, log, position, MAX_WAITING + 1)
  const waiting = { waiting: Math.min(count, MAX_WAITING), isMore: count > MAX_WAITING, waitingSince: toIso(since) }
  return { log, at: at.toISOString(), sent, ...waiting }
}

function stateOf({ enabled, failures }: StoredStream, cursors: LogStream['cursors'], now: Date): LogStream['state'] {
  if (!enabled) return 'paused'
  if (failures > 0) return 'failing'
  const isLate = cursors.some(
    ({ waitingSince }) => waitingSince && now.getTime() - Date.parse(waitingSince) > BEHIND_MS,
  )
  return isLate ? 'behind' : 'current'
}

export async function pageStreams(ctx: Context, query: StreamQuery) {
  const { records, ...total } = await streamsService.page(ctx, query)
  return { records: await describeStreams(ctx, records), ...total }
}

type Move = z.output<(typeof moveLogStream)['body']>

/** @throws Refusal `resource.not-found`, `log-stream.in-future`. */
export async function moveStream(ctx: Context, id: string, { to, reason }: Move): Promise<LogStream> {
  const time = new Date(to)
  if (time > ctx.now()) throw errors['log-stream.in-future']({ data: { fields: ['to'] } })
  return await transaction(ctx, async (inner) => {
    await lockResource(inner.db, 'log-stream')
    const before = await describeStream(inner, await streamsService.get(inner, id))
    await moveCursors(inner.db, id, time)
    await wakeSenders(inner.db)
    await recordAudit(inner, {
      action: 'log-stream.move',
      targetKind: 'log-stream',
      targetId: id,
      before: Object.fromEntries(before.cursors.map(({ log, at }) => [log, at])),
      after: Object.fromEntries(before.cursors.map(({ log }) => [log, time.toISOString()])),
      reason,
    })
    return await describeStream(inner, await streamsService.get(inner, id))
  })
}
