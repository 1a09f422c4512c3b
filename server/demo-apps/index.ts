import type { Server } from 'node:http'
import {
  DEMO_APPLICATION_IDS,
  type DemoBases,
  expectedBases,
  isDemoSchool,
  moveDemoApplications,
  TOWN_ID,
} from '../features/demo/index.ts'
import type { Platform } from '../platform/platform.ts'
import { createCasApplication } from './cas-application.ts'
import { createCasClient } from './cas-client.ts'
import { createDemoServer, listenNear } from './demo-server.ts'
import { createLearning } from './learning.ts'
import { createOpenIdParty } from './openid-party.ts'
import { createTownId } from './town-id.ts'
import { startVendors } from './vendors.ts'

export type DemoApplications = {
  /** Null if the database holds no demo school: then nothing was started. */
  bases: DemoBases | null
  stop(): Promise<void>
}

/**
 * Starts the demo applications beside the portal: one server with Library and the other CAS applications, one with Learning, on the two
 * ports after the portal's or on free ones, followed by the simulated vendors and mail providers; updates their registered URLs.
 */
export async function startDemoApplications(platform: Platform): Promise<DemoApplications> {
  if (!(await isDemoSchool(platform))) return { bases: null, stop: async () => {} }
  const bases = { ...expectedBases(platform) }
  const machine = machineOrigin(platform)
  const cas = createCasClient(
    `${platform.config.publicUrl}/fwk_cas_service`,
    `${machine}/fwk_cas_service`,
    platform.fetch,
  )
  const others = DEMO_APPLICATION_IDS.filter((appId) => appId !== 'learning')
  const library = createDemoServer(
    new Map(
      others.map((appId) => [appId, createCasApplication(platform, appId, () => `${bases.library}/${appId}/`, cas)]),
    ),
  )
  const learning = createDemoServer(
    new Map([
      ['learning', createLearning(platform, () => `${bases.learning}/learning/`, createOpenIdParty(platform, machine))],
      [TOWN_ID.key, createTownId(platform)],
    ]),
  )
  const { host, port } = platform.config
  bases.library = withPort(bases.library, await listenNear(library, host, port + 1))
  bases.learning = withPort(bases.learning, await listenNear(learning, host, port + 2))
  const { stop, ...vendors } = await startVendors(platform, bases)
  Object.assign(bases, vendors)
  await moveDemoApplications(platform, bases)
  return { bases, stop: async () => void (await Promise.all([closed(library), closed(learning), stop()])) }
}

/** The portal as reached from this machine, bypassing any proxy. */
function machineOrigin({ config: { host, port } }: Platform): string {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]', '::1': '[::1]' }
  return `http://${everywhere[host] ?? host}:${port}`
}

function withPort(base: string, port: number): string {
  const url = new URL(base)
  url.port = String(port)
  return url.origin
}

function closed(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })
}
