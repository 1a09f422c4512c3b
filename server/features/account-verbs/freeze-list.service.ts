import type { FreezeListAnswer, freezeListed } from '#shared/contract/account-holds.ts'
import { foldName } from '#shared/rules/fold-name.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { mayManage } from '../access/index.ts'
import { startTask } from '../background-tasks/index.ts'
import { BATCH_TASK_KIND, type BatchTaskInput, MAX_SYNC_PEOPLE } from './batch.service.ts'
import { REQUIRED_PERMISSION, requireValidDates, type VerbInput } from './verbs.rules.ts'
import { applyVerb, previewVerb, type VerbOutcome } from './verbs.service.ts'
import { findIdsByAccount } from './verbs.store.ts'

type Rows = FreezeListAnswer['rows']

/**
 * Freezes the people of a pasted list of accounts, and reports the result of each line. More than 1,000 people are frozen in the
 * background; the lines then report what was found when the request was made. @throws Refusal as `requireValidDates`.
 */
export async function freezeByNumbers(
  ctx: Context,
  { accounts, dryRun, from, until, ...how }: Input<typeof freezeListed>['body'],
): Promise<FreezeListAnswer> {
  const dates = { from: from ? new Date(from) : null, until: until ? new Date(until) : null }
  const input: VerbInput = { verb: 'freeze', ...how, ...dates }
  requireValidDates(dates, ctx.now())
  const found = await findIdsByAccount(ctx.db, accounts.map(foldName), mayManage(ctx, REQUIRED_PERMISSION.freeze))
  const ids = [...new Set(found.values())].toSorted()
  const isLong = ids.length > MAX_SYNC_PEOPLE
  const outcomes = new Map<string, VerbOutcome>()
  for (let at = 0; at < ids.length; at += MAX_SYNC_PEOPLE) {
    const step = ids.slice(at, at + MAX_SYNC_PEOPLE)
    const run = dryRun || isLong ? previewVerb : applyVerb
    for (const one of await transaction(ctx, (inner) => run(inner, step, input))) outcomes.set(one.id, one)
  }
  const rows = toRows(ctx, accounts, found, outcomes)
  const changed = rows.filter(({ status }) => status === 'changed').length
  if (dryRun || !isLong) return { rows, changed, taskId: null }
  const task: BatchTaskInput = { ids, work: { kind: 'verb', verb: 'freeze', ...how, from, until } }
  const start = { kind: BATCH_TASK_KIND, input: task, total: ids.length }
  return { rows, changed, taskId: await transaction(ctx, (inner) => startTask(inner, start)) }
}

function toRows(
  ctx: Context,
  accounts: readonly string[],
  found: ReadonlyMap<string, string>,
  outcomes: ReadonlyMap<string, VerbOutcome>,
): Rows {
  const seen = new Set<string>()
  return accounts.map((typed, at) => {
    const id = found.get(foldName(typed))
    const outcome = id === undefined ? undefined : outcomes.get(id)
    const line = { row: at + 1, account: typed, name: null, replaces: false, message: null }
    if (!id || !outcome || outcome.code === 'user.not-found') return { ...line, status: 'unknown' }
    const { account, name, status, code, params, replaces = false } = outcome
    if (seen.has(id)) return { ...line, account, name, status: 'repeated' }
    seen.add(id)
    const message = code && ctx.translate(ctx.client.language, `errors.${code}`, params)
    return { ...line, account, name, status, replaces, message }
  })
}
