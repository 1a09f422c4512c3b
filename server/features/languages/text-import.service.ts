import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '#shared/contract/endpoint.ts'
import {
  type exportTexts,
  MAX_TEXT_IMPORT_BYTES,
  MAX_TEXT_LENGTH,
  MAX_TEXT_REPORT_ROWS,
  type TextImportReport,
} from '#shared/contract/languages.ts'
import type { Input } from '../../platform/http/mount.ts'
import { readUpload } from '../../platform/http/upload.ts'
import { type Context, callerOf, type Platform, transaction } from '../../platform/platform.ts'
import { sendSheet } from '../../platform/sheet-response.ts'
import { readSheet, type SheetRow } from '../../platform/spreadsheet/read-sheet.ts'
import { errors } from './languages.errors.ts'
import { findTextKeys, isTextKey, shippedOf, sourceText } from './text-catalog.service.ts'
import { groupOf, isUsedIn } from './text-keys.rules.ts'
import { readSheetHeadings, type SheetColumns, sheetHeadings, textOfCell } from './text-sheet.rules.ts'
import {
  describeTextProblem,
  judgeTexts,
  recordTextChanges,
  type TextChange,
  type TextRequest,
  writeTexts,
} from './texts.service.ts'
import { lockTexts } from './texts.store.ts'

const codesOf = ({ wording }: Pick<Platform, 'wording'>): Language[] => wording.languages().map(({ code }) => code)

/** Languages that aren't shipped are exported beside the text to translate. */
const withSource = ({ wording }: Pick<Platform, 'wording'>, language: Language): Language[] =>
  wording.baseOf(language) === language ? [language] : [wording.baseOf(language), language]

const textIn = ({ wording }: Pick<Platform, 'wording'>, language: Language, key: string): string =>
  wording.own(language).get(key)?.text ?? shippedOf(language, key) ?? ''

/** Exports texts with their versions, for translation and re-import. */
export async function sendTexts(
  ctx: Context,
  reply: FastifyReply,
  { format, timeZone: _, ...filters }: Input<typeof exportTexts>['query'],
): Promise<void> {
  const { id } = filters
  const languages = id === 'all' ? codesOf(ctx) : withSource(ctx, id)
  const sources = new Set<Language>(
    languages.map((one) => ctx.wording.baseOf(one)).filter((base, at) => base !== languages[at]),
  )
  const keys = findTextKeys(ctx, filters).filter((key) => languages.some((language) => isUsedIn(language, key)))
  await sendSheet(reply, {
    who: callerOf(ctx).userId,
    places: 'office',
    format,
    title: ctx.translate(ctx.client.language, 'language-list.texts'),
    fileName: id === 'all' ? 'texts' : `texts-${id}`,
    async *rows() {
      yield sheetHeadings(languages)
      for (const key of keys) {
        const cells = languages.flatMap((language) =>
          isUsedIn(language, key)
            ? [textIn(ctx, language, key), String(ctx.wording.own(language).get(key)?.version ?? 0)]
            : // The source of a plural form that the source language itself doesn't use.
              [sources.has(language) ? sourceText(ctx, language, key) : '', ''],
        )
        yield [key, groupOf(key), ...cells]
      }
    },
  })
}

const SHEET_LIMITS = {
  maxRows: 20_000,
  maxColumns: 100,
  maxCellLength: MAX_TEXT_LENGTH * 2,
  maxRowLength: MAX_TEXT_LENGTH * 40,
  maxFileLength: 40_000_000,
}

type Sheet = { columns: SheetColumns; rows: SheetRow[] }

/** @throws Refusal `sheet.*`, `text.import-columns`. */
async function readFile(ctx: Context, request: FastifyRequest): Promise<Sheet> {
  const { rows: read } = await readSheet(await readUpload(request, MAX_TEXT_IMPORT_BYTES), SHEET_LIMITS)
  const rows: SheetRow[] = []
  for await (const row of read) rows.push(row)
  const columns = readSheetHeadings(rows.shift()?.cells ?? [], codesOf(ctx))
  if (!columns) throw errors['text.import-columns']()
  return { columns, rows }
}

type ReportRow = TextImportReport['rows'][number]
type Given = TextRequest & { row: number; text: string }
type Report = { counts: TextImportReport['counts']; rows: ReportRow[] }

const emptyReport = (): Report => ({ counts: { changed: 0, unchanged: 0, refused: 0, conflict: 0 }, rows: [] })

function addToReport(report: Report, row: ReportRow): void {
  report.counts[row.result] += 1
  if (row.result !== 'unchanged' && report.rows.length < MAX_TEXT_REPORT_ROWS) report.rows.push(row)
}

