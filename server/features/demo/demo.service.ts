import { z } from 'zod'
import { withAdvisoryLock } from '../../platform/advisory-lock.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings, writeSettings } from '../../platform/settings.ts'
import { applicationsChanged } from '../applications/index.ts'
import { applyBootstrap } from '../bootstrap/index.ts'
import { providersChanged } from '../third-party-providers/index.ts'
import type { DemoBases } from './demo.applications.ts'
import { demoDocument } from './demo.document.ts'
import { writeHistory } from './demo.history.ts'
import { demoPeople } from './demo.people.ts'
import { isEmpty, moveApplications, moveProviders, notActivated } from './demo.store.ts'
import { keepDemoAccounts, newDemoAccounts } from './demo-accounts.ts'

/** Any constant: one of several starting nodes loads the school, the others find it loaded. */
const DEMO_LOCK = 7_402_119

/** The settings document `demo`: that the school was loaded, and where its applications were last. */
const DemoState = z.object({ bases: z.object({ library: z.string(), learning: z.string() }).nullable().default(null) })

/** Where the demo applications are expected: the host that people use, on the ports after the portal's. */
export function expectedBases({ config }: Platform): DemoBases {
  const { hostname } = new URL(config.publicUrl)
  return { library: `http://${hostname}:${config.port + 1}`, learning: `http://${hostname}:${config.port + 2}` }
}

/**
 * Loads the demo school into an empty database, once and as a whole: people, applications, settings, two weeks of records.
 * The passwords of its few accounts are new in every installation.
 * @returns whether it was loaded now.
 */
export async function loadDemoSchool(platform: Platform): Promise<boolean> {
  return withAdvisoryLock(platform.sql, DEMO_LOCK, async () => {
    if (!(await isEmpty(platform.sql))) return false
    const loadedAt = platform.now()
    const still: Platform = { ...platform, now: () => loadedAt }
    const bases = expectedBases(platform)
    const accounts = newDemoAccounts()
    await applyBootstrap(still, demoDocument(accounts, bases), {
      source: 'demo school',
      alongside: async (ctx) => {
        await writeHistory(ctx)
        await writeSettings(ctx, 'demo', { bases })
        // Before the commit: passwords that nobody can read any more would lock everybody out.
        await keepDemoAccounts(ctx, accounts, loadedAt)
      },
    })
    return true
  })
}

/** Whether this database holds the demo school. */
export const isDemoSchool = async (platform: Platform): Promise<boolean> =>
  (await readSettings(platform, 'demo', DemoState)).bases !== null

/** Registers where the demo applications listen now; addresses that somebody changed by hand stay. */
export async function moveDemoApplications(platform: Platform, bases: DemoBases): Promise<void> {
  const { bases: before } = await readSettings(platform, 'demo', DemoState)
  if (!before) return
  const moves = [
    { from: before.library, to: bases.library },
    { from: before.learning, to: bases.learning },
  ].filter(({ from, to }) => from !== to)
  if (moves.length === 0) return
  await platform.sql.begin(async (tx) => {
    await moveApplications(tx, moves, platform.now())
    await writeSettings({ ...platform, db: tx }, 'demo', { bases })
    await moveProviders(tx, moves, platform.now())
    await applicationsChanged(platform, tx)
    await providersChanged(platform, tx)
  })
}

/** Enough to try with. */
const MOST_NEWCOMERS = 4

/** People of the demo school who have still to activate their account, with what the activation asks for. */
export async function demoNewcomers(
  platform: Platform,
): Promise<{ account: string; name: string; idNumber: string }[]> {
  if (!(await isDemoSchool(platform))) return []
  const accounts = demoPeople().flatMap(({ account, idNumber }) => (idNumber === null ? [] : [account]))
  const rows = await notActivated(platform.sql, accounts, MOST_NEWCOMERS)
  return rows.map((row) => ({ ...row, idNumber: platform.secrets.open(row.idNumber) }))
}
