import type { HeldReason } from '#shared/contract/sync-runs.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import type { Context } from '../../platform/platform.ts'
import { type MassNotice, notifyPeople } from '../messages/index.ts'
import { countSuperUsers } from './responsible.store.ts'
import { describeFailure, loadFieldNames } from './run-words.service.ts'
import type { InterruptedRun, RunRowBase } from './runs.store.ts'
import { errors } from './sync-runs.errors.ts'

/** @throws Refusal `directory-sync.not-responsible`: only super users can open what the notice links to. */
export async function checkResponsible({ db }: Context, ids: readonly string[]): Promise<void> {
  if ((await countSuperUsers(db, ids)) < new Set(ids).size)
    throw errors['directory-sync.not-responsible']({ data: { fields: ['responsibleIds'] } })
}

type RunNotice = {
  run: Pick<RunRowBase, 'state' | 'dryRun'>
  sync: { name: string; responsibleIds: readonly string[] }
  /** The back-office page of the run. */
  page: string
  heldFor: readonly HeldReason[]
  heldKey: `${string}-sync.held`
  /** The message key of why it failed, and the detail in words. */
  failure?: { key: string; words: string }
}

/** Notifies the people responsible of interrupted runs, in the transaction that ends them. */
export async function notifyInterrupted(
  ctx: Context,
  runs: readonly InterruptedRun[],
  about: (syncId: string) => Promise<Pick<RunNotice, 'sync' | 'page' | 'heldKey'>>,
): Promise<void> {
  const failure = { key: 'directory-sync-failure.interrupted', words: '' }
  for (const run of runs) await notifyResponsible(ctx, { run, ...(await about(run.syncId)), heldFor: [], failure })
}

/**
 * Notifies the people responsible that a run waits or has failed, in the transaction that records it, so that a crash neither loses nor
 * repeats a notice. Dry runs notify nobody.
 */
export async function notifyResponsible(ctx: Context, notice: RunNotice): Promise<void> {
  const { run, sync, page, heldFor, heldKey, failure } = notice
  if (run.dryRun || sync.responsibleIds.length === 0) return
  const language = ctx.wording.offered()[0] ?? 'zh_CN'
  const number = new Intl.NumberFormat(languageTag(language))
  const fieldName = await loadFieldNames(ctx, language)
  const reasons = heldFor.map(({ kind, count, of, threshold, field }) =>
    ctx.translate(language, `${heldKey}.${kind}`, {
      count,
      shown: number.format(count),
      of: number.format(of),
      threshold: threshold ?? 0,
      field: field === null ? '' : fieldName(field, heldKey === 'department-sync.held'),
    }),
  )
  if (failure) reasons.push(describeFailure(ctx, language, failure))
  if (run.state !== 'applying' && run.state !== 'undoing')
    reasons.push(ctx.translate(language, 'directory-sync.nothing-written'))
  const url = `${ctx.config.publicUrl}/auth_web/manage/${page}`
  const params = { sync: sync.name, said: reasons.join('\n'), first: reasons[0] ?? '', url }
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + DAY_MS)
  const notices = sync.responsibleIds.map(
    (userId): MassNotice => ({ userId, template: 'notice.sync-held', params, expiresAt }),
  )
  await notifyPeople(ctx, notices, { language, notBefore: now })
}
