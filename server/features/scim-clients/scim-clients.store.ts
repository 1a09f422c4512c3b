import type { ScimClient, ScimClientFields, scimClients } from '#shared/contract/scim-clients.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { escapeLike } from '../../platform/list.ts'
import { type ResourceStore, resourceReads } from '../resources/index.ts'

export type ClientQuery = Input<typeof scimClients.list>['query']

/** A client as stored: its tokens are in another table. */
export type StoredClient = Omit<ScimClient, 'updatedAt' | 'url' | 'tokens' | 'lastUsedAt' | 'disabledLastDay'> & {
  updatedAt: Date
}

const columns = (db: Db): SqlFragment => db`
  c.id, c.version, c.name, c.enabled, c.scopes, c.calls_per_minute,
  c.max_disabled_per_day, c.note, c.updated_at`

function matches(db: Db, { search }: ClientQuery): SqlFragment {
  const pattern = `%${escapeLike(search.normalize('NFKC'))}%`
  return db`(${search} = '' or c.name ilike ${pattern} or c.note ilike ${pattern})`
}

export const clientsStore: ResourceStore<ScimClientFields, StoredClient, ClientQuery> = {
  ...resourceReads<StoredClient, StoredClient, ClientQuery>({
    table: 'scim_clients',
    alias: 'c',
    columns: ({ db }) => columns(db),
    matches,
    toShown: (row) => row,
  }),
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

export type DisabledCount = { clientId: string; count: number }

/** People and organisations that each of these clients disabled since a moment, and since it was released. */
export const countDisabled = (db: Db, clientIds: readonly string[], since: Date) => db<DisabledCount[]>`
  select d.client_id, count(distinct d.target_id)::int as count
  from scim_disabled d join scim_clients c on c.id = d.client_id
  where d.client_id = any(${clientIds as string[]}::uuid[]) and d.at > greatest(${since}::timestamptz, c.released_at)
  group by 1`

/** Until the transaction ends nobody else can be disabled by the client. */
export async function lockClient(db: Db, id: string): Promise<void> {
  await db`select from scim_clients where id = ${id} for no key update`
}

type Disabled = { clientId: string; id: string; at: Date; since: Date }

/** A person or an organisation. Also deletes what is too old to count. */
export async function insertDisabled(db: Db, { clientId, id, at, since }: Disabled): Promise<void> {
  await db`delete from scim_disabled where client_id = ${clientId} and at <= ${since}`
  await db`
    insert into scim_disabled (client_id, at, target_id) values (${clientId}, ${at}, ${id}) on conflict do nothing`
}

export const releaseClient = (db: Db, id: string, at: Date) =>
  db`update scim_clients set released_at = ${at} where id = ${id}`
