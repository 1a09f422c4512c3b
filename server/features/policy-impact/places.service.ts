import type { Language } from '#shared/contract/endpoint.ts'
import type { Context } from '../../platform/platform.ts'
import { clientAddress, type RangeMatch, rangesOf } from '../records/index.ts'
import type { ReplayedPlace } from './replay.service.ts'

/** The ranges that hold an address of a record, the smallest network first. */
export async function rangesAt(ctx: Context, ip: string): Promise<RangeMatch[]> {
  const address = clientAddress(ip)
  return address ? await rangesOf(ctx, address) : []
}

export function toPlace(range: RangeMatch['entry'] | undefined, language: Language): ReplayedPlace {
  if (!range) return { rangeId: null, rangeKind: null, name: null }
  return { rangeId: range.id, rangeKind: range.kind, name: range.names[language] ?? range.name }
}
