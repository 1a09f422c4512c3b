import type { FastifyReply } from 'fastify'
import type { downloadImport, ImportRow, listImportRows } from '#shared/contract/user-imports.ts'
import type { Input } from '../../platform/http/mount.ts'
import { stretchOf } from '../../platform/list.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { sendSheet } from '../../platform/send-sheet.ts'
import { changesOf } from './import-changes.ts'
import { errors } from './user-imports.errors.ts'
import { runOfCaller } from './user-imports.service.ts'
import { countReported, pageOfReport, type ReportRow, type RunRow, reportAfter } from './user-imports.store.ts'

const BATCH = 2000
const LONGEST_SHOWN = 100

const cellsOf = (ctx: Context, { cells }: ReportRow) => JSON.parse(ctx.secrets.open(cells)) as string[]

/** `B` of the second column, for those that have no heading. */
const letter = (column: number): string =>
  (column >= 26 ? String.fromCharCode(64 + Math.floor(column / 26)) : '') + String.fromCharCode(65 + (column % 26))

/** What is wrong in a row, in the caller's language. Of the number of an identity document only the end is told. */
function problemsOf(ctx: Context, run: RunRow, row: ReportRow): ImportRow['problems'] {
  const cells = cellsOf(ctx, row)
  return (row.problems ?? []).map(({ column, key, params }) => {
    const value = column === null ? '' : (cells[column] ?? '')
    return {
      column: column === null ? null : run.headings[column] || letter(column),
      value:
        column !== null && run.mapping[column] === 'idNumber' ? `…${value.slice(-2)}` : value.slice(0, LONGEST_SHOWN),
      reason: ctx.translate(ctx.client.language, key, params),
    }
  })
}

function undoText(ctx: Context, undo: string | null): string | null {
  if (undo === null) return null
  const key = undo.includes('.') ? undo : `import-undo.${undo}`
  return ctx.translate(ctx.client.language, key)
}

/** @throws Refusal `import.not-found`, `list.too-deep`. */
export async function reportPage(ctx: Context, query: Input<typeof listImportRows>['query']) {
  const run = await runOfCaller(ctx, query.id)
  const outcome = query.outcome ?? null
  const total = await countReported(ctx.db, run.id, outcome)
  const rows = await pageOfReport(ctx.db, run.id, outcome, stretchOf(query, total))
  const cellOf = (cells: string[], field: 'account' | 'name') => cells[run.mapping.indexOf(field)] ?? ''
  const changes = await changesOf(ctx, run, rows)
  const records = rows.map((row): ImportRow => {
    const cells = cellsOf(ctx, row)
    return {
      ...{ row: row.row, outcome: row.outcome, written: row.written },
      account: cellOf(cells, 'account').slice(0, LONGEST_SHOWN),
      name: cellOf(cells, 'name').slice(0, LONGEST_SHOWN),
      problems: problemsOf(ctx, run, row),
      changes: changes.get(row.row) ?? [],
      undo: undoText(ctx, row.undo),
    }
  })
  return { records, ...total }
}

/** The file as it came, formulas as the text they showed, with a last column that says what is wrong. */
export async function sendReport(
  ctx: Context,
  reply: FastifyReply,
  { id, rows: wanted }: Input<typeof downloadImport>['query'],
): Promise<void> {
  const run = await runOfCaller(ctx, id)
  const [first] = await reportAfter(ctx.db, run.id, { onlyBad: false, after: 0, most: 1 })
  if (!first) throw errors['import.expired']()
  const say = (key: string) => ctx.translate(ctx.client.language, key)
  await sendSheet(reply, {
    who: callerOf(ctx).userId,
    places: 'office',
    format: run.format,
    title: say('import.title'),
    fileName: 'import-report',
    rows: async function* () {
      yield [...run.headings, ERROR_COLUMN(say)]
      for (let after = 0; ; ) {
        const rows = await reportAfter(ctx.db, run.id, { onlyBad: wanted === 'bad', after, most: BATCH })
        for (const row of rows) yield reportRow(ctx, run, row)
        const last = rows.at(-1)
        if (!last || rows.length < BATCH) return
        after = last.row
      }
    },
  })
}

/** Begins with the sign that keeps a column from being read when the file comes back. */
const ERROR_COLUMN = (say: (key: string) => string): string => `# ${say('import.error-column')}`

function reportRow(ctx: Context, run: RunRow, row: ReportRow): string[] {
  const cells = cellsOf(ctx, row)
  const told = problemsOf(ctx, run, row).map(({ column, reason }) => (column ? `${column}: ${reason}` : reason))
  const undone = undoText(ctx, row.undo)
  return [...run.headings.map((_, at) => cells[at] ?? ''), [...told, ...(undone ? [undone] : [])].join('; ')]
}
