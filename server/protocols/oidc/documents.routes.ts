import type { FastifyInstance } from 'fastify'
import type { Provider } from 'oidc-provider'
import { OIDC_PATH } from '../../features/signing-keys/index.ts'
import { contextOf } from '../../platform/http/client.ts'
import type { Platform } from '../../platform/platform.ts'
import { getProvider } from './provider.service.ts'
import { runProvider } from './provider-call.service.ts'
import { listWeakGrantsInUse, withoutUnusedGrants } from './weak-grants.service.ts'

const PATHS = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/jwks']
/** Short enough for an immediate key rotation: clients that meet an unknown key fetch them again anyway. */
const CACHED_SECONDS = 300

type Document = { body: string; type: string }
const documents = new WeakMap<Provider, Map<string, Document>>()

/** Public documents that change only with the keys: answered from memory. */
export function mountDocuments(app: FastifyInstance, platform: Platform): void {
  for (const path of PATHS) mountDocument(app, platform, path, path)
}

/** RFC 8414, 3.1: the well-known segment precedes the issuer's path. Some clients look there for the OpenID Connect document too. */
export function mountRootDocuments(app: FastifyInstance, platform: Platform): void {
  for (const path of PATHS.filter((one) => one.startsWith('/.well-known/'))) {
    mountDocument(app, platform, `${path}${OIDC_PATH}`, path)
  }
}

function mountDocument(app: FastifyInstance, platform: Platform, address: string, path: string): void {
  app.get(address, async (request, reply) => {
    const used = (await listWeakGrantsInUse(platform)).map(({ grant }) => grant).join()
    const name = `${path} ${used}`
    const provider = await getProvider(platform)
    const known = documents.get(provider) ?? new Map<string, Document>()
    documents.set(provider, known)
    let document = known.get(name)
    if (!document) {
      const { body, headers } = await runProvider(contextOf(platform, request), { request, reply }, { path })
      document = {
        body: JSON.stringify(await withoutUnusedGrants(platform, body as object)),
        type: String(headers['content-type']),
      }
      known.set(name, document)
    }
    return reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', `public, max-age=${CACHED_SECONDS}`)
      .type(document.type)
      .send(document.body)
  })
}
