import type { Adapter, AdapterPayload } from 'oidc-provider'
import { v7 } from 'uuid'
import { findApplicationByClientId } from '../../features/applications/index.ts'
import { clientDetails } from '../../features/records/index.ts'
import type { Context } from '../../platform/platform.ts'
import { sidFor, subjectFor } from './claims.ts'
import { currentRequest, isGood, type Standing, standingOfSession } from './oidc-request.ts'
import { insertEntry } from './tokens.store.ts'

const KIND = 'oidc-code'
/** Kept after its end, so that whoever uses it a second time is noticed. */
const REMEMBERED_SECONDS = 600

/** A code as it is kept: without itself, and with its end by our own clock. */
type Kept = { payload: AdapterPayload; until: number }

/** Authorization codes: good once, of whatever number of parallel callers on all nodes. */
export const codeAdapter: Partial<Adapter> = {
  async upsert(id, { jti: _, ...payload }, seconds = 60) {
    const { ctx, standing } = currentRequest()
    if (!standing) throw new Error('a code without a session')
    const kept: Kept = { payload, until: ctx.now().getTime() + seconds * 1000 }
    await Promise.all([ctx.state.put(KIND, id, kept, REMEMBERED_SECONDS), noteEntry(ctx, standing)])
  },

  async find(id) {
    const request = currentRequest()
    const { ctx } = request
    const read = await ctx.state.use<Kept>(KIND, id)
    if (!read) return undefined
    const { payload, until } = read.value
    const found = { ...payload, jti: id }
    rememberGrant(payload)
    if (read.uses > 1) return { ...found, consumed: Math.floor(Date.now() / 1000) }
    if (until <= ctx.now().getTime()) return undefined
    const standing = await standingOf(ctx, payload)
    if (!standing || !isGood(standing)) return undefined
    request.standing = standing
    return found
  },
}

/** What the provider will ask for by `grantId` while it redeems this. */
export function rememberGrant(payload: AdapterPayload): void {
  const { grantId, accountId, clientId, scope = '', claims } = payload
  if (!grantId || !accountId || !clientId) return
  const asked = [...Object.keys(claims?.userinfo ?? {}), ...Object.keys(claims?.id_token ?? {})]
  currentRequest().grants.set(grantId, { accountId, clientId, scope, claims: asked })
}

export async function standingOf(ctx: Context, { clientId, sessionUid }: AdapterPayload): Promise<Standing | null> {
  const application = clientId ? await findApplicationByClientId(ctx, clientId) : null
  if (!application || !sessionUid) return null
  return await standingOfSession(ctx, sessionUid, application)
}

/** A person entered an application: for the record, and for the logout that will have to name the session. */
export async function noteEntry(ctx: Context, { session, person, application }: Standing): Promise<void> {
  await insertEntry(ctx.db, {
    ssoSessionId: session.id,
    applicationId: application.id,
    sid: sidFor(ctx, session.id, application),
    subject: subjectFor(ctx, application, person) ?? '',
    userId: session.userId,
    at: ctx.now(),
    visitId: v7(),
    details: await clientDetails(ctx),
  })
}
