import type { RangeKind } from '#shared/contract/ip-ranges.ts'
import type { Cache } from '../../platform/cache.ts'
import type { Db } from '../../platform/db.ts'
import {
  buildIpLookup,
  type IpAddress,
  type IpLookup,
  type IpNetwork,
  parseIpAddress,
  parseIpNetwork,
} from '../../platform/ip-network.ts'
import type { Platform } from '../../platform/platform.ts'

type Range = { id: string; name: string; names: Record<string, string>; kind: RangeKind }

export type RangeMatch = { network: IpNetwork; entry: Range }

const TOPIC = 'ip-ranges'

/** Call after a change of ranges, in its transaction: every node reads them again. */
export const invalidateIpRanges = (platform: Platform, db: Db): Promise<void> => platform.cache.invalidate(db, TOPIC)

/** The address of a client, without a zone; null if it is not one. */
export const clientAddress = (ip: string): IpAddress | null => parseIpAddress(ip.replace(/%.*$/, ''))

/** The enabled ranges that contain an address. The first one has the smallest network and decides, whatever the kinds of the others. */
export async function rangesOf(platform: Platform, address: IpAddress): Promise<RangeMatch[]> {
  const lookup = await rangeLookup(platform)
  return lookup(address)
}

/** `rangesOf` at this moment, for many addresses. */
export const rangeLookup = (platform: Platform): Promise<IpLookup<Range>> =>
  platform.cache.read(TOPIC, 'lookup', () => loadLookup(platform))

/** The last lookup of each node, by its cache: ten thousand ranges take so long to build that it is done only after a change. */
const built = new WeakMap<Cache, { print: string; lookup: IpLookup<Range> }>()

async function loadLookup({ sql, cache }: Platform): Promise<IpLookup<Range>> {
  const [row] = await sql<{ print: string }[]>`
    select md5(coalesce(string_agg(id || ' ' || version, ',' order by id), '')) as print from ip_ranges`
  const print = row?.print ?? ''
  const before = built.get(cache)
  if (before?.print === print) return before.lookup
  const lookup = await buildLookup(sql)
  built.set(cache, { print, lookup })
  return lookup
}

async function buildLookup(sql: Db): Promise<IpLookup<Range>> {
  const rows = await sql<(Range & { networks: string[] })[]>`
    select id, name, names, kind, networks::text[] as networks from ip_ranges where enabled`
  return buildIpLookup(
    rows.flatMap(({ networks, ...range }) =>
      networks.flatMap((text) => {
        const network = parseIpNetwork(text)
        return network ? [[network, range] as const] : []
      }),
    ),
  )
}
