import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LoginPage } from '#shared/contract/light-page.ts'
import type { Platform } from '../../platform/platform.ts'

/** The parts of the login page that depend on the login methods available now. */
type LoginOptions = Pick<LoginPage, 'types' | 'codeChannels' | 'otherMethods' | 'passkey' | 'forgotPassword'>

/** What one feature offers on the login page for the requested service. */
export type LoginOptionsProvider = (
  platform: Platform,
  asked: { request: FastifyRequest; service: string | null },
) => Promise<Partial<LoginOptions>>

declare module 'fastify' {
  interface FastifyInstance {
    loginOptionsProviders: readonly LoginOptionsProvider[]
  }
}

/** Registers what features above this one offer on the login page: they depend on it, so it can't call them itself. */
export function registerLoginOptions(app: FastifyInstance, providers: readonly LoginOptionsProvider[]): void {
  app.decorate('loginOptionsProviders', providers)
}

const PASSWORD_ONLY: LoginOptions = {
  types: ['user'],
  codeChannels: [],
  otherMethods: [],
  passkey: false,
  forgotPassword: false,
}

/** Everything offered now, merged. */
export async function collectLoginOptions(
  platform: Platform,
  request: FastifyRequest,
  service: string | null,
): Promise<LoginOptions> {
  const offers = await Promise.all(
    request.server.loginOptionsProviders.map((provide) => provide(platform, { request, service })),
  )
  const otherMethods = offers.flatMap((offer) => offer.otherMethods ?? [])
  return Object.assign({}, PASSWORD_ONLY, ...offers, { otherMethods })
}
