import type { PendingQuery, Row } from 'postgres'
import type { ScimClient, ScimClientFields, scimClients } from '#shared/contract/scim-clients.ts'
import type { Db } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { countUpTo10000, escapeLike } from '../../platform/list.ts'
import type { ResourceStore } from '../resources/index.ts'

type Sql = PendingQuery<Row[]>
export type ClientQuery = Input<typeof scimClients.list>['query']

/** A client as stored: its tokens are in another table. */
export type StoredClient = Omit<ScimClient, 'updatedAt' | 'url' | 'tokens' | 'lastUsedAt' | 'disabledLastDay'> & {
  updatedAt: Date
}

const columns = (db: Db): Sql => db`
  c.id, c.version, c.name, c.enabled, c.scopes, c.calls_per_minute,
  c.max_disabled_per_day, c.note, c.updated_at`

function matches(db: Db, { search }: ClientQuery): Sql {
  const pattern = `%${escapeLike(search.normalize('NFKC'))}%`
  return db`(${search} = '' or c.name ilike ${pattern} or c.note ilike ${pattern})`
}

const SORTS = { name: 'c.name', updatedAt: 'c.updated_at' } as const

export const clientsStore: ResourceStore<ScimClientFields, StoredClient, ClientQuery> = {
  count: ({ db }, query) => countUpTo10000(db, db`select 1 from scim_clients c where ${matches(db, query)}`),
  async page({ db }, query, { reverse, limit, offset }) {
    const key = query.sort.replace('-', '') as keyof typeof SORTS
    const direction = query.sort.startsWith('-') === reverse ? db`asc` : db`desc`
    const rows = await db<StoredClient[]>`
      select ${columns(db)} from scim_clients c where ${matches(db, query)}
      order by ${db.unsafe(SORTS[key])} ${direction}, c.id ${direction} limit ${limit} offset ${offset}`
    return reverse ? rows.toReversed() : [...rows]
  },
  find: async ({ db }, ids) =>
    await db<StoredClient[]>`select ${columns(db)} from scim_clients c where c.id = any(${ids as string[]}::uuid[])`,
  async insert({ db, now }, id, { name, enabled, scopes, callsPerMinute, maxDisabledPerDay, note }) {
    await db`
      insert into scim_clients (id, name, enabled, scopes, calls_per_minute, max_disabled_per_day, note, updated_at)
      values (${id}, ${name}, ${enabled}, ${scopes}, ${callsPerMinute}, ${maxDisabledPerDay}, ${note}, ${now()})`
  },
  async update({ db, now }, id, { name, enabled, scopes, callsPerMinute, maxDisabledPerDay, note }) {
    await db`
      update scim_clients set name = ${name}, enabled = ${enabled}, scopes = ${scopes}, calls_per_minute = ${callsPerMinute},
        max_disabled_per_day = ${maxDisabledPerDay}, note = ${note}, version = version + 1, updated_at = ${now()}
      where id = ${id}`
  },
  async remove({ db }, id) {
    await db`delete from scim_clients where id = ${id}`
  },
}

/** How many there are, and whether another one has this name. */
export async function countClients(db: Db, name: string, exceptId: string | null) {
  const [row] = await db<{ count: number; isTaken: boolean }[]>`
    select count(*)::int as count, coalesce(bool_or(name = ${name} and id is distinct from ${exceptId}), false) as "isTaken"
    from scim_clients`
  return row ?? { count: 0, isTaken: false }
}

export type DisabledCount = { clientId: string; count: number }

/** People that each of these clients disabled since a moment, and since it was released. */
export const countDisabled = (db: Db, clientIds: readonly string[], since: Date) => db<DisabledCount[]>`
  select d.client_id, count(distinct d.user_id)::int as count
  from scim_disabled d join scim_clients c on c.id = d.client_id
  where d.client_id = any(${clientIds as string[]}::uuid[]) and d.at > greatest(${since}::timestamptz, c.released_at)
  group by 1`

/** Until the transaction ends nobody else can be disabled by the client. */
export async function lockClient(db: Db, id: string): Promise<void> {
  await db`select from scim_clients where id = ${id} for no key update`
}

type Disabled = { clientId: string; userId: string; at: Date; since: Date }

/** Also deletes what is too old to count. */
export async function insertDisabled(db: Db, { clientId, userId, at, since }: Disabled): Promise<void> {
  await db`delete from scim_disabled where client_id = ${clientId} and at <= ${since}`
  await db`
    insert into scim_disabled (client_id, at, user_id) values (${clientId}, ${at}, ${userId}) on conflict do nothing`
}

export const releaseClient = (db: Db, id: string, at: Date) =>
  db`update scim_clients set released_at = ${at} where id = ${id}`
