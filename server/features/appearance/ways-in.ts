import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LoginPage } from '#shared/contract/light-page.ts'
import type { Platform } from '../../platform/platform.ts'

/** What of the login page depends on which ways in there are now. */
type Offer = Pick<LoginPage, 'types' | 'codeChannels' | 'otherWays' | 'passkey' | 'forgotPassword'>

/** What one feature offers on the login page, towards the service that was asked for. */
export type WayIn = (
  platform: Platform,
  asked: { request: FastifyRequest; service: string | null },
) => Promise<Partial<Offer>>

declare module 'fastify' {
  interface FastifyInstance {
    waysIn: readonly WayIn[]
  }
}

/** Brings what the features above this one offer on the login page: they stand on it, so it can't ask them itself. */
export function offerWaysIn(app: FastifyInstance, ways: readonly WayIn[]): void {
  app.decorate('waysIn', ways)
}

const PASSWORD_ONLY: Offer = {
  types: ['user'],
  codeChannels: [],
  otherWays: [],
  passkey: false,
  forgotPassword: false,
}

/** Everything offered now, in one. */
export async function offered(platform: Platform, request: FastifyRequest, service: string | null): Promise<Offer> {
  const offers = await Promise.all(request.server.waysIn.map((way) => way(platform, { request, service })))
  const otherWays = offers.flatMap((offer) => offer.otherWays ?? [])
  return Object.assign({}, PASSWORD_ONLY, ...offers, { otherWays })
}
