import type { FastifyInstance } from 'fastify'
import type { Provider } from 'oidc-provider'
import { contextOf } from '../../platform/http/client.ts'
import type { Platform } from '../../platform/platform.ts'
import { askProvider } from './exchange.ts'
import { providerOf } from './provider.ts'
import { weakGrantsInUse, withoutUnusedGrants } from './weak-grants.ts'

const PATHS = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/jwks']
/** Short enough for a rotation by command: who meets an unknown key asks again anyway. */
const CACHED_SECONDS = 300

type Document = { body: string; type: string }
const documents = new WeakMap<Provider, Map<string, Document>>()

/** What everyone may read and what changes only with the keys: answered from memory. */
export function mountDocuments(app: FastifyInstance, platform: Platform): void {
  for (const path of PATHS) {
    app.get(path, async (request, reply) => {
      const used = (await weakGrantsInUse(platform)).map(({ grant }) => grant).join()
      const name = `${path} ${used}`
      const provider = await providerOf(platform)
      const known = documents.get(provider) ?? new Map<string, Document>()
      documents.set(provider, known)
      let document = known.get(name)
      if (!document) {
        const { body, headers } = await askProvider(contextOf(platform, request), { request, reply }, { path })
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
}
