import type { Adapter, AdapterPayload } from 'oidc-provider'
import { v7 } from 'uuid'
import { loadClientDetails } from '../../features/records/index.ts'
import { latestIssueTime } from '../../platform/clock.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { sidFor, subjectFor } from './claims.rules.ts'
import { countCodeUse } from './client-session.store.ts'
import { insertEntry, type NewCode } from './codes.store.ts'
import { type ClientSession, currentRequest } from './oidc-request.service.ts'
import { consumedPayload, saveGrantFacts, tokenShape, toTokenPayload } from './presented-token.service.ts'

/** Kept after its expiry, so that a second use is detected. */
const CODE_RETENTION_SECONDS = 600

/** Codes issued before this are unknown. */
export const codesRetainedSince = (now: Date): Date => new Date(now.getTime() - CODE_RETENTION_SECONDS * 1000)

/** Authorization codes: single use, however many parallel callers on all nodes. */
export const codeAdapter: Partial<Adapter> = {
  async upsert(id, { jti: _, ...value }, seconds = 60) {
    const { ctx, clientSession } = currentRequest()
    if (!clientSession) throw new Error('a code without a session')
    const expiresAt = new Date(ctx.now().getTime() + seconds * 1000)
    await recordEntry(ctx, clientSession, { hash: sha256(id), value, expiresAt })
  },

  async find(id) {
    const { ctx } = currentRequest()
    const now = ctx.now()
    const shape = await tokenShape(ctx)
    const times = { now, retainedSince: codesRetainedSince(now), latestIssue: latestIssueTime(now) }
    const row = await countCodeUse(ctx.db, sha256(id), { shape, ...times })
    if (!row) return undefined
    if (row.consumed) {
      const payload = { ...row.value, jti: id } as AdapterPayload
      saveGrantFacts(payload)
      return consumedPayload(payload)
    }
    return row.isExpired || !row.hasSession ? undefined : await toTokenPayload(id, row, shape)
  },
}

/**
 * Records that a person entered an application: as a visit, and for the logout that must name the session.
 * @param code stored in the same statement; null: the application gets its tokens without one
 */
export async function recordEntry(
  ctx: Context,
  { session, person, application }: ClientSession,
  code: NewCode | null = null,
): Promise<void> {
  const entry = {
    ssoSessionId: session.id,
    applicationId: application.id,
    sid: sidFor(ctx, session.id, application),
    subject: subjectFor(ctx, application, person) ?? '',
    userId: session.userId,
    at: ctx.now(),
    visitId: v7(),
    details: await loadClientDetails(ctx),
  }
  await insertEntry(ctx.db, entry, code)
}
