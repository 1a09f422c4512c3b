import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LightError, SecondFactorPage } from '#shared/contract/light-page.ts'
import type { SecondFactorStep, SessionLimitStep } from '#shared/contract/sign-in.ts'
import type { Platform } from '../../platform/platform.ts'
import { findApplicationByService } from '../applications/index.ts'
import { renderLightPage } from './light-page.render.ts'
import { addressWith, applicationLabel, formTargetsOf } from './login-page.render.ts'

type StepPageInput = {
  service: string | null
  /** Other CAS parameters that the form passes on. */
  carry: Record<string, string>
  status?: number
}

type SecondFactorPageInput = StepPageInput & {
  step: SecondFactorStep
  error: LightError | null
  /** A login not yet completed, or a session that lacks its second factor. */
  of: 'login' | 'session'
}

/** Common parts of every login step, with the response around it. */
async function frameOf(platform: Platform, { status = 200, ...input }: StepPageInput) {
  const { service } = input
  const application = service === null ? null : await findApplicationByService(platform, service)
  return {
    facts: {
      action: addressWith('/fwk_cas_service/login', input),
      service,
      application: application && !application.builtIn ? applicationLabel(application) : null,
      back: addressWith('/auth_web/login', input),
    },
    response: {
      status,
      formTargets: formTargetsOf(service, application),
      self: addressWith('/fwk_cas_service/login', input),
    },
  }
}

/** Answers with the choice of which logins to end for the one that waits. The service must be known as registered. */
export async function renderSessionLimitPage(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  input: StepPageInput & { sessionLimit: SessionLimitStep },
): Promise<FastifyReply> {
  const { facts, response } = await frameOf(platform, input)
  return renderLightPage(
    platform,
    request,
    reply,
    { kind: 'session-limit', ...facts, sessionLimit: input.sessionLimit },
    response,
  )
}

/** Answers with the page of the second factor. The service must be known as registered. */
export async function renderSecondFactorPage(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  input: SecondFactorPageInput,
): Promise<FastifyReply> {
  const { step, error, of } = input
  const { facts, response } = await frameOf(platform, input)
  // Somebody else's session is left by ending it.
  const back = of === 'login' ? facts.back : '/fwk_cas_service/logout'
  const page: SecondFactorPage = { kind: 'second-factor', ...facts, step, error, back }
  return renderLightPage(platform, request, reply, page, response)
}
