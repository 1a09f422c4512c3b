import type { previewSyncMapping } from '#shared/contract/sync-mappings.ts'
import { within } from '../../connectors/index.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { cleanCell } from '../../platform/spreadsheet/sheet-row.ts'
import { describeStoredFault, maskValue, openStoredSource } from '../data-sources/index.ts'
import { loadProblemFinder } from './preview-problems.service.ts'
import { columnsOf, MASKED, mapValue } from './transforms.rules.ts'

const ROWS = 20

/** Sources get their usual time-out for the first row, but somebody is waiting for the rest. */
const SILENT_MS = 3000

/** Applies a mapping to the first rows of a source; errors are part of the response. @throws Refusal `resource.not-found`. */
export async function previewMapping(
  ctx: Context,
  body: Input<typeof previewSyncMapping>['body'],
): Promise<Output<typeof previewSyncMapping>> {
  const { sourceId, table, keyColumn, mapping } = body
  const columns = columnsOf(mapping)
  const find = await loadProblemFinder(ctx, body)
  const rows: string[][] = []
  const progress = { isWhole: true }
  const answer = (problem: string | null) => ({
    ...{ problem, isWhole: progress.isWhole },
    rows: rows.slice(0, ROWS).map((row) => toPreview(ctx, row, { columns, mapping, find })),
  })
  try {
    await openStoredSource(ctx, { id: sourceId }, async (source) => {
      const batches = source.read(table, [keyColumn, ...columns], ROWS)
      const first = await batches.next()
      if (first.done) return
      rows.push(...first.value)
      for await (const batch of within(batches, SILENT_MS, progress)) rows.push(...batch)
    })
    return answer(null)
  } catch (error) {
    const problem = describeStoredFault(ctx, error)
    if (problem === null) throw error
    return answer(problem)
  }
}

type Shape = Pick<Input<typeof previewSyncMapping>['body'], 'mapping'> & {
  columns: readonly string[]
  find: Awaited<ReturnType<typeof loadProblemFinder>>
}

function toPreview(ctx: Context, [key = '', ...cells]: readonly string[], { columns, mapping, find }: Shape) {
  const clean = cells.map(cleanCell)
  const mapped = mapping.map((entry) => mapValue(entry, (column) => clean[columns.indexOf(column)] ?? ''))
  const found = find(mapped.map(({ value, problem }) => (problem ? '' : value)))
  const values = mapped.map(({ value, problem: failed }, at) => {
    const problem = failed ?? found[at] ?? null
    const isMasked = MASKED.includes(mapping[at]?.field ?? '')
    return {
      value: isMasked ? maskValue(value) : value.slice(0, 200),
      problem: problem && ctx.translate(ctx.client.language, problem.key, isMasked ? {} : problem.params),
    }
  })
  return { key: cleanCell(key).slice(0, 200), values }
}
