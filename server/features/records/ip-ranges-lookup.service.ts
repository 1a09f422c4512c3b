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

/** After a change of the ranges, in its transaction: every node reads them anew. */
export const invalidateIpRanges = (platform: Platform, db: Db): Promise<void> => platform.cache.invalidate(db, TOPIC)

/** The address of a client, which may name the interface that it came in by; null when it is none. */
export const clientAddress = (ip: string): IpAddress | null => parseIpAddress(ip.replace(/%.*$/, ''))

/** The ranges in use that hold an address. The first one has the smallest network and decides, whatever kind the others are. */
export async function rangesOf(platform: Platform, address: IpAddress): Promise<RangeMatch[]> {
  const lookup = await rangeLookup(platform)
  return lookup(address)
}

/** `rangesOf` as it is now, for many addresses. */
export const rangeLookup = (platform: Platform): Promise<IpLookup<Range>> =>
  platform.cache.read(TOPIC, 'lookup', () => loadLookup(platform))

/** What each node built last, by its cache: ten thousand ranges take long enough to read that it is done after a change only. */
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
