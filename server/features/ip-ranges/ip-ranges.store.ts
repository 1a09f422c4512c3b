import type { z } from 'zod'
import type { Language } from '#shared/contract/endpoint.ts'
import type { IpRange, IpRangeFields, ipRanges } from '#shared/contract/ip-ranges.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { formatIpNetwork, parseIpNetwork } from '../../platform/ip-network.ts'
import { escapeLike } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import type { Context } from '../../platform/platform.ts'
import { type ResourceStore, resourceReads } from '../resources/index.ts'

export type RangeInput = z.output<typeof IpRangeFields>
export type RangeQuery = Input<typeof ipRanges.list>['query']

const columns = (db: Db, language: Language): SqlFragment => db`
  r.id, r.version, r.name, r.names, ${localized(db, 'r', language)} as shown_name, r.kind,
  r.networks::text[] as networks, r.note, r.enabled, r.source, r.updated_at`

/** Matches words, or an address or network that it contains or is part of. */
function matches(db: Db, { search, kind, enabled }: RangeQuery): SqlFragment {
  const pattern = `%${escapeLike(search.normalize('NFKC'))}%`
  const network = parseIpNetwork(search)
  const place = network
    ? db`or exists (select from unnest(r.networks) n where n && ${formatIpNetwork(network)}::cidr)`
    : db``
  return db`
    (${search} = '' or r.name ilike ${pattern} or r.note ilike ${pattern}
      or exists (select from jsonb_each_text(r.names) n where n.value ilike ${pattern}) ${place})
    and ${kind ? db`r.kind = ${kind}` : db`true`} and ${enabled ? db`r.enabled = ${enabled === '1'}` : db`true`}`
}

type StoredRange = Omit<IpRange, 'updatedAt'> & { updatedAt: Date }
const toRange = ({ updatedAt, ...row }: StoredRange): IpRange => ({ ...row, updatedAt: updatedAt.toISOString() })

export const rangesStore: ResourceStore<RangeInput, IpRange, RangeQuery> = {
  ...resourceReads<StoredRange, IpRange, RangeQuery>({
    table: 'ip_ranges',
    alias: 'r',
    columns: ({ db, client }) => columns(db, client.language),
    matches,
    toShown: toRange,
  }),
  insert: (ctx, id, fields) => insertIpRanges(ctx.db, [{ id, ...fields }], 'manual', ctx.now()),
  update: (ctx, id, fields) => updateIpRanges(ctx.db, [{ id, ...fields }], ctx.now()),
  async remove({ db }, id) {
    await db`delete from ip_ranges where id = ${id}`
  },
}

/** At most 10,000, in the form that a change reads. */
export async function listAllRanges({ db, client }: Context): Promise<IpRange[]> {
  const rows = await db<StoredRange[]>`select ${columns(db, client.language)} from ip_ranges r order by r.name`
  return rows.map(toRange)
}

type Given = Pick<RangeInput, 'name' | 'kind'> &
  Partial<Pick<RangeInput, 'names' | 'note' | 'enabled'>> & { id: string; networks: readonly string[] }

const given = (db: Db, ranges: readonly Given[]): SqlFragment => db`
  jsonb_to_recordset(${JSON.stringify(ranges)}::text::jsonb) as g(id uuid, name text, names jsonb, kind text,
    networks text[], note text, enabled boolean)`

/** Inserts ranges whose networks are in PostgreSQL's notation and not taken. */
export async function insertIpRanges(
  db: Db,
  ranges: readonly Given[],
  source: IpRange['source'],
  at: Date,
): Promise<void> {
  await db`
    insert into ip_ranges (id, name, names, kind, networks, note, enabled, source, updated_at)
    select id, name, coalesce(names, '{}'), kind, networks::cidr[], coalesce(note, ''), coalesce(enabled, true), ${source}, ${at}
    from ${given(db, ranges)}`
}

export async function updateIpRanges(
  db: Db,
  ranges: readonly (RangeInput & { id: string })[],
  at: Date,
): Promise<void> {
  await db`
    update ip_ranges r set name = g.name, names = g.names, kind = g.kind, networks = g.networks::cidr[], note = g.note,
      enabled = g.enabled, version = r.version + 1, updated_at = ${at}
    from ${given(db, ranges)} where g.id = r.id`
}

const networksOfOthers = (db: Db, exceptId: string | null, language: Language): SqlFragment => db`
  (select ${localized(db, 'r', language)} as name, n.network from ip_ranges r, unnest(r.networks) n(network) where r.id is distinct from ${exceptId}) o`

/** One of these networks that another range has, with that range's name. */
export async function findTakenNetwork(
  db: Db,
  networks: readonly string[],
  exceptId: string | null,
  language: Language,
) {
  const [row] = await db<{ network: string; name: string }[]>`
    select o.network::text, o.name from ${networksOfOthers(db, exceptId, language)}
    where o.network = any(${networks as string[]}::text[]::cidr[]) limit 1`
  return row ?? null
}

/** All networks of other ranges, with the name of their range. */
export const listOtherNetworks = (db: Db, exceptId: string | null, language: Language) => db<
  { name: string; network: string }[]
>`
  select o.name, o.network::text as network from ${networksOfOthers(db, exceptId, language)}`
