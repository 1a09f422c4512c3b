import { isRegisteredClientOrigin } from '../../features/applications/index.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ProviderResult } from './provider-call.service.ts'

const OPEN = /^\/(jwks|\.well-known\/[\w-]+)\/?(\?|$)/

/**
 * CORS: keys and discovery for everybody, the rest only for pages of registered applications. The provider itself would allow any origin
 * until it knows the client, also in error responses.
 */
export async function allowOrigin(platform: Platform, { request }: Exchange, outcome: ProviderResult, path: string) {
  const { headers } = outcome
  if (headers['access-control-allow-origin'] === undefined) return
  const { origin } = request.headers
  if (OPEN.test(path)) headers['access-control-allow-origin'] = '*'
  else if (!origin || !(await isRegisteredClientOrigin(platform, origin))) {
    for (const name of Object.keys(headers)) if (name.startsWith('access-control-')) delete headers[name]
  }
}
