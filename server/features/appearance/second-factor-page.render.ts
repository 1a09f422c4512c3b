import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LightError, SecondFactorPage } from '#shared/contract/light-page.ts'
import type { SecondFactorStep } from '#shared/contract/sign-in.ts'
import type { Platform } from '../../platform/platform.ts'
import { findApplicationByService } from '../applications/index.ts'
import { renderLightPage } from './light-page.render.ts'
import { addressWith, applicationLabel, formTargetsOf } from './login-page.render.ts'

type SecondFactorPageInput = {
  service: string | null
  /** Other CAS parameters that the form hands on. */
  carry: Record<string, string>
  step: SecondFactorStep
  error: LightError | null
  /** A login that has not happened yet, or a session that lacks its second factor. */
  of: 'login' | 'session'
  status?: number
}

/** Answers with the second step of a login. The service must be known as registered. */
export async function renderSecondFactorPage(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  input: SecondFactorPageInput,
): Promise<FastifyReply> {
  const { service, step, error, of, status = 200 } = input
  const application = service === null ? null : await findApplicationByService(platform, service)
  const page: SecondFactorPage = {
    kind: 'second-factor',
    action: addressWith('/fwk_cas_service/login', input),
    service,
    application: application && !application.builtIn ? applicationLabel(application) : null,
    step,
    error,
    // Somebody else's session is left by its end.
    back: of === 'login' ? addressWith('/auth_web/login', input) : '/fwk_cas_service/logout',
  }
  return renderLightPage(platform, request, reply, page, {
    status,
    formTargets: formTargetsOf(service, application),
    self: addressWith('/fwk_cas_service/login', input),
  })
}
