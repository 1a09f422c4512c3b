import { listMyConsents, withdrawConsent } from '#shared/contract/consents.ts'
import type { Api } from '../../platform/http/mount.ts'
import { callerOf, transaction } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { revokeAccess } from '../sessions/index.ts'
import { deleteConsent, listConsents } from './consents.store.ts'

/** A person's consents, and how they withdraw them. */
export function mountConsents(api: Api): void {
  api.mount(listMyConsents, async (ctx) => {
    const rows = await listConsents(ctx.db, callerOf(ctx).userId)
    const records = rows.map(({ names, name, givenAt, ...row }) => ({
      ...row,
      name: names[ctx.client.language] ?? name,
      givenAt: givenAt.toISOString(),
    }))
    return { records, total: records.length }
  })

  api.mount(withdrawConsent, (ctx, { body }) =>
    transaction(ctx, async (inner) => {
      const { userId } = callerOf(inner)
      const applicationId = await deleteConsent(inner.db, userId, body.appId)
      if (!applicationId) return { withdrawn: false }
      await revokeAccess(inner, userId, applicationId)
      const target = { targetKind: 'application', targetId: body.appId, userId }
      await recordAudit(inner, { action: 'consent.withdraw', ...target, before: { application: body.appId } })
      return { withdrawn: true }
    }),
  )
}
