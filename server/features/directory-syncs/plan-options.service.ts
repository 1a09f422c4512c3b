import type { DirectorySync, DirectorySyncFields } from '#shared/contract/directory-syncs.ts'
import type { ImportField } from '#shared/contract/user-imports.ts'
import type { Context } from '../../platform/platform.ts'
import { eachInSlices } from '../../platform/slices.ts'
import type { Ranked } from '../field-authority/index.ts'
import { type ImportLookups, loadImportLookups, normalizeWord, type ReadRow, readRow } from '../user-imports/index.ts'
import { listDepartmentKeys } from './department-links.store.ts'
import type { StoredRow } from './rows.store.ts'
import type { RunRow } from './runs.store.ts'
import { columnsOf, mapValue } from './transforms.rules.ts'

/** What reading and planning rows of people needs: loaded for reading, and anew for planning and applying. */
export type PlanOptions = {
  syncId: string
  mapping: DirectorySyncFields['mapping']
  columns: string[]
  fields: ImportField[]
  matchBy: DirectorySyncFields['matchBy']
  words: ImportLookups
  leavers: DirectorySyncFields['leavers']
  startedAt: Date
  self: Ranked
}

export async function loadPlanOptions(
  ctx: Context,
  sync: Pick<DirectorySync, 'id' | 'sourceId' | 'mapping' | 'matchBy' | 'leavers' | 'rank'>,
  { startedAt }: Pick<RunRow, 'startedAt'>,
): Promise<PlanOptions> {
  const { id: syncId, sourceId, mapping, matchBy, leavers } = sync
  const fields = mapping.map(({ field }) => field)
  const words = await loadSourceWords(ctx, sourceId, fields)
  const columns = columnsOf(mapping)
  const self = { id: syncId, rank: sync.rank }
  return { syncId, mapping, columns, fields, matchBy, leavers, startedAt, self, words }
}

/** What the words of a source mean here. */
export async function loadSourceWords(
  ctx: Context,
  sourceId: string,
  fields: readonly ImportField[],
): Promise<ImportLookups> {
  // A scheduled run has no caller.
  const words = await loadImportLookups(ctx, fields, { isEverywhere: true })
  // The source's keys of departments take precedence over names and codes here.
  const keys = words.organization ? await listDepartmentKeys(ctx.db, sourceId) : []
  await eachInSlices(keys, ({ externalId, organizationId }) => {
    words.organization?.set(normalizeWord(externalId), organizationId)
  })
  return words
}

/** Maps the cells of a row to a person; a failed transform is a problem of the row. */
export function mapCells(raw: readonly string[], row: number, options: PlanOptions): ReadRow {
  const values = options.mapping.map((entry) => mapValue(entry, (column) => raw[options.columns.indexOf(column)] ?? ''))
  const cells = values.map(({ value, problem }) => (problem ? '' : value))
  const read = readRow({ row, cells, notes: null }, options.fields, options.words)
  const problems = values.flatMap(({ problem }, column) => (problem ? [{ column, ...problem }] : []))
  return { ...read, problems: [...problems, ...read.problems] }
}

/** The same for a stored row. */
export const readPerson = (ctx: Context, { row, cells }: StoredRow, options: PlanOptions): ReadRow =>
  mapCells(cells === null ? [] : (JSON.parse(ctx.secrets.open(cells)) as string[]), row, options)

/** 132 bits of a keyed hash, because a plain one of an ID number or a phone could be guessed. */
const FINGERPRINT_LENGTH = 22

/** Identifies what a row says of a person, with departments and categories as they are called here; null: it has problems. */
export const fingerprintOf = ({ secrets }: Context, { person, problems }: ReadRow): string | null =>
  person && problems.length === 0
    ? secrets.mac(JSON.stringify(person)).toString('base64url').slice(0, FINGERPRINT_LENGTH)
    : null
