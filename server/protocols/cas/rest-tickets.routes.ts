import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { SignInForm } from '#shared/contract/sign-in.ts'
import { findApplicationByService } from '../../features/applications/index.ts'
import { endSsoSessions, findServerSessionById } from '../../features/sessions/index.ts'
import { signInByPassword } from '../../features/sign-in/index.ts'
import { signInPolicy } from '../../features/sign-in-policy/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { contextOf } from '../../platform/http/client.ts'
import { parseInput } from '../../platform/http/responses.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { errors } from './cas.errors.ts'
import { missingNameRefusal, refusalWords } from './login-response.service.ts'
import { CAS_PATH } from './pages.render.ts'
import { text } from './parameters.rules.ts'
import { issueServiceTicket } from './tickets.service.ts'

/** A separate kind: a ticket-granting ticket that passed through other programs never works as a browser's cookie. */
const TGT_KIND = 'rest-tgt'
type RestTgt = { ssoSessionId: string }
const ROOT = '/v1/tickets'

/**
 * The REST ticket API (protocol section 11). It is a brute-force target, so it is off until `restTicketAddresses` lists who may use it, and
 * its logins use the same counters as all others.
 */
export function mountRestTickets(app: FastifyInstance, platform: Platform): void {
  const guarded =
    (work: (ctx: Context, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const ctx = contextOf(platform, request)
      if (!(await isAllowed(ctx))) throw platformErrors['request.not-found']()
      return work(ctx, request, reply)
    }
  app.post(ROOT, guarded(createTgt))
  app.post(`${ROOT}/:tgt`, guarded(createServiceTicket))
  app.get(`${ROOT}/:tgt`, { exposeHeadRoute: false }, guarded(getTgt))
  app.delete(`${ROOT}/:tgt`, guarded(deleteTgt))
}

async function isAllowed(ctx: Context): Promise<boolean> {
  const { restTicketAddresses } = await signInPolicy(ctx)
  if (restTicketAddresses.length === 0 || !ipaddr.isValid(ctx.client.ip)) return false
  const address = ipaddr.process(ctx.client.ip)
  return restTicketAddresses.some((cidr) => {
    const network = ipaddr.parseCIDR(cidr)
    return network[0].kind() === address.kind() && address.match(network)
  })
}

async function createTgt(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    throw platformErrors['request.unsupported-media-type']()
  }
  const form = parseInput(SignInForm, request.body ?? {}, ctx, ctx.client.language)
  const plain = { ...form, rememberMe: false, warn: false }
  const target = { application: null, replaces: null, withoutBrowser: true }
  const session = await signInByPassword(ctx, { request, reply }, plain, target)
  if (session.limited || session.lacksFields) {
    // Nobody can use it: the password is changed, or the profile completed, in a browser with its own session.
    await endSsoSessions(ctx, { ids: [session.id] }, 'limited')
    throw platformErrors[session.limited ? 'session.limited' : 'session.profile-incomplete']()
  }
  const handle = `TGT-${randomToken(43)}`
  const { sessionMaxHours } = await signInPolicy(ctx)
  await ctx.state.put(TGT_KIND, handle, { ssoSessionId: session.id } satisfies RestTgt, sessionMaxHours * 3600)
  const location = `${ctx.config.publicUrl}${CAS_PATH}${ROOT}/${handle}`
  return reply.code(201).header('location', location).type('text/plain;charset=UTF-8').send(handle)
}

const findTgt = (ctx: Context, request: FastifyRequest): Promise<RestTgt | null> =>
  ctx.state.peek<RestTgt>(TGT_KIND, text(request.params, 'tgt') ?? '')

async function createServiceTicket(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const service = text(request.body, 'service')
  const application = service === null ? null : await findApplicationByService(ctx, service)
  const handle = await findTgt(ctx, request)
  // The portal's tickets are bound to a browser.
  if (service === null || application?.protocol !== 'cas' || application.builtIn) throw errors['application.unknown']()
  const session = handle && (await findServerSessionById(ctx, handle.ssoSessionId, application))
  const refusal = session ? session.refusal : 'session.ended'
  if (refusal === 'application.disabled' || refusal === 'application.not-granted') throw errors[refusal]()
  if (session && refusal === 'rule.refused') throw errors['rule.refused']({ params: refusalWords(ctx, session) })
  if (refusal === 'application.user-name-missing') throw errors[missingNameRefusal(application)]()
  if (!session || refusal) throw platformErrors['request.not-found']()
  const ticket = await issueServiceTicket(ctx, { application, service, session, fresh: false })
  return reply.type('text/plain;charset=UTF-8').send(ticket)
}

async function getTgt(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const handle = await findTgt(ctx, request)
  const session = handle && (await findServerSessionById(ctx, handle.ssoSessionId, null))
  if (!session || session.refusal) throw platformErrors['request.not-found']()
  return reply.type('text/plain;charset=UTF-8').send('')
}

async function deleteTgt(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const handle = await ctx.state.take<RestTgt>(TGT_KIND, text(request.params, 'tgt') ?? '')
  if (!handle) throw platformErrors['request.not-found']()
  await endSsoSessions(ctx, { ids: [handle.ssoSessionId] }, 'logout')
  return reply.type('text/plain;charset=UTF-8').send('')
}
