import { findApplicationById, findApplicationByService } from '../../features/applications/index.ts'
import { findProxyGrant, findSsoSessionById } from '../../features/sessions/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { casOptionsOf } from './cas-options.rules.ts'
import { issueProxyTicket } from './tickets.service.ts'
import { failed, type ValidationFailure } from './validate.service.ts'

const WELL_FORMED = /^PGT-[A-Za-z0-9]{60}$/

type JsonKey = 'proxyFailure' | 'authenticationFailure'
export type ProxyResult = { ticket: string } | (ValidationFailure & { jsonKey: JsonKey })

/** The login is still valid: only this application is closed to it. */
const isAboutTarget = (refusal: string | null | undefined): boolean =>
  refusal === 'rule.refused' || refusal?.startsWith('application.') === true

/** /proxy: a proxy ticket for `targetService` from a proxy-granting ticket (protocol 2.7). The gate is asked about both applications. */
export async function exchangeProxyGrantingTicket(
  ctx: Context,
  pgt: string,
  targetService: string,
): Promise<ProxyResult> {
  const grant = WELL_FORMED.test(pgt) ? await findProxyGrant(ctx.db, sha256(pgt)) : null
  const proxy = grant && (await findApplicationById(ctx, grant.applicationId))
  if (!grant || !proxy) return { ...failed('proxy-ticket-unknown'), jsonKey: 'proxyFailure' }
  const jsonKey = casOptionsOf(proxy).proxyFailureJson
  const target = await findApplicationByService(ctx, targetService)
  // The portal's tickets are bound to a browser, so no application may fetch one.
  if (!proxy.proxy || !target?.enabled || target.builtIn || target.protocol !== 'cas')
    return { ...failed('target-refused'), jsonKey }
  const [own, session] = await Promise.all([
    findSsoSessionById(ctx, grant.ssoSessionId, proxy),
    findSsoSessionById(ctx, grant.ssoSessionId, target),
  ])
  const refusal = session ? (session.refusal ?? own?.refusal) : 'session.ended'
  if (!session || refusal) {
    return { ...failed(isAboutTarget(refusal) ? 'target-refused' : 'proxy-ticket-unknown'), jsonKey }
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
