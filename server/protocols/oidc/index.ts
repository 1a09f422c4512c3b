import type { FastifyInstance, FastifyRequest } from 'fastify'
import { OIDC_PATH } from '../../features/signing-keys/index.ts'
import { contextOf } from '../../platform/http/client.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Platform } from '../../platform/platform.ts'
import { mountAliases } from './aliases.routes.ts'
import { handleConsentGet, handleConsentPost } from './consent.service.ts'
import { allowOrigin } from './cors.service.ts'
import { handleDeviceGet, handleDevicePost } from './device.service.ts'
import { mountDocuments, mountRootDocuments } from './documents.routes.ts'
import { logOut } from './logout.service.ts'
import { getProvider } from './provider.service.ts'
import { runProvider, sendProviderResult } from './provider-call.service.ts'
import { withDefaultScope } from './requested-scope.rules.ts'
import { listWeakGrantsInUse } from './weak-grants.service.ts'

export { purgeTokens } from './oidc.jobs.ts'
export { openIdRelease } from './release.service.ts'

/** OAuth 2.0 and OpenID Connect below the issuer's URL, answered by oidc-provider with our sessions and applications. */
export async function mountOidc(app: FastifyInstance, platform: Platform): Promise<void> {
  app.addHook('onListen', async () => {
    // Done before the first request, but nothing waits for it.
    warnOfWeakGrants(platform).catch((err: unknown) => platform.log.warn({ err }, 'weak grants'))
    getProvider(platform).catch((err: unknown) => platform.log.warn({ err }, 'OpenID Connect is not ready yet'))
  })
  const toContext = (request: FastifyRequest) => contextOf(platform, request)
  mountRootDocuments(app, platform)
  await app.register(
    async (own) => {
      mountDocuments(own, platform)
      // A posted request continues as a GET: only then does a browser send our cookie from another site.
      own.post('/authorize', (request, reply) => reply.redirect(`${OIDC_PATH}/authorize?${toQuery(request.body)}`, 303))
      // HEAD can't be told from GET behind this: a link checker must not log anybody out or consume a code.
      own.get('/logout', { exposeHeadRoute: false }, (request, reply) => logOut(toContext(request), { request, reply }))
      own.post('/logout', (request, reply) => logOut(toContext(request), { request, reply }))
      own.get<InteractionRoute>('/consent/:uid', (request, reply) =>
        handleConsentGet(toContext(request), { request, reply }, request.params.uid),
      )
      own.post<InteractionRoute>('/consent/:uid', (request, reply) =>
        handleConsentPost(toContext(request), { request, reply }, request.params.uid),
      )
      own.get('/device', (request, reply) => handleDeviceGet(toContext(request), { request, reply }))
      own.post('/device', (request, reply) => handleDevicePost(toContext(request), { request, reply }))
    },
    { prefix: OIDC_PATH },
  )
  await app.register(
    async (aliases) => {
      skipBodyParsing(aliases)
      mountAliases(aliases, platform)
    },
    { prefix: '/fwk_cas_service/oauth2.0' },
  )
  await app.register(
    async (oidc) => {
      skipBodyParsing(oidc)
      const answer = async (request: FastifyRequest, exchange: Exchange) => {
        const ctx = contextOf(platform, request)
        const asked = providerPath(request.url)
        if (!PROVIDER_PATHS.test(asked)) return exchange.reply.callNotFound()
        const path = await withDefaultScope(ctx, asked)
        const outcome = await runProvider(ctx, exchange, { path })
        await allowOrigin(ctx, exchange, outcome, path)
        return await sendProviderResult(ctx, exchange, outcome)
      }
      oidc.route({
        method: ['GET', 'POST', 'OPTIONS'],
        exposeHeadRoute: false,
        url: '/*',
        handler: (request, reply) => answer(request, { request, reply }),
      })
    },
    { prefix: OIDC_PATH },
  )
}

async function warnOfWeakGrants(platform: Platform): Promise<void> {
  for (const { grant, applications } of await listWeakGrantsInUse(platform)) {
    platform.log.warn(
      { grant, applications },
      'a weak OAuth grant is switched on: see "Weak grants" in docs/operations.md',
    )
  }
}

const toQuery = (form: unknown): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((form ?? {}) as Record<string, string | string[]>)) {
    for (const one of [value].flat()) query.append(name, String(one))
  }
  return query.toString()
}

type InteractionRoute = { Params: { uid: string } }

/** The provider reads the body itself, with its own limits. */
function skipBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** The provider has its own pages for logout and devices: ours replace them, under any spelling of the path. */
const PROVIDER_PATHS =
  /^\/(authorize(\/[\w-]+)?|token|userinfo|introspect|revoke|par|device_authorization|jwks|\.well-known\/[\w-]+)\/?(\?|$)/

const providerPath = (url: string): string => url.slice(url.indexOf(OIDC_PATH) + OIDC_PATH.length) || '/'
