import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectorContext, ConnectorFault } from '../connector.types.ts'
import { SourceFault, type SourceProblem } from '../data-source.types.ts'
import { resolvePointer } from '../json-pointer.rules.ts'
import { callAsApp, isVendorCode, type VendorApp } from '../vendor-call.service.ts'

/** What both vendors call by the same numbers. */
const PROBLEMS: readonly [SourceProblem, readonly string[]][] = [
  ['address-refused', ['60020']],
  [
    'login-refused',
    ['40001', '40013', '40014', '40035', '40089', '40091', '40096', '41002', '41004', '42001', '33001', '2000002'],
  ],
  ['no-rights', ['48001', '48002', '50001', '50002', '50003', '50004', '60011', '301002']],
  ['limited', ['45009', '45033', '90002', '90018']],
  // A department went away while its people were asked for.
  ['cut-off', ['60003']],
]
const BUSY_CODES = ['-1']
const RATE_CODES = PROBLEMS.find(([problem]) => problem === 'limited')?.[1] ?? []

/** As long as a vendor refuses whoever called too often. */
const RATE_PAUSE_MS = 60_000
const BUSY_PAUSE_MS = 1_000
const MAX_RETRIES = 3
/** The people of one department with all that is known of them. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
/** Of one read. */
const MAX_READ_MS = 2 * 3_600_000

/** The app that reads. */
export type BookVendor = Omit<VendorApp, 'answers'> & {
  /** Between two calls, so that a read stays below what the vendor takes. */
  intervalMs: number
  timeoutMs: number
}

type Call = {
  /** Names the call in a fault. */
  step: string
  path: string
  query?: Record<string, string>
  body?: object
  /** Codes with which it answers nothing, instead of failing. */
  allowed?: readonly string[]
}

/** @returns the answer; null for a code that was allowed. @throws SourceFault with the vendor's code. */
export type BookCall = (call: Call) => Promise<Record<string, unknown> | null>
export type Pause = (milliseconds: number) => Promise<unknown>

/** Calls of one address book, one after the other, as often as the vendor takes them. */
export function createBookCall(context: ConnectorContext, vendor: BookVendor, pause: Pause = sleep): BookCall {
  const began = performance.now()
  const app: VendorApp = { ...vendor, answers: { codeAt: '/errcode', innerCodeAt: '/sub_code', codes: {} } }
  const bounds = { maxResponseBytes: MAX_ANSWER_BYTES, timeoutMs: vendor.timeoutMs }
  const callPaced = pacedBy(vendor.intervalMs, pause)
  return async ({ allowed = [], ...call }) => {
    if (performance.now() - began > MAX_READ_MS) throw new SourceFault('limited', call.step)
    try {
      return await withRetries(pause, () => callPaced(() => callAsApp(context, app, { ...call, bounds })))
    } catch (error) {
      if (isVendorCode(error, allowed)) return null
      throw toFault(error)
    }
  }
}

function pacedBy(intervalMs: number, pause: Pause) {
  let last = Number.NEGATIVE_INFINITY
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const wait = last + intervalMs - performance.now()
    if (wait > 0) await pause(wait)
    last = performance.now()
    return await work()
  }
}

/** Busy vendors are asked again after a moment, those that were asked too often after their minute. */
async function withRetries<T>(pause: Pause, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const isRate = isVendorCode(error, RATE_CODES)
      if (tries > MAX_RETRIES || !(isRate || isVendorCode(error, BUSY_CODES))) throw error
      await pause(isRate ? RATE_PAUSE_MS : BUSY_PAUSE_MS * tries)
    }
  }
}

function toFault(error: unknown): SourceFault {
  if (error instanceof SourceFault) return error
  if (!(error instanceof ConnectorFault)) throw error
  const { vendorCode, detail, reason } = error
  const known = PROBLEMS.find(([, codes]) => codes.includes(vendorCode ?? ''))?.[0]
  if (known) return new SourceFault(known, detail)
  if (vendorCode !== null || reason !== 'unavailable') return new SourceFault('failed', detail)
  if (/Timeout/.test(detail)) return new SourceFault('timeout', detail)
  if (/MAX_SIZE/.test(detail)) return new SourceFault('limited', detail)
  return new SourceFault(/ \d{3}$/.test(detail) ? 'failed' : 'unreachable', detail)
}

/** The rows of an answer. @throws SourceFault: an answer without them is no empty list. */
export function rowsAt(document: Record<string, unknown> | null, pointer: string): Record<string, unknown>[] {
  const rows = resolvePointer(document, pointer)
  if (!Array.isArray(rows)) throw new SourceFault('failed', pointer)
  return rows as Record<string, unknown>[]
}
