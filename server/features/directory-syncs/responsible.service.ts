import type { DirectorySync, HeldReason } from '#shared/contract/directory-syncs.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import type { Context } from '../../platform/platform.ts'
import { type MassNotice, notifyPeople } from '../messages/index.ts'
import { problemKey } from './problem-key.rules.ts'
import type { RunRow } from './runs.store.ts'

type Told = { run: RunRow; sync: DirectorySync; heldFor: readonly HeldReason[]; problem?: string }

/**
 * Tells those who are responsible that a run waits or has failed, in the transaction that says so: once, whatever is killed when. Of
 * a dry run nobody but whoever started it has to know.
 */
export async function tellResponsible(ctx: Context, { run, sync, heldFor, problem }: Told): Promise<void> {
  if (run.dryRun || sync.responsibleIds.length === 0) return
  const language = ctx.wording.offered()[0] ?? 'zh_CN'
  const number = new Intl.NumberFormat(languageTag(language))
  const reasons = heldFor.map(({ kind, count, of, threshold, field }) =>
    ctx.translate(language, `directory-sync.held.${kind}`, {
      count: number.format(count),
      of: number.format(of),
      threshold: threshold ?? 0,
      field: field ?? '',
    }),
  )
  if (problem) reasons.push(ctx.translate(language, problemKey(problem)))
  const url = `${ctx.config.publicUrl}/auth_web/manage/org-sync-detail?sync=${sync.id}`
  const params = { sync: sync.name, said: reasons.join('\n'), first: reasons[0] ?? '', url }
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + DAY_MS)
  const notices = sync.responsibleIds.map(
    (userId): MassNotice => ({ userId, template: 'notice.sync-held', params, expiresAt }),
  )
  await notifyPeople(ctx, notices, { language, notBefore: now })
}
