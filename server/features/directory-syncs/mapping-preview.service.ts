import type { previewSyncMapping } from '#shared/contract/sync-mappings.ts'
import { within } from '../../connectors/index.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { cleanCell } from '../../platform/spreadsheet/sheet-row.ts'
import { describeStoredFault, maskValue, openStoredSource } from '../data-sources/index.ts'
import { loadFieldNames } from '../sync-runs/index.ts'
import { findProblems } from './preview-problems.service.ts'
import { cleanKey } from './row-key.rules.ts'
import { describeProblem } from './row-problems.service.ts'
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
  const rows: string[][] = []
  const progress = { isWhole: true }
  const answer = async (problem: string | null) => ({
    ...{ problem, isWhole: progress.isWhole },
    rows: await toPreview(ctx, rows.slice(0, ROWS), body),
  })
  try {
    await openStoredSource(ctx, { id: sourceId }, async (source) => {
      const batches = source.read(table, [keyColumn, ...columns], ROWS)
      const first = await batches.next()
      if (first.done) return
      rows.push(...first.value)
      for await (const batch of within(batches, SILENT_MS, progress)) rows.push(...batch)
    })
    return await answer(null)
  } catch (error) {
    const problem = describeStoredFault(ctx, error)
    if (problem === null) throw error
    return await answer(problem)
  }
}

/** The rows as a run would read them. */
async function toPreview(ctx: Context, read: readonly string[][], body: Input<typeof previewSyncMapping>['body']) {
  const { mapping } = body
  const columns = columnsOf(mapping)
  const rows = read.map(([key = '', ...raw]) => {
    const cells = raw.map(cleanCell)
    const mapped = mapping.map((entry) => mapValue(entry, (column) => cells[columns.indexOf(column)] ?? ''))
    return { key: cleanKey(key), cells, mapped }
  })
  const found = await findProblems(ctx, body, rows)
  const named = {
    fieldName: await loadFieldNames(ctx, ctx.client.language),
    isOfDepartment: body.of === 'departments',
  }
  return rows.map(({ key, mapped }, row) => ({
    key: key.slice(0, 200),
    problems: (found[row]?.row ?? []).map((one) => describeProblem(ctx, one, named)),
    values: mapping.map((entry, at) => {
      const value = mapped[at]?.value ?? ''
      const problem = found[row]?.values[at] ?? null
      const isMasked = MASKED.includes(entry.field)
      return {
        value: isMasked ? maskValue(value) : value.slice(0, 200),
        problem: problem && ctx.translate(ctx.client.language, problem.key, isMasked ? {} : problem.params),
      }
    }),
  }))
}
