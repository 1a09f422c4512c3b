import type { FastifyInstance, FastifyRequest } from 'fastify'
import { OIDC_PATH } from '../../features/signing-keys/index.ts'
import { contextOf } from '../../platform/http/client.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Platform } from '../../platform/platform.ts'
import { mountAliases } from './aliases.ts'
import { showConsent, takeConsent } from './consent.ts'
import { allowOrigin } from './cors.ts'
import { showDevice, takeDevice } from './device.ts'
import { mountDocuments } from './documents.ts'
import { askProvider, sendOutcome } from './exchange.ts'
import { logOut } from './logout.ts'
import { providerOf } from './provider.ts'
import { weakGrantsInUse } from './weak-grants.ts'

export { forgetTokens } from './oidc.jobs.ts'
export { openIdRelease } from './release.ts'

/** OAuth 2.0 and OpenID Connect below the issuer's address, answered by oidc-provider on our sessions and applications. */
export async function mountOidc(app: FastifyInstance, platform: Platform): Promise<void> {
  app.addHook('onListen', async () => {
    // Ready before the first request, but nothing waits for it.
    warnOfWeakGrants(platform).catch((err: unknown) => platform.log.warn({ err }, 'weak grants'))
    providerOf(platform).catch((err: unknown) => platform.log.warn({ err }, 'OpenID Connect is not ready yet'))
  })
  const at = (request: FastifyRequest) => contextOf(platform, request)
  await app.register(
    async (own) => {
      mountDocuments(own, platform)
      // A posted request goes on as a read one: only then does a browser send our cookie along from another site.
      own.post('/authorize', (request, reply) => reply.redirect(`${OIDC_PATH}/authorize?${queryOf(request.body)}`, 303))
      own.get('/logout', (request, reply) => logOut(at(request), { request, reply }))
      own.post('/logout', (request, reply) => logOut(at(request), { request, reply }))
      own.get<Waiting>('/consent/:uid', (request, reply) =>
        showConsent(at(request), { request, reply }, request.params.uid),
      )
      own.post<Waiting>('/consent/:uid', (request, reply) =>
        takeConsent(at(request), { request, reply }, request.params.uid),
      )
      own.get('/device', (request, reply) => showDevice(at(request), { request, reply }))
      own.post('/device', (request, reply) => takeDevice(at(request), { request, reply }))
    },
    { prefix: OIDC_PATH },
  )
  await app.register(
    async (aliases) => {
      readNoBodies(aliases)
      mountAliases(aliases, platform)
    },
    { prefix: '/fwk_cas_service/oauth2.0' },
  )
  await app.register(
    async (oidc) => {
      readNoBodies(oidc)
      const answer = async (request: FastifyRequest, exchange: Exchange) => {
        const ctx = contextOf(platform, request)
        const path = pathBelow(request.url)
        if (!ANSWERED_BY_PROVIDER.test(path)) return exchange.reply.callNotFound()
        const outcome = await askProvider(ctx, exchange, { path })
        await allowOrigin(ctx, exchange, outcome, path)
        return await sendOutcome(ctx, exchange, outcome)
      }
      oidc.route({
        method: ['GET', 'POST', 'OPTIONS'],
        url: '/*',
        handler: (request, reply) => answer(request, { request, reply }),
      })
    },
    { prefix: OIDC_PATH },
  )
}

async function warnOfWeakGrants(platform: Platform): Promise<void> {
  for (const { grant, applications } of await weakGrantsInUse(platform)) {
    platform.log.warn(
      { grant, applications },
      'a weak OAuth grant is switched on: see "Weak grants" in docs/operations.md',
    )
  }
}

const queryOf = (form: unknown): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((form ?? {}) as Record<string, string | string[]>)) {
    for (const one of [value].flat()) query.append(name, String(one))
  }
  return query.toString()
}

type Waiting = { Params: { uid: string } }

/** The provider reads the body itself, with its own bounds. */
function readNoBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** The provider has pages of its own for logout and devices: ours stand there, and at no spelling may those appear. */
const ANSWERED_BY_PROVIDER =
  /^\/(authorize(\/[\w-]+)?|token|userinfo|introspect|revoke|par|device_authorization|jwks|\.well-known\/[\w-]+)\/?(\?|$)/

const pathBelow = (url: string): string => url.slice(url.indexOf(OIDC_PATH) + OIDC_PATH.length) || '/'
