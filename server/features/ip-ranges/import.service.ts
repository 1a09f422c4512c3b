import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import {
  type IpRange,
  type IpRangeImportReport,
  MAX_IP_RANGE_IMPORT_BYTES,
  MAX_IP_RANGES,
} from '#shared/contract/ip-ranges.ts'
import { Refusal } from '../../platform/errors.ts'
import { readUpload } from '../../platform/http/upload.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { readSheet, type SheetRow } from '../../platform/spreadsheet/read-sheet.ts'
import { refuseLockout } from '../access-rules/index.ts'
import { type AuditInput, invalidateIpRanges, recordAudits } from '../records/index.ts'
import { lockResource } from '../resources/index.ts'
import { type Mapping, readHeadings, readRow } from './import-rows.rules.ts'
import { errors } from './ip-ranges.errors.ts'
import { rangesService } from './ip-ranges.service.ts'
import { insertIpRanges, listAllRanges, type RangeInput, updateIpRanges } from './ip-ranges.store.ts'
import { refuseWiderNetworks, toNetworks } from './networks.rules.ts'

const SHEET_LIMITS = {
  maxRows: MAX_IP_RANGES,
  maxColumns: 50,
  maxCellLength: 20_000,
  maxRowLength: 30_000,
  maxFileLength: 8_000_000,
}

type Sheet = { mapping: Mapping; rows: SheetRow[] }

/** @throws Refusal `sheet.*`, `ip-range.import-columns`. */
async function readFile(ctx: Context, request: FastifyRequest): Promise<Sheet> {
  const { rows: read } = await readSheet(await readUpload(request, MAX_IP_RANGE_IMPORT_BYTES), SHEET_LIMITS)
  const rows: SheetRow[] = []
  for await (const row of read) rows.push(row)
  const headings = rows.shift()
  const mapping = readHeadings(ctx.translate, headings?.cells ?? [])
  if (!mapping) throw errors['ip-range.import-columns']()
  return { mapping, rows }
}

type ReportRow = IpRangeImportReport['rows'][number]
type Planned = RangeInput & { id: string }
type Plan = { rows: ReportRow[]; fresh: Planned[]; changed: { before: IpRange; after: Planned }[] }

/** What rows are checked against: the existing ranges, and the rows before. */
type Known = {
  byName: ReadonlyMap<string, IpRange>
  /** Names in the file so far. */
  named: Set<string>
  /** The range that has each network: one that the file leaves alone, or that of a row before. */
  owners: Map<string, string>
}

function knownOf(present: readonly IpRange[], inFile: ReadonlySet<string>): Known {
  const kept = present.filter(({ name }) => !inFile.has(name))
  return {
    byName: new Map(present.map((range) => [range.name, range])),
    named: new Set(),
    owners: new Map(kept.flatMap(({ name, networks }) => networks.map((network) => [network, name] as const))),
  }
}

/** Assigns a range its networks. @throws Refusal `ip-range.network-taken`. */
function takeNetworks({ owners }: Known, name: string, networks: readonly string[]): void {
  const taken = networks.find((network) => owners.has(network))
  if (taken) throw errors['ip-range.network-taken']({ params: { network: taken, name: owners.get(taken) ?? '' } })
  for (const network of networks) owners.set(network, name)
}

type ReadRow = ReturnType<typeof readRow>
type Judged = { before: IpRange | undefined; after: Planned } | { refused: string }

/** The result of a row for its range, or the message why it is invalid. @throws Refusal for errors in its networks. */
function judgeRow(known: Known, read: ReadRow): Judged {
  if ('bad' in read) return { refused: `ip-range.import.bad.${read.bad}` }
  const { name } = read.range
  if (known.named.has(name)) return { refused: 'ip-range.import.twice' }
  known.named.add(name)
  const before = known.byName.get(name)
  refuseWiderNetworks(read.range.networks)
  const networks = toNetworks(read.range.networks)
  takeNetworks(known, name, networks)
  const { id = v7(), names = {}, note = '', enabled = true } = before ?? {}
  return { before, after: { id, names, note, enabled, ...read.range, networks } }
}

