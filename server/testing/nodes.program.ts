/**
 * Started by the journeys as a separate process: nodes as the product's command starts them, but several in one process, because loading the
 * modules takes most of a start. Takes orders and sends reports as messages; ends with its parent.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import { type PasswordHashCost, readConfig } from '../platform/config.ts'
import { type CloseFunction, describeStartError } from '../platform/lifecycle.ts'
import { startNode } from '../start.ts'

export type NodeOrder = { id: number } & ({ env: Record<string, string> } | { stop: true })
export type NodeReport =
  | ({ id: number } & ({ line: string } | { state: 'started' | 'stopped' } | { failure: string }))
  /** What nobody has caught: it would have ended a process of the product. */
  | { uncaught: string }

/** The real cost has its own test. */
const CHEAP: PasswordHashCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
/** A request in flight belongs to a page that nobody looks at any more. */
const MAX_DRAIN_MS = 500

const running = new Map<number, () => Promise<void>>()
const report = (message: NodeReport) => void process.send?.(message)

async function start(id: number, env: Record<string, string>): Promise<void> {
  const opened: CloseFunction[] = []
  const close = async () => {
    for (const one of opened.splice(0).reverse()) await one().catch(() => {})
  }
  try {
    const config = { ...readConfig(env), passwordHashCost: CHEAP }
    const { platform, app } = await startNode(config, opened, (line) => report({ id, line }))
    running.set(id, async () => {
      platform.draining.isDraining = true
      const cut = pause(MAX_DRAIN_MS).then(() => app.server.closeAllConnections())
      await close()
      await cut
    })
    report({ id, state: 'started' })
  } catch (error) {
    await close()
    report({ id, failure: describeStartError(error) })
  }
}

async function stop(id: number): Promise<void> {
  await running.get(id)?.()
  running.delete(id)
  report({ id, state: 'stopped' })
}

// Each node adds listeners of its own.
process.setMaxListeners(100)
process.on('unhandledRejection', (error) => report({ uncaught: inspect(error) }))
process.on('disconnect', () => process.exit())
process.on('message', (order: NodeOrder) => void ('env' in order ? start(order.id, order.env) : stop(order.id)))
