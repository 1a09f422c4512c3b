import type { FastifyInstance } from 'fastify'
import { contextOf } from '../../platform/http/client.ts'
import type { Platform } from '../../platform/platform.ts'
import { handleLoginGet, handleLoginHead, handleLoginPost } from './login.service.ts'
import { logOut } from './logout.service.ts'
import { CAS_PATH, HTML_TYPE, LOGIN_PATH } from './pages.render.ts'
import { mountRestTickets } from './rest-tickets.routes.ts'
import { mountSaml } from './saml.routes.ts'
import { handleThirdPartyStep, THIRD_PARTY_STEP } from './third-party.routes.ts'
import { mountValidation } from './validate.routes.ts'

export { mountPortalCallback } from './portal-callback.routes.ts'
export { casRelease } from './release.service.ts'
export { mountThirdPartyLogin } from './third-party.routes.ts'

/** The CAS server: protocol versions 1.0, 2.0 and 3.0, SAML 1.1 validation and the optional REST ticket API. */
export async function mountCas(app: FastifyInstance, platform: Platform): Promise<void> {
  await app.register(
    async (cas) => {
      // For caches that don't know `no-store` (protocol A7).
      cas.addHook('onRequest', async (_request, reply) => {
        reply.headers({ pragma: 'no-cache', expires: 'Thu, 01 Jan 1970 00:00:00 GMT' })
      })
      cas.get('/', (_request, reply) => reply.redirect(LOGIN_PATH, 302))
      cas.get('/login', { exposeHeadRoute: false }, (request, reply) =>
        handleLoginGet(contextOf(platform, request), { request, reply }),
      )
      cas.head('/login', (request, reply) => handleLoginHead(contextOf(platform, request), { request, reply }))
      cas.post('/login', (request, reply) => handleLoginPost(contextOf(platform, request), { request, reply }))
      cas.get(THIRD_PARTY_STEP, { exposeHeadRoute: false }, (request, reply) =>
        handleThirdPartyStep(contextOf(platform, request), { request, reply }),
      )
      cas.get('/logout', { exposeHeadRoute: false }, (request, reply) =>
        logOut(contextOf(platform, request), { request, reply }),
      )
      cas.head('/logout', (_request, reply) => reply.type(HTML_TYPE).send())
      cas.post('/logout', (request, reply) => logOut(contextOf(platform, request), { request, reply }))
      mountValidation(cas, platform)
      mountRestTickets(cas, platform)
      await mountSaml(cas, platform)
    },
    { prefix: CAS_PATH },
  )
}
