import type { LogStream, LogStreamFields, logStreams } from '#shared/contract/log-streams.ts'
import type { RecordKind } from '#shared/contract/record-retention.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { escapeLike } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { type ResourceStore, resourceReads } from '../resources/index.ts'

export type StreamQuery = Input<typeof logStreams.list>['query']

/** A stream as stored; waiting records are counted when it is shown. */
export type StoredStream = Omit<
  LogStream,
  'state' | 'cursors' | 'updatedAt' | 'sentAt' | 'problemAt' | 'nextAttemptAt'
> & {
  updatedAt: Date
  sentAt: Date | null
  problemAt: Date | null
  nextAttemptAt: Date | null
}

const columns = (db: Db): SqlFragment => db`
  s.id, s.version, s.name, s.kind, s.logs, s.enabled, s.host, s.port, s.tls, s.ca, s.facility, s.url,
  case when s.secret is null then '' else ${SECRET_PLACEHOLDER} end as secret, s.note, s.updated_at,
  s.sent_at, s.problem, s.problem_words, s.problem_at, s.failures,
  s.next_attempt_at`

function matches(db: Db, { search, kind }: StreamQuery): SqlFragment {
  const pattern = `%${escapeLike(search.normalize('NFKC'))}%`
  return db`
    (${search} = '' or s.name ilike ${pattern} or s.host ilike ${pattern} or s.url ilike ${pattern} or s.note ilike ${pattern})
    and ${kind ? db`s.kind = ${kind}` : db`true`}`
}

/** The secret as stored: a mask leaves the stored one unchanged. */
function storedSecret({ db, secrets }: Context, secret: string): SqlFragment {
  if (secret === SECRET_PLACEHOLDER) return db`secret`
  return db`${secret === '' ? null : secrets.seal(secret)}`
}

/** For one that is new or enabled again. */
const NOW_DUE = (db: Db): SqlFragment => db`failures = 0, next_attempt_at = null`

export const streamsStore: ResourceStore<LogStreamFields, StoredStream, StreamQuery> = {
  ...resourceReads<StoredStream, StoredStream, StreamQuery>({
    table: 'log_streams',
    alias: 's',
    columns: ({ db }) => columns(db),
    matches,
    toShown: (row) => row,
  }),
  async insert(ctx, id, { name, kind, logs, enabled, host, port, tls, ca, facility, url, secret, note }) {
    await ctx.db`
      insert into log_streams (id, name, kind, logs, enabled, host, port, tls, ca, facility, url, secret, note, updated_at)
      values (${id}, ${name}, ${kind}, ${logs}, ${enabled}, ${host}, ${port}, ${tls}, ${ca}, ${facility}, ${url},
        ${secret === '' ? null : ctx.secrets.seal(secret)}, ${note}, ${ctx.now()})`
  },
  /** Forgets its former failures: it is tried at once. */
  async update(ctx, id, { name, kind, logs, enabled, host, port, tls, ca, facility, url, secret, note }) {
    await ctx.db`
      update log_streams set name = ${name}, kind = ${kind}, logs = ${logs}, enabled = ${enabled}, host = ${host}, port = ${port},
        tls = ${tls}, ca = ${ca}, facility = ${facility}, url = ${url}, secret = ${storedSecret(ctx, secret)}, note = ${note},
        ${NOW_DUE(ctx.db)}, version = version + 1, updated_at = ${ctx.now()}
      where id = ${id}`
  },
  async remove({ db }, id) {
    await db`delete from log_streams where id = ${id}`
  },
}

/** The secret in clear. */
export async function findSecret({ db, secrets }: Context, id: string): Promise<string> {
  const [row] = await db<{ secret: string | null }[]>`select secret from log_streams where id = ${id}`
  return row?.secret ? secrets.open(row.secret) : ''
}

/** Nodes poll at once when a commit notifies this channel. */
export const QUEUE = 'log_streams'

export async function wakeSenders(db: Db): Promise<void> {
  await db`select pg_notify(${QUEUE}, '')`
}

const NOTHING_SENT = '00000000-0000-0000-0000-000000000000'

/** Logs newly added to a stream start at a moment; the others continue. */
export async function ensureCursors(db: Db, id: string, logs: readonly RecordKind[], at: Date): Promise<void> {
  await db`
    insert into log_stream_cursors (stream_id, log, at, record_id)
    select ${id}, log, ${at}, ${NOTHING_SENT} from unnest(${logs as string[]}::text[]) log
    on conflict (stream_id, log) do nothing`
}

/** A log that is no longer sent starts anew when it is added again. */
export async function deleteOtherCursors(db: Db, id: string, logs: readonly RecordKind[]): Promise<void> {
  await db`delete from log_stream_cursors where stream_id = ${id} and log <> all(${logs as string[]}::text[])`
}

/** Moves the cursors after the records before a moment; a delivery in progress must start again. */
export async function moveCursors(db: Db, id: string, to: Date): Promise<void> {
  await db`update log_stream_cursors set at = ${to}, record_id = ${NOTHING_SENT} where stream_id = ${id}`
  await db`
    update log_streams set ${NOW_DUE(db)}, sender = null, sender_until = null where id = ${id}`
}

export type StoredCursor = {
  streamId: string
  log: RecordKind
  at: Date
  position: { at: string; id: string }
  sent: number
}

export const listCursors = async (db: Db, ids: readonly string[]): Promise<StoredCursor[]> => {
  const rows = await db<{ streamId: string; log: RecordKind; at: Date; text: string; id: string; sent: number }[]>`
    select stream_id, log, at, at::text as text, record_id as id, sent::float8 as sent
    from log_stream_cursors where stream_id = any(${ids as string[]}::uuid[]) order by array_position(array['login', 'visit', 'audit'], log)`
  return rows.map(({ text, id, ...row }) => ({ ...row, position: { at: text, id } }))
}
