import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sameSecret } from '../crypto.ts'
import { errors } from '../errors.ts'
import type { Metrics } from '../metrics.ts'
import { newestMigration } from '../migrate.ts'
import type { Platform } from '../platform.ts'

/** Paths that machines ask again and again; neither logged nor refused while the database is away. */
export const OPERATIONS = new Set(['/healthz', '/readyz', '/metrics'])

/** How long a readiness check waits for the database. */
const PATIENCE_MS = 1500

/** Alive, ready, and the figures; they answer whatever the Host header says. */
export function mountOperations(app: FastifyInstance, platform: Platform, metrics: Metrics): void {
  app.get('/healthz', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    platform.draining.watchedAt = performance.now()
    const problem = await notReadyBecause(platform)
    if (!problem) return { status: 'ready' }
    return reply.code(503).header('retry-after', '2').send({ status: 'not ready', reason: problem })
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(platform, request)) throw errors['request.not-found']()
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

async function notReadyBecause(platform: Platform): Promise<string | null> {
  if (platform.draining.yes) return 'draining'
  const late = new Promise<'late'>((done) => setTimeout(done, PATIENCE_MS, 'late').unref())
  const schema = platform.sql<{ version: number }[]>`select max(version) as version from schema_migrations`
  const [rows, state] = await Promise.all([
    Promise.race([schema, late]).catch(() => 'late' as const),
    Promise.race([platform.state.peek('readiness', ''), late]).catch(() => 'late' as const),
  ])
  if (rows === 'late') return 'database'
  if (state === 'late') return 'state'
  return rows[0]?.version === newestMigration() ? null : 'schema'
}

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

function mayReadMetrics({ config }: Platform, request: FastifyRequest): boolean {
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (config.metricsToken && bearer !== undefined) return sameSecret(bearer, config.metricsToken)
  // A proxy on this machine connects from loopback too, but says for whom.
  const direct = FORWARDING.every((name) => request.headers[name] === undefined)
  return direct && /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '')
}
