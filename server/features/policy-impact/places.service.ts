import type { Language } from '#shared/contract/endpoint.ts'
import type { Context } from '../../platform/platform.ts'
import { clientAddress, type RangeMatch, rangeLookup } from '../records/index.ts'
import type { ReplayedPlace, ReplayedPlaces } from './places.types.ts'

/** @returns a function from a record's address to the ranges that contain it, the smallest network first */
export async function rangesByAddress(ctx: Context): Promise<(ip: string) => RangeMatch[]> {
  const lookup = await rangeLookup(ctx)
  return (ip) => {
    const address = clientAddress(ip)
    return address ? lookup(address) : []
  }
}

export function toPlace(range: RangeMatch['entry'] | undefined, language: Language): ReplayedPlace {
  if (!range) return NOWHERE
  return { rangeId: range.id, rangeKind: range.kind, name: range.names[language] ?? range.name }
}

/** In no range. */
export const NOWHERE: ReplayedPlace = { rangeId: null, rangeKind: null, name: null }

/** Maps addresses to the current ranges, which stay unchanged. */
export async function placesAsTheyAre(ctx: Context): Promise<(ip: string) => ReplayedPlaces> {
  const rangesOf = await rangesByAddress(ctx)
  return (ip) => {
    const place = toPlace(rangesOf(ip)[0]?.entry, ctx.client.language)
    return { before: place, after: place }
  }
}
