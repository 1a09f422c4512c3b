import { v7 } from 'uuid'
import { AccessSettings } from '#shared/contract/policy-switch.ts'
import {
  CONFIRM_WITHIN_MINUTES,
  type listUnconfirmedChanges,
  type UnconfirmedChange,
} from '#shared/contract/unconfirmed-changes.ts'
import { latestIssueTime } from '../../platform/clock.ts'
import type { Output } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { type Restorer, recordAudit, type Snapshot } from '../records/index.ts'
import { errors } from './unconfirmed-changes.errors.ts'
import {
  findLoginTime,
  insertUnconfirmed,
  type ListedRow,
  listRecent,
  lockOpen,
  settle,
} from './unconfirmed-changes.store.ts'

type ForcedChange = {
  targetKind: string
  targetId: string
  /** The state to return to, and the one just saved; complete, as in the change history. */
  before: Snapshot
  after: Snapshot
  /** The fields that lock out. */
  fields: string[]
}

/**
 * Records, in the transaction of a change that locks somebody out, that it is reversed automatically unless it is confirmed.
 * @throws Refusal `unconfirmed-change.pending` if an earlier one of the same target is pending.
 */
export async function awaitConfirmation(ctx: Context, change: ForcedChange): Promise<void> {
  const madeAt = ctx.now()
  const dueAt = new Date(madeAt.getTime() + CONFIRM_WITHIN_MINUTES * 60_000)
  const row = { id: v7(), madeAt, madeBy: ctx.caller?.userId ?? null, dueAt, ...change }
  if (!(await insertUnconfirmed(ctx.db, row))) throw errors['unconfirmed-change.pending']()
  const { targetKind, targetId, fields } = change
  await recordAudit(ctx, {
    action: 'change.force',
    targetKind,
    targetId,
    after: { fields, dueAt: dueAt.toISOString() },
  })
}

/** Saved settings apply on every node after a second: a login less than this after the change may not have been subject to it. */
const SETTLING_MS = 2000

/** A login dated in the future is older than it says: it was made before the clock was set back. */
const isAfter = (login: Date | null, madeAt: Date, now: Date): boolean =>
  login !== null && login.getTime() > madeAt.getTime() + SETTLING_MS && login <= latestIssueTime(now)

const SHOWN_FOR_MS = 60 * 60_000

/** Pending changes, and recently reversed ones: for the banner of the back office. */
export async function describeUnconfirmed(
  ctx: Context,
  restorers: Readonly<Record<string, Restorer>>,
): Promise<Output<typeof listUnconfirmedChanges>> {
  const rows = await listRecent(ctx.db, new Date(ctx.now().getTime() - SHOWN_FOR_MS))
  const { suspended: arePoliciesOff } = await readSettings(ctx, 'access', AccessSettings)
  if (rows.length === 0) return { records: [], arePoliciesOff }
  const login = await findLoginTime(ctx.db, callerOf(ctx).ssoSessionId)
  const toChange = async (row: ListedRow): Promise<UnconfirmedChange> => {
    const { madeById, madeByName, madeAt, dueAt, settledAt, ...told } = row
    const target = (await restorers[row.targetKind]?.current(ctx, [row.targetId]))?.get(row.targetId)
    const left = settledAt ? 0 : Math.ceil((dueAt.getTime() - ctx.now().getTime()) / 1000)
    return {
      ...told,
      targetName: target?.name ?? null,
      madeAt: madeAt.toISOString(),
      madeBy: madeById !== null && madeByName !== null ? { id: madeById, name: madeByName } : null,
      secondsLeft: Math.max(0, left),
      isConfirmable: isAfter(login, madeAt, ctx.now()),
      settledAt: toIso(settledAt),
    }
  }
  return { records: await Promise.all(rows.map(toChange)), arePoliciesOff }
}

/** Keeps a change. @throws Refusal `unconfirmed-change.not-found`, `unconfirmed-change.old-login`. */
export async function confirm(ctx: Context, id: string): Promise<null> {
  return await transaction(ctx, async (inner) => {
    const row = await lockOpen(inner.db, id)
    if (!row) throw errors['unconfirmed-change.not-found']()
    const login = await findLoginTime(inner.db, callerOf(inner).ssoSessionId)
    if (!isAfter(login, row.madeAt, inner.now())) throw errors['unconfirmed-change.old-login']()
    await settle(inner.db, id, { at: inner.now(), outcome: 'confirmed', leftFields: [] })
    const { targetKind, targetId, fields } = row
    await recordAudit(inner, { action: 'change.confirm', targetKind, targetId, after: { fields } })
    return null
  })
}
