import type { Adapter, AdapterPayload } from 'oidc-provider'
import { v7 } from 'uuid'
import { findApplicationByClientId } from '../../features/applications/index.ts'
import { loadClientDetails } from '../../features/records/index.ts'
import type { Context } from '../../platform/platform.ts'
import { sidFor, subjectFor } from './claims.rules.ts'
import { type ClientSession, currentRequest, findClientSession, isUsable } from './oidc-request.service.ts'
import { insertEntry } from './tokens.store.ts'

const CODE_KIND = 'oidc-code'
/** Kept after its expiry, so that a second use is detected. */
const CODE_RETENTION_SECONDS = 600

/** A code as stored: without itself, and with its expiry by our own clock. */
type StoredCode = { payload: AdapterPayload; until: number }

/** Authorization codes: single use, however many parallel callers on all nodes. */
export const codeAdapter: Partial<Adapter> = {
  async upsert(id, { jti: _, ...payload }, seconds = 60) {
    const { ctx, clientSession } = currentRequest()
    if (!clientSession) throw new Error('a code without a session')
    const kept: StoredCode = { payload, until: ctx.now().getTime() + seconds * 1000 }
    await Promise.all([ctx.state.put(CODE_KIND, id, kept, CODE_RETENTION_SECONDS), recordEntry(ctx, clientSession)])
  },

  async find(id) {
    const request = currentRequest()
    const { ctx } = request
    const read = await ctx.state.readAndCount<StoredCode>(CODE_KIND, id)
    if (!read) return undefined
    const { payload, until } = read.value
    const found = { ...payload, jti: id }
    saveGrantFacts(payload)
    if (read.uses > 1) return { ...found, consumed: Math.floor(Date.now() / 1000) }
    if (until <= ctx.now().getTime()) return undefined
    const payloadSession = await findPayloadClientSession(ctx, payload)
    if (!payloadSession || !isUsable(payloadSession)) return undefined
    request.clientSession = payloadSession
    return found
  },
}

/** Stores what the provider will look up by `grantId` while it redeems this. */
export function saveGrantFacts(payload: AdapterPayload): void {
  const { grantId, accountId, clientId, scope = '', claims } = payload
  if (!grantId || !accountId || !clientId) return
  const claimNames = [...Object.keys(claims?.userinfo ?? {}), ...Object.keys(claims?.id_token ?? {})]
  currentRequest().grants.set(grantId, { accountId, clientId, scope, claims: claimNames })
}

export async function findPayloadClientSession(
  ctx: Context,
  { clientId, sessionUid }: AdapterPayload,
): Promise<ClientSession | null> {
  const application = clientId ? await findApplicationByClientId(ctx, clientId) : null
  if (!application || !sessionUid) return null
  return await findClientSession(ctx, sessionUid, application)
}

/** Records that a person entered an application: as a visit, and for the logout that must name the session. */
export async function recordEntry(ctx: Context, { session, person, application }: ClientSession): Promise<void> {
  await insertEntry(ctx.db, {
    ssoSessionId: session.id,
    applicationId: application.id,
    sid: sidFor(ctx, session.id, application),
    subject: subjectFor(ctx, application, person) ?? '',
    userId: session.userId,
    at: ctx.now(),
    visitId: v7(),
    details: await loadClientDetails(ctx),
  })
}
