import { findApplicationById, findApplicationByService } from '../../features/applications/index.ts'
import { ssoSessionById } from '../../features/sessions/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { casOptionsOf } from './cas-options.ts'
import { findProxyGrant } from './proxy.store.ts'
import { issueProxyTicket } from './tickets.ts'
import { type Failure, failed } from './validate.ts'

const WELL_FORMED = /^PGT-[A-Za-z0-9]{60}$/

type JsonKey = 'proxyFailure' | 'authenticationFailure'
export type ProxyAnswer = { ticket: string } | (Failure & { jsonKey: JsonKey })

/** /proxy: a proxy ticket for `targetService` from a proxy-granting ticket (protocol 2.7). The gate is asked for both applications. */
export async function proxyTicket(ctx: Context, pgt: string, targetService: string): Promise<ProxyAnswer> {
  const grant = WELL_FORMED.test(pgt) ? await findProxyGrant(ctx.db, sha256(pgt)) : null
  const proxy = grant && (await findApplicationById(ctx, grant.applicationId))
  if (!grant || !proxy) return { ...failed('proxy-ticket-unknown'), jsonKey: 'proxyFailure' }
  const jsonKey = casOptionsOf(proxy).proxyFailureJson
  const target = await findApplicationByService(ctx, targetService)
  // The portal's tickets belong to a browser, so no application may fetch one.
  if (!proxy.proxy || !target?.enabled || target.builtIn || target.protocol !== 'cas')
    return { ...failed('target-refused'), jsonKey }
  const [own, session] = await Promise.all([
    ssoSessionById(ctx, grant.ssoSessionId, proxy),
    ssoSessionById(ctx, grant.ssoSessionId, target),
  ])
  const refusal = session ? (session.refusal ?? own?.refusal) : 'session.ended'
  if (!session || refusal) {
    const ofApplication = refusal?.startsWith('application.') === true
    return { ...failed(ofApplication ? 'target-refused' : 'proxy-ticket-unknown'), jsonKey }
  }
  const ticket = await issueProxyTicket(ctx, {
    application: target,
    service: targetService,
    session,
    fresh: false,
    proxies: grant.proxies,
  })
  return { ticket }
}
