import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { lockSettingsDocument, mergeSettings } from '../../platform/settings.ts'

/** The settings document `setup`: hashes of the printed links, and when setup was closed permanently. */
export type SetupState = { links: string[]; closedAt: string | null }

const NAME = 'setup'

/** What a change of the state needs: a transaction in `db`. */
type Transaction = Platform & { db: Db }

export async function findSetupState(db: Db): Promise<SetupState | null> {
  const [row] = await db<{ value: SetupState }[]>`select value from settings where name = ${NAME}`
  return row?.value ?? null
}

export const hasSuperUser = async (db: Db): Promise<boolean> =>
  (await db`select 1 from users where is_super_user and deleted_at is null limit 1`).length > 0

/** The state of a setup that is not closed, which nobody else changes until the transaction ends; null: it is closed. */
async function lockOpenSetup(db: Db): Promise<SetupState | null> {
  await lockSettingsDocument(db, NAME, { isPatient: true })
  const state: SetupState = { links: [], closedAt: null, ...(await findSetupState(db)) }
  return state.closedAt === null ? state : null
}

/** Adds a link unless setup is closed; the latest few of the earlier ones stay valid. @returns false if it is closed */
export async function insertSetupLink(ctx: Transaction, hash: string, limit: number): Promise<boolean> {
  const state = await lockOpenSetup(ctx.db)
  if (!state) return false
  const links = [hash, ...state.links].slice(0, limit)
  await mergeSettings(ctx, NAME, { links, closedAt: null } satisfies SetupState)
  return true
}

/** Closes setup permanently. @returns false if it was closed before: of parallel callers one gets true */
export async function closeSetup(ctx: Transaction): Promise<boolean> {
  if (!(await lockOpenSetup(ctx.db))) return false
  await mergeSettings(ctx, NAME, { links: [], closedAt: ctx.now().toISOString() } satisfies SetupState)
  return true
}

export const accountExists = async (db: Db, account: string): Promise<boolean> =>
  (await db`select 1 from users where account = ${account} and deleted_at is null`).length > 0