type Line = { row: number; key: string; cell: string; version: number }

/** Rows with a text; an empty cell leaves the text unchanged. */
const linesOf = ({ columns, rows }: Sheet, at: SheetColumns['languages'][number]): Line[] =>
  rows.flatMap(({ row, cells }) => {
    const key = (cells[columns.key] ?? '').trim()
    const cell = cells[at.text] ?? ''
    if (key === '' || cell.trim() === '') return []
    return [{ row, key, cell, version: Number(cells[at.version]) || 0 }]
  })

/** Why a row's key is invalid; null: it is valid. */
function findBadKey(
  language: Language,
  key: string,
  seen: ReadonlySet<string>,
): 'text-import.twice' | 'errors.text.not-found' | null {
  if (!isTextKey(key) || !isUsedIn(language, key)) return 'errors.text.not-found'
  return seen.has(key) ? 'text-import.twice' : null
}

/** Is this only the exported source of a plural form that this language doesn't use? */
const isSourceAlone = (ctx: Context, language: Language, { key, cell }: Line): boolean => {
  if (!isTextKey(key) || isUsedIn(language, key)) return false
  const source = sourceText(ctx, language, key)
  return textOfCell(cell, source) === source
}

/** The file's texts in one language; invalid rows go to the report. */
function readTexts(ctx: Context, sheet: Sheet, at: SheetColumns['languages'][number], report: Report): Given[] {
  const { language } = at
  const seen = new Set<string>()
  return linesOf(sheet, at).flatMap((line) => {
    if (isSourceAlone(ctx, language, line)) return []
    const { row, key, cell, version } = line
    const bad = findBadKey(language, key, seen)
    seen.add(key)
    if (bad) {
      const message = ctx.translate(ctx.client.language, bad, { key })
      const entry = { row, key: key.slice(0, 150), language, message, shipped: null, now: null, given: cell }
      addToReport(report, { ...entry, result: 'refused' })
      return []
    }
    return [{ row, key, text: textOfCell(cell, textIn(ctx, language, key)), version }]
  })
}

/** The changes that the file makes in one language, with each row reported. */
async function importLanguage(
  ctx: Context,
  sheet: Sheet,
  at: SheetColumns['languages'][number],
  report: Report,
): Promise<TextChange[]> {
  const { language } = at
  const given = readTexts(ctx, sheet, at, report)
  const { changes, conflicts, refused } = await judgeTexts(ctx, language, given)
  const problems = new Map(refused.map(({ key, problem }) => [key, describeTextProblem(ctx, problem)]))
  const theirs = new Map(conflicts.map((conflict) => [conflict.key, conflict]))
  const changed = new Set(changes.map(({ key }) => key))
  for (const { row, key, text } of given) {
    const values = { shipped: shippedOf(language, key), now: textIn(ctx, language, key), given: text }
    const line = { row, key, language, ...values, message: problems.get(key) ?? null }
    if (problems.has(key)) addToReport(report, { ...line, result: 'refused' })
    else if (theirs.has(key))
      addToReport(report, { ...line, result: 'conflict', now: theirs.get(key)?.text ?? values.shipped })
    else addToReport(report, { ...line, result: changed.has(key) ? 'changed' : 'unchanged' })
  }
  return changes
}

/** Reports what an import would do, without writing. @throws Refusal `sheet.*`, `text.import-columns`. */
export async function checkImport(ctx: Context, request: FastifyRequest): Promise<TextImportReport> {
  const sheet = await readFile(ctx, request)
  const report = emptyReport()
  for (const at of sheet.columns.languages) await importLanguage(ctx, sheet, at, report)
  return report
}

/**
 * Imports the valid rows; texts that somebody changed since the export are left alone.
 * @throws Refusal `sheet.*`, `text.import-columns`.
 */
export async function runImport(ctx: Context, request: FastifyRequest): Promise<TextImportReport> {
  const sheet = await readFile(ctx, request)
  const languages = sheet.columns.languages.map(({ language }) => language)
  const report = await transaction(ctx, async (inner) => {
    const filled = emptyReport()
    // In a fixed order, so that two imports can't deadlock.
    for (const language of languages.toSorted()) await lockTexts(inner.db, language)
    for (const at of sheet.columns.languages) {
      const changes = await importLanguage(inner, sheet, at, filled)
      await writeTexts(inner, at.language, changes)
      await recordTextChanges(inner, at.language, changes)
    }
    return filled
  })
  await ctx.wording.refresh(languages)
  return report
}
