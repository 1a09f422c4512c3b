import {
  type checkIpRange,
  type IpRange,
  IpRangeFields,
  type lookUpAddress,
  MAX_IP_RANGES,
} from '#shared/contract/ip-ranges.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { formatIpAddress, formatIpNetwork, parseIpAddress } from '../../platform/ip-network.ts'
import type { Context } from '../../platform/platform.ts'
import { refuseOrTryOut } from '../access-rules/index.ts'
import { clientAddress, invalidateIpRanges, type Restorer, rangesOf } from '../records/index.ts'
import { countNamed, resourceService } from '../resources/index.ts'
import { errors } from './ip-ranges.errors.ts'
import {
  findTakenNetwork,
  listOtherNetworks,
  type RangeInput,
  type RangeQuery,
  rangesStore,
} from './ip-ranges.store.ts'
import { findOverlaps, toNetworks, usageHint } from './networks.rules.ts'

export const rangesService = resourceService<RangeInput, IpRange, RangeQuery>({
  kind: 'ip-range',
  fields: IpRangeFields,
  store: rangesStore,
  async check(ctx, fields, id) {
    const { count, isTaken } = await countNamed(ctx.db, 'ip_ranges', fields.name, id)
    if (isTaken) throw errors['ip-range.name-taken']({ params: { name: fields.name }, data: { fields: ['name'] } })
    if (id === null && count >= MAX_IP_RANGES) throw errors['ip-range.too-many']({ params: { most: MAX_IP_RANGES } })
    return { ...fields, networks: await freeNetworks(ctx, fields.networks, id) }
  },
  async changed(ctx, change) {
    await invalidateIpRanges(ctx, ctx.db)
    const fields = ['kind', 'networks', 'enabled']
    await refuseOrTryOut(ctx, { kind: 'ip-range', change, fields, off: { enabled: false } })
  },
})

const { restorer } = rangesService

/**
 * An automatic reversal whose former networks belong to another range by now disables the range instead: what it must end is that the
 * range locks out.
 */
export const ipRangeRestorer: Restorer = {
  ...restorer,
  async restore(ctx, id, snapshot, version) {
    try {
      return await restorer.restore(ctx, id, snapshot, version)
    } catch (error) {
      const isTaken = error instanceof Refusal && error.code === 'ip-range.network-taken'
      const target = isTaken && !ctx.caller ? (await restorer.current(ctx, [id])).get(id) : undefined
      if (!target) throw error
      return await restorer.restore(ctx, id, { ...target.snapshot, enabled: false }, version)
    }
  },
}

/** @throws Refusal `ip-range.bad-network`, `ip-range.too-many-networks`, `ip-range.network-taken`. */
async function freeNetworks(ctx: Context, typed: readonly string[], exceptId: string | null): Promise<string[]> {
  const networks = toNetworks(typed)
  const taken = await findTakenNetwork(ctx.db, networks, exceptId, ctx.client.language)
  // If two ranges had the same network, neither would be the smaller one.
  if (taken) throw errors['ip-range.network-taken']({ params: taken, data: { fields: ['networks'] } })
  return networks
}

const MAX_HINTS = 100

/** Possible mistakes in networks that are about to be saved. */
export async function checkNetworks(
  ctx: Context,
  { id, networks: typed }: Input<typeof checkIpRange>['body'],
): Promise<Output<typeof checkIpRange>> {
  const exceptId = id ?? null
  const networks = await freeNetworks(ctx, typed, exceptId)
  const reserved = networks.flatMap((network) => {
    const hint = usageHint(network)
    return hint ? [{ network, hint, name: null, otherNetwork: null }] : []
  })
  const overlaps = findOverlaps(networks, await listOtherNetworks(ctx.db, exceptId, ctx.client.language))
  return { networks, hints: [...reserved, ...overlaps].slice(0, MAX_HINTS) }
}

/** @throws Refusal `ip-range.bad-address`. */
export async function lookUp(
  ctx: Context,
  { ip }: Input<typeof lookUpAddress>['query'],
): Promise<Output<typeof lookUpAddress>> {
  const address = ip ? parseIpAddress(ip) : clientAddress(ctx.client.ip)
  if (!address) throw errors['ip-range.bad-address']({ data: { fields: ['ip'] } })
  const matches = await rangesOf(ctx, address)
  return {
    ip: formatIpAddress(address),
    onCampus: matches[0]?.entry.kind === 'campus',
    matches: matches.map(({ network, entry: { names, ...range } }) => ({
      ...range,
      shownName: names[ctx.client.language] ?? range.name,
      network: formatIpNetwork(network),
    })),
  }
}
