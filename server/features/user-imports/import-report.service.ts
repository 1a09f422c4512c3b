import type { FastifyReply } from 'fastify'
import type { downloadImport, ImportRow, listImportRows } from '#shared/contract/user-imports.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { sendSheet } from '../../platform/sheet-response.ts'
import { previewChanges } from './import-changes.service.ts'
import { errors } from './user-imports.errors.ts'
import { getRun } from './user-imports.service.ts'
import { listReportRows, pageOfReport, type ReportRow, type RunRow } from './user-imports.store.ts'

const BATCH_SIZE = 2000
const MAX_SHOWN_CHARACTERS = 100

const openCells = (ctx: Context, { cells }: ReportRow) => JSON.parse(ctx.secrets.open(cells)) as string[]

/** `B` for the second column, used if it has no heading. */
const columnLetter = (column: number): string =>
  (column >= 26 ? String.fromCharCode(64 + Math.floor(column / 26)) : '') + String.fromCharCode(65 + (column % 26))

/** The problems of a row in the caller's language. Of an identity document's number only the end is shown. */
function toProblems(ctx: Context, run: RunRow, row: ReportRow): ImportRow['problems'] {
  const cells = openCells(ctx, row)
  return (row.problems ?? []).map(({ column, key, params }) => {
    const value = column === null ? '' : (cells[column] ?? '')
    return {
      column: column === null ? null : run.headings[column] || columnLetter(column),
      value:
        column !== null && run.mapping[column] === 'idNumber'
          ? `…${value.slice(-2)}`
          : value.slice(0, MAX_SHOWN_CHARACTERS),
      reason: ctx.translate(ctx.client.language, key, params),
    }
  })
}

function translateUndo(ctx: Context, undo: string | null): string | null {
  if (undo === null) return null
  const key = undo.includes('.') ? undo : `import-undo.${undo}`
  return ctx.translate(ctx.client.language, key)
}

/** @throws Refusal `import.not-found`, `list.too-deep`. */
export async function reportPage(ctx: Context, query: Input<typeof listImportRows>['query']) {
  const run = await getRun(ctx, query.id)
  const outcome = query.outcome ?? null
  const { records: rows, ...total } = await pageOfReport(ctx.db, run.id, outcome, query)
  const cellOf = (cells: string[], field: 'account' | 'name') => cells[run.mapping.indexOf(field)] ?? ''
  const changes = await previewChanges(ctx, run, rows)
  const records = rows.map((row): ImportRow => {
    const cells = openCells(ctx, row)
    return {
      ...{ row: row.row, outcome: row.outcome, accepted: row.accepted, written: row.written },
      account: cellOf(cells, 'account').slice(0, MAX_SHOWN_CHARACTERS),
      name: cellOf(cells, 'name').slice(0, MAX_SHOWN_CHARACTERS),
      problems: toProblems(ctx, run, row),
      changes: changes.get(row.row) ?? [],
      undo: translateUndo(ctx, row.undo),
    }
  })
  return { records, ...total }
}

/** The original file, formulas as the text they showed, with a last column that describes the problems. */
export async function sendReport(
  ctx: Context,
  reply: FastifyReply,
  { id, rows: selection }: Input<typeof downloadImport>['query'],
): Promise<void> {
  const run = await getRun(ctx, id)
  const [first] = await listReportRows(ctx.db, run.id, { onlyBad: false, after: 0, most: 1 })
  if (!first) throw errors['import.expired']()
  const translate = (key: string) => ctx.translate(ctx.client.language, key)
  await sendSheet(reply, {
    who: callerOf(ctx).userId,
    places: 'office',
    format: run.format,
    title: translate('import.title'),
    fileName: 'import-report',
    rows: async function* () {
      yield [...run.headings, errorHeading(translate)]
      for (let after = 0; ; ) {
        const rows = await listReportRows(ctx.db, run.id, { onlyBad: selection === 'bad', after, most: BATCH_SIZE })
        for (const row of rows) yield toReportCells(ctx, run, row)
        const last = rows.at(-1)
        if (!last || rows.length < BATCH_SIZE) return
        after = last.row
      }
    },
  })
}

/** Starts with the character that excludes the column when the file is uploaded again. */
const errorHeading = (translate: (key: string) => string): string => `# ${translate('import.error-column')}`

function toReportCells(ctx: Context, run: RunRow, row: ReportRow): string[] {
  const cells = openCells(ctx, row)
  const reasons = toProblems(ctx, run, row).map(({ column, reason }) => (column ? `${column}: ${reason}` : reason))
  const undone = translateUndo(ctx, row.undo)
  if (row.outcome === 'doubtful') reasons.push(ctx.translate(ctx.client.language, 'import-problem.somebody-else'))
  return [...run.headings.map((_, at) => cells[at] ?? ''), [...reasons, ...(undone ? [undone] : [])].join('; ')]
}
