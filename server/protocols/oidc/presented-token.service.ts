import type { AdapterPayload } from 'oidc-provider'
import { findApplicationByClientId, findApplicationById, releaseNeeds } from '../../features/applications/index.ts'
import {
  loadGateSettings,
  loadPersonAttributes,
  type SessionShape,
  sessionShape,
} from '../../features/sessions/index.ts'
import type { Context } from '../../platform/platform.ts'
import type { TokenRow } from './client-session.store.ts'
import { currentRequest, isUsable, toClientSession } from './oidc-request.service.ts'

/** By the requesting client: a code or token is nearly always its own. What another application also receives is read once that is known. */
export async function tokenShape(ctx: Context): Promise<SessionShape> {
  const clientId = currentRequest().koa?.oidc.client?.clientId
  const application = clientId === undefined ? null : await findApplicationByClientId(ctx, clientId)
  return sessionShape((await loadGateSettings(ctx)).rules, application)
}

/** The code or token with the session state it was found with, if that is still valid. */
export async function toTokenPayload(
  id: string,
  row: TokenRow | null,
  shape: SessionShape,
): Promise<AdapterPayload | undefined> {
  const request = currentRequest()
  const { ctx } = request
  const application = row && (await findApplicationById(ctx, row.applicationId))
  if (!row || !application) return undefined
  const clientSession = await toClientSession(ctx, row, application)
  if (!isUsable(clientSession)) return undefined
  const { affiliation, roles, custom } = releaseNeeds(application)
  const isIncomplete = (affiliation && !shape.affiliation) || (roles && !shape.roles) || (custom && !shape.custom)
  if (isIncomplete) clientSession.person = await loadPersonAttributes(ctx.db, row.userId)
  request.clientSession = clientSession
  const payload = { ...row.value, jti: id } as AdapterPayload
  saveGrantFacts(payload)
  return row.consumed ? consumedPayload(payload) : payload
}

/** As the provider expects it of what has been used already. */
export const consumedPayload = (payload: AdapterPayload): AdapterPayload => ({
  ...payload,
  consumed: Math.floor(Date.now() / 1000),
})

/** Stores what the provider will look up by `grantId` while it redeems this. */
export function saveGrantFacts(payload: AdapterPayload): void {
  const { grantId, accountId, clientId, scope = '', claims } = payload
  if (!grantId || !accountId || !clientId) return
  const claimNames = [...Object.keys(claims?.userinfo ?? {}), ...Object.keys(claims?.id_token ?? {})]
  currentRequest().grants.set(grantId, { accountId, clientId, scope, claims: claimNames })
}
