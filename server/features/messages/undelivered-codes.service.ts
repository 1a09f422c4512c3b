import type { listUndeliveredCodes } from '#shared/contract/undelivered-codes.ts'
import type { Input } from '../../platform/http/mount.ts'
import { pageWindow } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { recordReading } from '../records/index.ts'
import { countCodes, pageOfCodes } from './undelivered-codes.store.ts'

/** Verification codes that nobody received. @throws Refusal `list.too-deep`. */
export async function findUndeliveredCodes(ctx: Context, query: Input<typeof listUndeliveredCodes>['query']) {
  const { channel = null, from, to } = query
  await recordReading(ctx, { what: 'undelivered-codes', userId: null })
  const filter = { channel, from: from ? new Date(from) : null, to: to ? new Date(to) : null }
  const total = await countCodes(ctx.db, filter)
  const window = pageWindow(query, { ...total, totalIsLowerBound: true })
  const rows = await pageOfCodes(ctx.db, filter, window)
  return { ...total, records: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })) }
}
