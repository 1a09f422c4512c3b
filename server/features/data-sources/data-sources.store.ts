import { SourceOptions } from '#shared/contract/data-source-options.ts'
import type { DataSource, DataSourceFields, dataSources } from '#shared/contract/data-sources.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { escapeLike } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { type ResourceStore, resourceReads } from '../resources/index.ts'

export type SourceQuery = Input<typeof dataSources.list>['query']

const columns = (db: Db): SqlFragment => db`
  s.id, s.version, s.name, s.kind, s.host, s.port, s.database, s.user_name as "user",
  case when s.password is null then '' else ${SECRET_PLACEHOLDER} end as password, s.tls, s.ca,
  s.timeout_seconds, s.options, s.note, s.check_state as state, s.check_problem as problem,
  s.checked_at, s.file_name, s.file_rows, s.file_at,
  s.updated_at`

function matches(db: Db, { search, kind, state }: SourceQuery): SqlFragment {
  const pattern = `%${escapeLike(search.normalize('NFKC'))}%`
  return db`
    (${search} = '' or s.name ilike ${pattern} or s.host ilike ${pattern} or s.database ilike ${pattern} or s.note ilike ${pattern})
    and ${kind ? db`s.kind = ${kind}` : db`true`} and ${state ? db`s.check_state = ${state}` : db`true`}`
}

type StoredSource = Omit<DataSource, 'options' | 'updatedAt' | 'checkedAt' | 'file'> & {
  options: unknown
  updatedAt: Date
  checkedAt: Date | null
  fileName: string | null
  fileRows: number | null
  fileAt: Date | null
}

const toSource = ({ options, updatedAt, checkedAt, fileName, fileRows, fileAt, ...row }: StoredSource): DataSource => ({
  ...row,
  options: SourceOptions.parse(options),
  checkedAt: toIso(checkedAt),
  file: fileName === null || !fileAt ? null : { name: fileName, rows: fileRows ?? 0, uploadedAt: fileAt.toISOString() },
  updatedAt: updatedAt.toISOString(),
})

/** The password as stored: a mask leaves the stored one unchanged. */
function storedPassword({ db, secrets }: Context, password: string): SqlFragment {
  if (password === SECRET_PLACEHOLDER) return db`password`
  return db`${password === '' ? null : secrets.seal(password)}`
}

export const sourcesStore: ResourceStore<DataSourceFields, DataSource, SourceQuery> = {
  ...resourceReads<StoredSource, DataSource, SourceQuery>({
    table: 'data_sources',
    alias: 's',
    columns: ({ db }) => columns(db),
    matches,
    toShown: toSource,
  }),
  async insert(ctx, id, { name, kind, host, port, database, user, password, tls, ca, timeoutSeconds, options, note }) {
    await ctx.db`
      insert into data_sources (id, name, kind, host, port, database, user_name, password, tls, ca, timeout_seconds, options, note, updated_at)
      values (${id}, ${name}, ${kind}, ${host}, ${port}, ${database}, ${user}, ${password === '' ? null : ctx.secrets.seal(password)},
        ${tls}, ${ca}, ${timeoutSeconds}, ${ctx.db.json(options)}, ${note}, ${ctx.now()})`
  },
  /** Forgets what was found out about the former destination. */
  async update(ctx, id, { name, kind, host, port, database, user, password, tls, ca, timeoutSeconds, options, note }) {
    await ctx.db`
      update data_sources set name = ${name}, kind = ${kind}, host = ${host}, port = ${port}, database = ${database},
        user_name = ${user}, password = ${storedPassword(ctx, password)}, tls = ${tls}, ca = ${ca},
        timeout_seconds = ${timeoutSeconds}, options = ${ctx.db.json(options)}, note = ${note}, check_state = 'untested', check_problem = null,
        checked_at = null, version = version + 1, updated_at = ${ctx.now()}
      where id = ${id}`
  },
  async remove({ db }, id) {
    await db`delete from data_sources where id = ${id}`
  },
}

/** The password in clear. */
export async function findPassword({ db, secrets }: Context, id: string): Promise<string> {
  const [row] = await db<{ password: string | null }[]>`select password from data_sources where id = ${id}`
  return row?.password ? secrets.open(row.password) : ''
}

type Check = { state: 'ok' | 'failing'; problem: string | null }

/** Stores the result of the last test; this is not a change of the source. */
export async function updateCheck(db: Db, id: string, { state, problem }: Check, at: Date): Promise<void> {
  await db`
    update data_sources set check_state = ${state}, check_problem = ${problem}, checked_at = ${at} where id = ${id}`
}

/** Of the ciphertext. */
const CHUNK_BYTES = 1024 * 1024

type StoredFile = { name: string; rows: number; sha256: Buffer; bytes: Buffer }

/** Replaces the previous file; completely or, if the transaction fails, not at all. */
export async function replaceFile({ db, secrets, now }: Context, id: string, file: StoredFile): Promise<void> {
  await db`delete from data_source_chunks where source_id = ${id}`
  for (let at = 0, chunk = 0; at < file.bytes.length; at += CHUNK_BYTES, chunk++) {
    const data = secrets.seal(file.bytes.subarray(at, at + CHUNK_BYTES).toString('base64'))
    await db`insert into data_source_chunks (source_id, chunk, data) values (${id}, ${chunk}, ${data})`
  }
  await db`
    update data_sources set file_name = ${file.name}, file_rows = ${file.rows}, file_sha256 = ${file.sha256}, file_at = ${now()},
      check_state = 'ok', check_problem = null, checked_at = ${now()} where id = ${id}`
}

/** Null: none was uploaded. */
export async function loadFile({ db, secrets }: Context, id: string): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  for await (const [row] of db<{ data: string }[]>`
    select data from data_source_chunks where source_id = ${id} order by chunk`.cursor(1)) {
    if (row) pieces.push(Buffer.from(secrets.open(row.data), 'base64'))
  }
  return pieces.length === 0 ? null : Buffer.concat(pieces)
}
