import type { FastifyInstance } from 'fastify'
import { contextOf } from '../../platform/http/client.ts'
import type { Platform } from '../../platform/platform.ts'
import { acceptLogin, requestLogin } from './login.ts'
import { logOut } from './logout.ts'
import { CAS_PATH, LOGIN_PATH } from './pages.ts'
import { mountRestTickets } from './rest-tickets.routes.ts'
import { mountSaml } from './saml.routes.ts'
import { enterByThirdParty, THIRD_PARTY_STEP } from './third-party.ts'
import { mountValidation } from './validate.routes.ts'

export { mountPortalCallback } from './portal-callback.ts'
export { casRelease } from './release.ts'
export { mountThirdPartyLogin } from './third-party.ts'

/** The CAS server: protocol versions 1.0, 2.0 and 3.0, SAML 1.1 validation and the optional REST ticket API. */
export async function mountCas(app: FastifyInstance, platform: Platform): Promise<void> {
  await app.register(
    async (cas) => {
      // For caches that know no `no-store` (protocol A7).
      cas.addHook('onRequest', async (_request, reply) => {
        reply.headers({ pragma: 'no-cache', expires: 'Thu, 01 Jan 1970 00:00:00 GMT' })
      })
      cas.get('/', { exposeHeadRoute: false }, (_request, reply) => reply.redirect(LOGIN_PATH, 302))
      cas.get('/login', { exposeHeadRoute: false }, (request, reply) =>
        requestLogin(contextOf(platform, request), { request, reply }),
      )
      cas.post('/login', (request, reply) => acceptLogin(contextOf(platform, request), { request, reply }))
      cas.get(THIRD_PARTY_STEP, { exposeHeadRoute: false }, (request, reply) =>
        enterByThirdParty(contextOf(platform, request), { request, reply }),
      )
      cas.get('/logout', { exposeHeadRoute: false }, (request, reply) =>
        logOut(contextOf(platform, request), { request, reply }),
      )
      cas.post('/logout', (request, reply) => logOut(contextOf(platform, request), { request, reply }))
      mountValidation(cas, platform)
      mountRestTickets(cas, platform)
      await mountSaml(cas, platform)
    },
    { prefix: CAS_PATH },
  )
}