function resultOf({ before, after }: { before: IpRange | undefined; after: Planned }): 'new' | 'changed' | 'unchanged' {
  const { snapshotOf } = rangesService
  if (!before) return 'new'
  return isDeepStrictEqual(snapshotOf(after), snapshotOf(before)) ? 'unchanged' : 'changed'
}

/** The result of the rows for the existing ranges. @throws Refusal `ip-range.too-many`. */
function planImport(ctx: Context, { mapping, rows }: Sheet, present: readonly IpRange[]): Plan {
  const plan: Plan = { rows: [], fresh: [], changed: [] }
  const reads = rows.map((row) => ({ row, read: readRow(ctx.translate, mapping, row) }))
  const inFile = new Set(reads.flatMap(({ read }) => ('range' in read ? [read.range.name] : [])))
  const known = knownOf(present, inFile)
  const say = (key: string, params = {}) => ctx.translate(ctx.client.language, key, params)
  const judge = (read: ReadRow): Pick<ReportRow, 'result' | 'networks' | 'message'> => {
    const judged = judgeRow(known, read)
    if ('refused' in judged) return { result: 'refused', networks: [], message: say(judged.refused) }
    const { before, after } = judged
    const result = resultOf(judged)
    if (!before) plan.fresh.push(after)
    else if (result === 'changed') plan.changed.push({ before, after })
    return { result, networks: after.networks, message: null }
  }
  for (const { row, read } of reads) {
    const common = { row: row.row, name: row.cells[mapping.name ?? -1] ?? '' }
    try {
      plan.rows.push({ ...common, ...judge(read) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const message = say(`errors.${error.code}`, error.params)
      plan.rows.push({ ...common, result: 'refused', networks: [], message })
    }
  }
  if (present.length + plan.fresh.length > MAX_IP_RANGES) {
    throw errors['ip-range.too-many']({ params: { most: MAX_IP_RANGES } })
  }
  return plan
}

function toReport({ rows }: Plan): IpRangeImportReport {
  const counts = { new: 0, changed: 0, unchanged: 0, refused: 0 }
  for (const { result } of rows) counts[result]++
  return { rows, counts }
}

/** A dry run of an import. @throws Refusal `sheet.*`, `ip-range.import-columns`, `ip-range.too-many`. */
export async function checkImport(ctx: Context, request: FastifyRequest): Promise<IpRangeImportReport> {
  const sheet = await readFile(ctx, request)
  return toReport(planImport(ctx, sheet, await listAllRanges(ctx)))
}

/** All rows in one transaction. @throws Refusal as `checkImport`, and `ip-range.import-refused` if a row can't be imported. */
export async function runImport(ctx: Context, request: FastifyRequest): Promise<IpRangeImportReport> {
  const sheet = await readFile(ctx, request)
  return await transaction(ctx, async (inner) => {
    await lockResource(inner.db, 'ip-range')
    const plan = planImport(inner, sheet, await listAllRanges(inner))
    const report = toReport(plan)
    if (report.counts.refused > 0) {
      throw errors['ip-range.import-refused']({ params: { count: report.counts.refused }, data: report })
    }
    await writePlan(inner, plan)
    return report
  })
}

async function writePlan(ctx: Context, { fresh, changed }: Plan): Promise<void> {
  const { snapshotOf } = rangesService
  await insertIpRanges(ctx.db, fresh, 'import', ctx.now())
  await updateIpRanges(
    ctx.db,
    changed.map(({ after }) => after),
    ctx.now(),
  )
  await invalidateIpRanges(ctx, ctx.db)
  await refuseLockout(ctx, { ofPolicies: true })
  await recordAudits(ctx, [
    ...fresh.map((after): AuditInput => {
      const target = { targetKind: 'ip-range', targetId: after.id }
      return { action: 'ip-range.create', ...target, after: snapshotOf(after) }
    }),
    ...changed.map(({ before, after }): AuditInput => {
      const target = { targetKind: 'ip-range', targetId: before.id }
      return { action: 'ip-range.update', ...target, before: snapshotOf(before), after: snapshotOf(after) }
    }),
  ])
}
