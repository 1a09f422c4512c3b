import { z } from 'zod'
import { MAILBOX_DRIVERS } from '#shared/contract/mailbox-settings.ts'
import { VENDOR_KEYS } from '#shared/contract/vendors.ts'
import { withAdvisoryLock } from '../../platform/advisory-lock.ts'
import { isLoopback } from '../../platform/config.ts'
import type { Platform } from '../../platform/platform.ts'
import { mergeSettings, readSettings } from '../../platform/settings.ts'
import { invalidateApplications, moveApplications } from '../applications/index.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { moveMailboxes } from '../corporate-mailbox/index.ts'
import { invalidateProviders, moveProviders } from '../third-party-providers/index.ts'
import { isDatabaseEmpty, listNotActivated } from './demo.store.ts'
import { newDemoAccounts, saveDemoAccounts } from './demo-accounts.service.ts'
import type { DemoBases } from './demo-applications.rules.ts'
import { demoDocument } from './demo-document.rules.ts'
import { writeHistory } from './demo-history.service.ts'
import { setUpMailboxes } from './demo-mailboxes.service.ts'
import { demoPeople } from './demo-people.rules.ts'

/** Any constant: one of several starting nodes loads the school, the others find it loaded. */
const DEMO_LOCK = 7_402_119

/** The settings document `demo`: that the school was loaded, and where its applications were last. */
const DemoState = z.object({
  bases: z
    .object({
      library: z.string(),
      learning: z.string(),
      vendors: z.partialRecord(z.enum(VENDOR_KEYS), z.string()).default({}),
      mailboxes: z.partialRecord(z.enum(MAILBOX_DRIVERS), z.string()).default({}),
    })
    .nullable()
    .default(null),
})

/** Where the demo applications are expected: the portal's host, on the following ports. */
export function expectedBases({ config }: Platform): DemoBases {
  const { hostname } = new URL(config.publicUrl)
  const baseAt = (index: number) => `http://${hostname}:${config.port + index}`
  // Their secrets are public: nobody else may reach them, or log in with them.
  const isAlone = isLoopback(config.host) && isLoopback(hostname)
  const from = (first: number, keys: readonly string[]) =>
    isAlone ? Object.fromEntries(keys.map((key, index) => [key, baseAt(index + first)])) : {}
  const vendors = from(3, VENDOR_KEYS)
  return { library: baseAt(1), learning: baseAt(2), vendors, mailboxes: from(3 + VENDOR_KEYS.length, MAILBOX_DRIVERS) }
}

/**
 * Loads the demo school into an empty database, once and completely: people, applications, settings, two weeks of records. The passwords of
 * its few accounts are new in every installation.
 * @returns whether it was loaded now.
 */
export async function loadDemoSchool(platform: Platform): Promise<boolean> {
  return withAdvisoryLock(platform.sql, DEMO_LOCK, async () => {
    if (!(await isDatabaseEmpty(platform.sql))) return false
    const loadedAt = platform.now()
    const frozenPlatform: Platform = { ...platform, now: () => loadedAt }
    const bases = expectedBases(platform)
    const accounts = newDemoAccounts()
    await applyBootstrap(frozenPlatform, demoDocument(accounts, bases), {
      source: 'demo school',
      inTransaction: async (ctx) => {
        await writeHistory(ctx)
        await setUpMailboxes(ctx, bases)
        await mergeSettings(ctx, 'demo', { bases })
        // Before the commit: if the passwords could no longer be read, everybody would be locked out.
        await saveDemoAccounts(ctx, accounts, loadedAt)
      },
    })
    return true
  })
}

/** Whether this database holds the demo school. */
export const isDemoSchool = async (platform: Platform): Promise<boolean> =>
  (await readSettings(platform, 'demo', DemoState)).bases !== null

/** Registers the current URLs of the demo applications; URLs that somebody changed by hand stay. */
export async function moveDemoApplications(platform: Platform, bases: DemoBases): Promise<void> {
  const { bases: before } = await readSettings(platform, 'demo', DemoState)
  if (!before) return
  const moves = [
    { from: before.library, to: bases.library },
    { from: before.learning, to: bases.learning },
    ...VENDOR_KEYS.map((key) => ({ from: before.vendors[key] ?? '', to: bases.vendors[key] ?? '' })),
    ...MAILBOX_DRIVERS.map((key) => ({ from: before.mailboxes[key] ?? '', to: bases.mailboxes[key] ?? '' })),
  ].filter(({ from, to }) => from !== '' && to !== '' && from !== to)
  if (moves.length === 0) return
  await platform.sql.begin(async (tx) => {
    await moveApplications(tx, moves, platform.now())
    await mergeSettings({ ...platform, db: tx }, 'demo', { bases })
    await moveProviders(tx, moves, platform.now())
    await moveMailboxes(platform, tx, moves)
    await invalidateApplications(platform, tx)
    await invalidateProviders(platform, tx)
  })
}

/** Enough to try with. */
const MAX_NEWCOMERS = 4

/** People of the demo school who have not activated their account, with what activation asks for. */
export async function demoNewcomers(
  platform: Platform,
): Promise<{ account: string; name: string; idNumber: string }[]> {
  if (!(await isDemoSchool(platform))) return []
  const accounts = demoPeople().flatMap(({ account, idNumber }) => (idNumber === null ? [] : [account]))
  const rows = await listNotActivated(platform.sql, accounts, MAX_NEWCOMERS)
  return rows.map((row) => ({ ...row, idNumber: platform.secrets.open(row.idNumber) }))
}
