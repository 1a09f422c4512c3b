import type { FastifyReply } from 'fastify'
import type {
  SecondFactorData,
  SecondFactorStep,
  SessionLimitData,
  SessionLimitStep,
} from '#shared/contract/sign-in.ts'
import { renderSecondFactorPage, renderSessionLimitPage } from '../../features/appearance/index.ts'
import type { Application } from '../../features/applications/index.ts'
import type { SsoSession } from '../../features/sessions/index.ts'
import { findPendingStep, resolveSessionStep } from '../../features/sign-in/index.ts'
import { issuerOf } from '../../features/signing-keys/index.ts'
import type { Refusal } from '../../platform/errors.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { errors } from './cas.errors.ts'
import { wantsJson } from './login-response.service.ts'
import { type LoginParameters, preservedParameters } from './parameters.rules.ts'

/** Where a person sets up a required second factor, and how they get on to the service. */
export const factorSetupUrl = (ctx: Context, service: string | null): string => {
  const onward = service === null ? '' : `?service=${encodeURIComponent(service.toWellFormed())}`
  return `${ctx.config.publicUrl}/auth_web/second-factor${onward}`
}

/** The portal's own pages, where a factor is set up; its device page is an entry like an application's. */
export const isPortalPage = (ctx: Context, { builtIn }: Application, service: string): boolean =>
  builtIn && !service.startsWith(`${issuerOf(ctx.config)}/`)

/** What a login that this browser has begun still requires; null if there is none. */
export async function renderPendingStep(
  ctx: Context,
  exchange: Exchange,
  parameters: LoginParameters,
): Promise<FastifyReply | null> {
  const asked = await findPendingStep(ctx, exchange.request)
  if (!asked) return null
  if ('sessionLimit' in asked)
    return renderSessionLimit(ctx, exchange, { parameters, sessionLimit: asked.sessionLimit })
  return renderStep(ctx, exchange, { parameters, step: asked.secondFactor, error: null, of: 'login' })
}

/**
 * Asks for the second factor that a session lacks.
 * @returns `trusted`: a trusted browser satisfies it from now on; null: the person has none and must set one up.
 */
export async function requestSessionFactor(
  ctx: Context,
  exchange: Exchange,
  session: SsoSession,
  parameters: LoginParameters,
): Promise<FastifyReply | 'trusted' | null> {
  const step = await resolveSessionStep(ctx, exchange, session)
  if (step === null || step === 'trusted') return step
  if (wantsJson(exchange)) throw errors['session.second-factor-missing']({ data: { secondFactor: step } })
  return renderStep(ctx, exchange, { parameters, step, error: null, of: 'session' })
}

/** Renders the second factor again after a form without script, or for the first time; null if the error is about something else. */
export async function renderStepAfterRefusal(
  ctx: Context,
  exchange: Exchange,
  refusal: Refusal,
  { parameters, session }: { parameters: LoginParameters; session: SsoSession | null },
): Promise<FastifyReply | null> {
  const { secondFactor: step, sessionLimit } = (refusal.data ?? {}) as Partial<SecondFactorData & SessionLimitData>
  if (sessionLimit) return renderSessionLimit(ctx, exchange, { parameters, sessionLimit, status: refusal.status })
  if (!step) return null
  if (refusal.retryAfter !== undefined) exchange.reply.header('retry-after', String(Math.ceil(refusal.retryAfter)))
  const isFirst = refusal.code === 'sign-in.second-factor-required'
  const error = isFirst ? null : { code: refusal.code, params: refusal.params }
  const of = session?.lacksFactor ? 'session' : 'login'
  return renderStep(ctx, exchange, { parameters, step, error, of, status: refusal.status })
}

type StepPage = {
  parameters: LoginParameters
  step: SecondFactorStep
  error: { code: string; params: Record<string, string | number> } | null
  of: 'login' | 'session'
  status?: number
}

const renderStep = (
  ctx: Context,
  { request, reply }: Exchange,
  { parameters, ...step }: StepPage,
): Promise<FastifyReply> =>
  renderSecondFactorPage(ctx, request, reply, {
    service: parameters.service,
    carry: preservedParameters(parameters),
    ...step,
  })

const renderSessionLimit = (
  ctx: Context,
  { request, reply }: Exchange,
  { parameters, ...page }: { parameters: LoginParameters; sessionLimit: SessionLimitStep; status?: number },
): Promise<FastifyReply> =>
  renderSessionLimitPage(ctx, request, reply, {
    service: parameters.service,
    carry: preservedParameters(parameters),
    ...page,
  })
