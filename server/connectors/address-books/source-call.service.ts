import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectorContext, ConnectorFault } from '../connector.types.ts'
import { SourceFault, type SourceProblem, type SourceSettings, type Wait } from '../data-source.types.ts'
import { resolvePointer } from '../json-pointer.rules.ts'
import { BOOK_BOUNDS, callPaced, type PacedApp } from '../vendor-budget.service.ts'
import { classOf, type FaultClass, isVendorCode, type VendorCredentials } from '../vendor-call.service.ts'
import type { BookItem } from './book-source.types.ts'

/** The problems for a vendor's codes. */
const PROBLEMS: Partial<Record<FaultClass, SourceProblem>> = {
  address: 'address-refused',
  credentials: 'login-refused',
  rights: 'no-rights',
  'not-visible': 'no-rights',
  'too-many': 'limited',
  // A department was deleted while its people were requested.
  gone: 'cut-off',
}

/** The longest pause while somebody waits in front of a page. */
const MAX_PAUSE_MS = 5_000

/** For one read. */
const MAX_READ_MS = 2 * 3_600_000

type Call = {
  /** Names the call in a fault. */
  step: string
  path: string
  query?: Record<string, string>
  body?: object
  /** Codes that return null instead of failing. */
  allowed?: readonly string[]
  /** Not retried when lost: somebody may be waiting for it. */
  isOnce?: boolean
}

/** @returns the answer; null for an allowed code. @throws SourceFault with the vendor's code. */
export type SourceCall = (call: Call) => Promise<BookItem | null>

/**
 * Calls of one address book, one after the other, as the app named in the settings.
 * @param wait for a run, for which nobody waits; without it, calls don't wait long for their turn.
 */
export function createSourceCall(
  context: ConnectorContext,
  { options, user, password, timeoutSeconds }: SourceSettings,
  appOf: (credentials: VendorCredentials) => PacedApp,
  wait?: Wait,
): { call: SourceCall; isEncrypted: boolean } {
  const began = performance.now()
  const app = appOf({ host: options.url, application: user, secret: password })
  const bounds = { ...BOOK_BOUNDS, timeoutMs: timeoutSeconds * 1000 }
  const call: SourceCall = async ({ allowed = [], isOnce = false, ...asked }) => {
    if (performance.now() - began > MAX_READ_MS) throw new SourceFault('limited', asked.step)
    const pace = { isOnce, wait: wait ?? (isOnce ? waitBriefly(asked.step) : sleep) }
    try {
      return await callPaced(context, app, { ...asked, bounds }, pace)
    } catch (error) {
      if (isVendorCode(error, allowed)) return null
      throw toFault(error, app)
    }
  }
  return { call, isEncrypted: app.host.startsWith('https:') }
}

/** @throws SourceFault `limited` with the seconds that it would take. */
const waitBriefly =
  (step: string): Wait =>
  async (ms) => {
    if (ms > MAX_PAUSE_MS) throw new SourceFault('limited', `${step}, ${Math.ceil(ms / 1000)} s`)
    await sleep(ms)
  }

function toFault(error: unknown, { answers }: PacedApp): SourceFault {
  if (error instanceof SourceFault) return error
  if (!(error instanceof ConnectorFault)) throw error
  const { vendorCode, detail, reason, network } = error
  const known = vendorCode === null ? undefined : PROBLEMS[classOf(answers.codes, vendorCode)]
  if (known) return new SourceFault(known, detail)
  if (network === 'too-large') return new SourceFault('limited', detail)
  if (vendorCode !== null || reason !== 'unavailable') return new SourceFault('failed', detail)
  if (/Timeout/.test(detail)) return new SourceFault('timeout', detail)
  return new SourceFault(/ \d{3}$/.test(detail) ? 'failed' : 'unreachable', detail)
}

/** The rows of an answer. @throws SourceFault if they are missing, which is not an empty list. */
export function rowsAt(document: BookItem | null, pointer: string): BookItem[] {
  const rows = resolvePointer(document, pointer)
  if (!Array.isArray(rows)) throw new SourceFault('failed', pointer)
  return rows as BookItem[]
}
