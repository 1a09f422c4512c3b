import { RECORD_KINDS, type RecordKind } from '#shared/contract/record-retention.ts'
import { DAY_MS, HOUR_MS } from '#shared/rules/durations.ts'
import type { Context } from '../../platform/platform.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { BEGINNING, sealedText } from './record-evidence.service.ts'
import { countRecordsBefore, digestHour, type Link, listLinks } from './record-evidence.store.ts'
import { type KeptSeal, readSeals } from './seal-file.store.ts'

/**
 * `changed`, `missing`, `inserted`: records of the hour · `seal`: the hour's own entry was not written by this installation · `gap`: there
 * is no entry for the hour · `rewritten`: the file of seals has another digest, or the entry has been removed · `file`: a line of the file
 * of seals was not signed by this installation.
 */
export type Finding = {
  log: RecordKind
  kind: 'changed' | 'missing' | 'inserted' | 'seal' | 'gap' | 'rewritten' | 'file'
  from: Date
  until: Date
  sealed: number
  found: number
}

export type Verification = {
  findings: Finding[]
  /** By log: hours and records verified, how many hours are too old to be kept, and the newest entry. */
  logs: { log: RecordKind; hours: number; lines: number; expired: number; head: Link | null }[]
}

const PAGE = 500

/** Reads all sealed records that must still be kept, and compares them. */
export async function verifyRecords(ctx: Context): Promise<Verification> {
  const { retention } = await signInPolicy(ctx)
  const findings: Finding[] = []
  const logs: Verification['logs'] = []
  const report: Step['report'] = (finding) => findings.push(finding)
  const seals = await readKeptSeals(ctx, report)
  for (const log of RECORD_KINDS) {
    // For each hour the line written first: whoever seals it again adds another one.
    const lines = seals.filter((seal) => seal.log === log).reverse()
    const kept = new Map(lines.map((seal) => [Date.parse(seal.until), seal]))
    logs.push(await verifyLog(ctx, { log, days: retention[log], kept, report }))
  }
  return { findings, logs }
}

/** Whole months are dropped: the month of a moment has expired when its end is old enough. */
function isExpired(until: Date, now: Date, days: number): boolean {
  const month = new Date(until.getTime() - 1)
  const end = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1)
  return end <= now.getTime() - days * DAY_MS
}

type Step = { log: RecordKind; link: Link; before: Link | null; report: (finding: Finding) => void }

/** The signed lines of the file of seals: at most one entry per log and hour. */
async function readKeptSeals({ config, secrets }: Context, report: Step['report']): Promise<KeptSeal[]> {
  const seals: KeptSeal[] = []
  if (!config.recordArchiveDir) return seals
  for await (const seal of readSeals(config.recordArchiveDir)) {
    const until = new Date(seal?.until ?? 0)
    if (seal && secrets.isSigned(sealedText(seal.log, { ...seal, until }, seal.previous), seal.signature))
      seals.push(seal)
    else report({ ...aboutOf(seal?.log ?? 'audit', { until, rows: seal?.rows ?? 0 }), kind: 'file' })
  }
  return seals
}

type LogToVerify = Pick<Step, 'log' | 'report'> & { days: number; kept: Map<number, KeptSeal> }

async function verifyLog(ctx: Context, { log, days, kept, report }: LogToVerify) {
  const summary = { log, hours: 0, lines: 0, expired: 0, head: null as Link | null }
  for await (const link of allLinks(ctx, log)) {
    const step = { log, link, before: summary.head, report }
    summary.head = link
    verifyEntry(ctx, step)
    verifyKept(step, kept)
    if (isExpired(link.until, ctx.now(), days)) {
      summary.expired += 1
      continue
    }
    summary.hours += 1
    summary.lines += await verifyLines(ctx, step)
  }
  for (const { until, rows } of kept.values())
    report({ ...aboutOf(log, { until: new Date(until), rows }), kind: 'rewritten' })
  return summary
}

async function* allLinks(ctx: Context, log: RecordKind) {
  let after: Date | null = null
  for (;;) {
    const links: readonly Link[] = await listLinks(ctx.db, log, after, PAGE)
    yield* links
    after = links.at(-1)?.until ?? null
    if (links.length < PAGE) return
  }
}

/** Does the entry match the one stored outside the database? */
function verifyKept({ log, link, report }: Step, kept: Map<number, KeptSeal>): void {
  const seal = kept.get(link.until.getTime())
  kept.delete(link.until.getTime())
  if (seal && (seal.digest !== link.digest || seal.rows !== link.rows))
    report({ ...aboutOf(log, link), kind: 'rewritten' })
}

const aboutOf = (log: RecordKind, { until, rows }: Pick<Link, 'until' | 'rows'>) => ({
  log,
  from: new Date(until.getTime() - HOUR_MS),
  until,
  sealed: rows,
  found: 0,
})

/** Is the entry ours, and does it follow the previous one? */
function verifyEntry(ctx: Context, step: Step): void {
  const { log, link, before, report } = step
  const about = aboutOf(log, link)
  if (before && before.until < about.from) report({ ...about, kind: 'gap', from: before.until, until: about.from })
  if (!isSealed(ctx, log, link, before?.digest ?? BEGINNING)) report({ ...about, kind: 'seal' })
}

/** Are the records of the hour those that were sealed? @returns how many there are */
async function verifyLines(ctx: Context, step: Step): Promise<number> {
  const { log, link, before, report } = step
  const about = aboutOf(log, link)
  if (!before) await verifyBeginning(ctx, log, about.from, report)
  const previous = before?.digest ?? BEGINNING
  const { rows: found, digest } = await digestHour(ctx.db, log, { from: about.from, until: link.until, previous })
  if (found !== link.rows) report({ ...about, found, kind: found < link.rows ? 'missing' : 'inserted' })
  else if (digest !== link.digest) report({ ...about, found, kind: 'changed' })
  return found
}

function isSealed({ secrets }: Context, log: RecordKind, link: Link, previous: string): boolean {
  try {
    return secrets.open(link.seal) === sealedText(log, link, previous)
  } catch {
    return false
  }
}

/** The first entry starts with the oldest record: older ones were inserted later. */
async function verifyBeginning(ctx: Context, log: RecordKind, from: Date, report: (finding: Finding) => void) {
  const found = await countRecordsBefore(ctx.db, log, from)
  if (found > 0) report({ log, kind: 'inserted', from: new Date(0), until: from, sealed: 0, found })
}
