import type {
  SCIM_LIMITS,
  ScimChangeKind,
  ScimClient,
  ScimClientFields,
  scimClients,
} from '#shared/contract/scim-clients.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { escapeLike } from '../../platform/list.ts'
import { type ResourceStore, resourceReads } from '../resources/index.ts'

export type ClientQuery = Input<typeof scimClients.list>['query']

/** A client as stored: its tokens are in another table. */
export type StoredClient = Omit<
  ScimClient,
  'updatedAt' | 'url' | 'tokens' | 'lastUsedAt' | 'changedLastDay' | 'heldKinds'
> & {
  updatedAt: Date
}

const columns = (db: Db): SqlFragment => db`
  c.id, c.version, c.name, c.enabled, c.scopes, c.calls_per_minute,
  c.max_disabled_per_day, c.max_moved_per_day, c.max_renamed_per_day, c.max_created_per_day, c.note, c.updated_at`

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
  async insert({ db, now }, id, { name, enabled, scopes, callsPerMinute, note, ...limits }) {
    const { maxDisabledPerDay, maxMovedPerDay, maxRenamedPerDay, maxCreatedPerDay } = limits
    await db`
      insert into scim_clients (id, name, enabled, scopes, calls_per_minute, max_disabled_per_day, max_moved_per_day,
        max_renamed_per_day, max_created_per_day, note, updated_at)
      values (${id}, ${name}, ${enabled}, ${scopes}, ${callsPerMinute}, ${maxDisabledPerDay}, ${maxMovedPerDay},
        ${maxRenamedPerDay}, ${maxCreatedPerDay}, ${note}, ${now()})`
  },
  async update({ db, now }, id, { name, enabled, scopes, callsPerMinute, note, ...limits }) {
    const { maxDisabledPerDay, maxMovedPerDay, maxRenamedPerDay, maxCreatedPerDay } = limits
    await db`
      update scim_clients set name = ${name}, enabled = ${enabled}, scopes = ${scopes}, calls_per_minute = ${callsPerMinute},
        max_disabled_per_day = ${maxDisabledPerDay}, max_moved_per_day = ${maxMovedPerDay},
        max_renamed_per_day = ${maxRenamedPerDay}, max_created_per_day = ${maxCreatedPerDay}, note = ${note},
        version = version + 1, updated_at = ${now()}
      where id = ${id}`
  },
  async remove({ db }, id) {
    await db`delete from scim_clients where id = ${id}`
  },
}

/** A change of a person, an organisation or a role. */
export type ScimChange = { kind: ScimChangeKind; id: string }

export type ChangeCount = { clientId: string; kind: ScimChangeKind; count: number }

type Counted = { clientIds: readonly string[]; kinds: readonly ScimChangeKind[]; since: Date }

/** What these clients changed since a moment, and since they were released, by kind. */
export const countChanged = (db: Db, { clientIds, kinds, since }: Counted) => db<ChangeCount[]>`
  select d.client_id, d.kind, count(*)::int as count
  from scim_changes d join scim_clients c on c.id = d.client_id
  where d.client_id = any(${clientIds as string[]}::uuid[]) and d.kind = any(${kinds as string[]})
    and d.at > greatest(${since}::timestamptz, c.released_at)
  group by 1, 2`

type ClientKind = { clientId: string; kind: ScimChangeKind }

/** Of which kinds changes of these clients were refused since a moment, and since they were released. */
export const listRefusedKinds = (db: Db, clientIds: readonly string[], since: Date) => db<ClientKind[]>`
  select c.id as client_id, h.key as kind from scim_clients c cross join lateral jsonb_each_text(c.held) h
  where c.id = any(${clientIds as string[]}::uuid[]) and h.value::timestamptz > greatest(${since}::timestamptz, c.released_at)`

/** Notes that a change of the kind was refused because of its limit. */
export const saveRefusedKind = (db: Db, { clientId, kind }: ClientKind, at: Date) => db`
  update scim_clients set held = held || jsonb_build_object(${kind}::text, ${at}::timestamptz) where id = ${clientId}`

type Limits = Pick<ScimClientFields, (typeof SCIM_LIMITS)[ScimChangeKind]>

/** Until the transaction ends no other changes of the client are counted. @returns its present limits; null: it was deleted. */
export async function lockClient(db: Db, id: string): Promise<Limits | null> {
  const [row] = await db<Limits[]>`
    select max_disabled_per_day, max_moved_per_day, max_renamed_per_day, max_created_per_day
    from scim_clients where id = ${id} for no key update`
  return row ?? null
}

type NewChanges = { clientId: string; changes: readonly ScimChange[]; at: Date; since: Date }

/** Each counts once for its kind. Also deletes what is too old to count. */
export async function saveChanges(db: Db, { clientId, changes, at, since }: NewChanges): Promise<void> {
  await db`delete from scim_changes where client_id = ${clientId} and at <= ${since}`
  await db`
    insert into scim_changes (client_id, kind, target_id, at)
    select distinct ${clientId}::uuid, n.kind, n.id, ${at}::timestamptz
    from unnest(${changes.map(({ kind }) => kind)}::text[], ${changes.map(({ id }) => id)}::uuid[]) as n(kind, id)
    on conflict (client_id, kind, target_id) do update set at = excluded.at`
}

export const releaseClient = (db: Db, id: string, at: Date) =>
  db`update scim_clients set released_at = ${at} where id = ${id}`
