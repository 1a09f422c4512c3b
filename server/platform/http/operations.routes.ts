import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSameSecret } from '../crypto.ts'
import { isRefusingWrites } from '../db.ts'
import { errors } from '../errors.ts'
import type { Metrics } from '../metrics.ts'
import { latestSchemaVersion } from '../migrate.ts'
import type { Platform } from '../platform.ts'
import type { DatabaseWatch } from './database-watch.ts'

/** Paths that machines poll; neither logged nor rejected while the database is unavailable. */
export const OPERATIONS_PATHS = new Set(['/healthz', '/readyz', '/metrics'])

/** How long a readiness check waits for the database. */
const READINESS_TIMEOUT_MS = 1500

/** Liveness, readiness and metrics; answered whatever the Host header says. */
export function mountOperations(
  app: FastifyInstance,
  platform: Platform,
  { metrics, watch }: { metrics: Metrics; watch: DatabaseWatch },
): void {
  app.get('/healthz', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    platform.draining.lastReadinessCheckAt = performance.now()
    const problem = await findReadinessProblem(platform, watch)
    if (!problem) return { status: 'ready' }
    return reply.code(503).header('retry-after', '2').send({ status: 'not ready', reason: problem })
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(platform, request)) throw errors['request.not-found']()
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

/** What a login would meet: watched like a login, so that both see the same. */
async function findReadinessProblem(platform: Platform, watch: DatabaseWatch): Promise<string | null> {
  if (platform.draining.isDraining) return 'draining'
  if (watch.isUnavailable()) return 'database'
  if (isRefusingWrites(platform.sql)) return 'database-writes'
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const leave = watch.watchRequest(() => resolve('late'))
  const timer = setTimeout(resolve, READINESS_TIMEOUT_MS, 'late').unref()
  const schema = platform.sql<{ version: number }[]>`select max(version) as version from schema_migrations`
  const [rows, state] = await Promise.all([
    Promise.race([schema, late]).catch(() => 'late' as const),
    Promise.race([platform.state.peek('readiness', ''), late]).catch(() => 'late' as const),
  ])
  leave()
  clearTimeout(timer)
  if (rows === 'late') return 'database'
  if (state === 'late') return 'state'
  return rows[0]?.version === latestSchemaVersion() ? null : 'schema'
}

const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

function mayReadMetrics({ config }: Platform, request: FastifyRequest): boolean {
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (config.metricsToken && bearer !== undefined) return isSameSecret(bearer, config.metricsToken)
  // A proxy on this machine also connects from loopback, but adds a forwarding header.
  const direct = FORWARDING_HEADERS.every((name) => request.headers[name] === undefined)
  return direct && /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '')
}
