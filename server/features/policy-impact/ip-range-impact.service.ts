import { v7 } from 'uuid'
import type { ipRangeImpact } from '#shared/contract/policy-impact.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { buildIpLookup, type IpNetwork, parseIpNetwork } from '../../platform/ip-network.ts'
import type { Context } from '../../platform/platform.ts'
import { judgeRules, listStoredRules } from '../access/index.ts'
import { toNetworks } from '../ip-ranges/index.ts'
import { clientAddress } from '../records/index.ts'
import { toFigures } from './access-figures.service.ts'
import { listSettingsRules } from './access-rule-impact.service.ts'
import { withPrediction } from './look-back.service.ts'
import { rangesByAddress, toPlace } from './places.service.ts'
import type { ReplayedPlace, ReplayedPlaces } from './places.types.ts'
import { errors } from './policy-impact.errors.ts'
import { findRangeName } from './policy-impact.store.ts'
import { replayLogins } from './replay.service.ts'

const networksOf = (range: ImpactInput['range']): IpNetwork[] =>
  (range?.enabled ? toNetworks(range.networks) : []).flatMap((text) => parseIpNetwork(text) ?? [])

type ImpactInput = Input<typeof ipRangeImpact>['body']

/** @returns the range of an address now, and after the change: the smallest network decides, as at a login */
async function placesWith(
  ctx: Context,
  { id, range }: ImpactInput,
  name: string | null,
): Promise<(ip: string) => ReplayedPlaces> {
  const own: ReplayedPlace = { rangeId: id ?? v7(), rangeKind: range?.kind ?? null, name }
  const findOwn = buildIpLookup(networksOf(range).map((network) => [network, own] as const))
  const rangesOf = await rangesByAddress(ctx)
  return (ip) => {
    const ranges = rangesOf(ip)
    const other = ranges.find(({ entry }) => entry.id !== id)
    const address = clientAddress(ip)
    const mine = address && findOwn(address)[0]
    const isMine = mine && (!other || mine.network.prefix >= other.network.prefix)
    const { language } = ctx.client
    return { before: toPlace(ranges[0]?.entry, language), after: isMine ? mine.entry : toPlace(other?.entry, language) }
  }
}

/**
 * Predicts the effect of an unsaved change of an IP range: which logins would be in another range, and what the rules would then do.
 * @throws Refusal `service.busy`, `resource.not-found`, `ip-range.bad-network`, `ip-range.too-many-networks`.
 */
export async function predictIpRange(ctx: Context, input: ImpactInput): Promise<Output<typeof ipRangeImpact>> {
  const { id, range } = input
  const name = id ? await findRangeName(ctx.db, id, ctx.client.language) : null
  if (id && name === null) throw errors['resource.not-found']()
  const stored = [...(await listSettingsRules(ctx)), ...(await listStoredRules(ctx.db))]
  const change = {
    before: await judgeRules(ctx.db, stored),
    after: await judgeRules(ctx.db, stored, id ? { range: id, isThere: range?.enabled ?? false } : undefined),
    placesOf: await placesWith(ctx, input, name),
    prefixes: [0, ...networksOf(range).flatMap(({ bits, prefix }) => (bits === 32 ? [prefix] : []))],
  }
  return await withPrediction(async () => ({
    figures: await toFigures(ctx, await replayLogins(ctx, change), 'logins-place'),
  }))
}
