import type { previewSyncMapping } from '#shared/contract/sync-mappings.ts'
import { collectRows } from '../../connectors/index.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { cleanCell } from '../../platform/spreadsheet/sheet-row.ts'
import { describeStoredFault, maskValue, openStoredSource } from '../data-sources/index.ts'
import { columnsOf, MASKED, mapValue } from './transforms.rules.ts'

const ROWS = 20

/** What a mapping makes of the first rows of a source; what goes wrong there is an answer. @throws Refusal `resource.not-found`. */
export async function previewMapping(
  ctx: Context,
  { sourceId, table, keyColumn, mapping }: Input<typeof previewSyncMapping>['body'],
): Promise<Output<typeof previewSyncMapping>> {
  const columns = columnsOf(mapping)
  try {
    const rows = await openStoredSource(ctx, { id: sourceId }, (source) =>
      collectRows(source.read(table, [keyColumn, ...columns], ROWS)),
    )
    return { problem: null, rows: rows.slice(0, ROWS).map((row) => toPreview(ctx, row, { columns, mapping })) }
  } catch (error) {
    const problem = describeStoredFault(ctx, error)
    if (problem === null) throw error
    return { problem, rows: [] }
  }
}

type Shape = Pick<Input<typeof previewSyncMapping>['body'], 'mapping'> & { columns: readonly string[] }

function toPreview(ctx: Context, [key = '', ...cells]: readonly string[], { columns, mapping }: Shape) {
  const clean = cells.map(cleanCell)
  const values = mapping.map((entry) => {
    const { value, problem } = mapValue(entry, (column) => clean[columns.indexOf(column)] ?? '')
    return {
      value: MASKED.includes(entry.field) ? maskValue(value) : value.slice(0, 200),
      problem:
        problem && ctx.translate(ctx.client.language, problem.key, MASKED.includes(entry.field) ? {} : problem.params),
    }
  })
  return { key: cleanCell(key).slice(0, 200), values }
}
