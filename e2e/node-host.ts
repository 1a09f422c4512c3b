import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { NodeOrder, NodeReport } from '../server/testing/nodes.program.ts'

/** A running server of the product. */
export type RunningServer = {
  /** What it has printed. */
  output(): string
  stop(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('../server/testing/nodes.program.ts', import.meta.url))
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compiled-tests', import.meta.url))
/** Collecting garbage takes a sixth of a start without room for what it loads. */
export const ROOM_FOR_GARBAGE = ['--max-semi-space-size=64', '--min-semi-space-size=16']

type ReportOfNode = Extract<NodeReport, { id: number }>
type Host = {
  order(order: NodeOrder): void
  reports: Map<number, (report: ReportOfNode) => void>
  printed(): string
  /** Rejections that nobody has caught since the last call. */
  takeUncaught(): string[]
}

let host: Host | undefined
let started = 0

/** The process of this worker that runs its servers. */
function openHost(): Host {
  const child: ChildProcess = spawn(process.execPath, [...ROOM_FOR_GARBAGE, PROGRAM], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILED },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const reports: Host['reports'] = new Map()
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => (text += String(bytes)))
  const uncaught: string[] = []
  child.on('message', (report: NodeReport) => {
    if ('uncaught' in report) uncaught.push(report.uncaught)
    else reports.get(report.id)?.(report)
  })
  child.once('exit', (code, signal) => {
    for (const [id, hear] of reports) hear({ id, failure: `the process of the servers ended: ${code ?? signal}` })
    host = undefined
  })
  const order = (one: NodeOrder) => void child.send(one)
  return { order, reports, printed: () => text, takeUncaught: () => uncaught.splice(0) }
}

/**
 * Runs a server as the product's command does, in a process that this worker's servers share: loading the modules takes most of a start.
 * @throws Error if it does not start; `stop` throws if a rejection went uncaught while it ran
 */
export async function startInHost(env: Record<string, string>): Promise<RunningServer> {
  host ??= openHost()
  const { order, reports, printed, takeUncaught } = host
  const id = started++
  let text = ''
  const state = (wanted: 'started' | 'stopped') =>
    new Promise<void>((resolve, reject) => {
      reports.set(id, (report) => {
        if ('line' in report) text += `${report.line}\n`
        else if ('failure' in report) reject(new Error(`the server did not start:\n${report.failure}\n${printed()}`))
        else if (report.state === wanted) resolve()
      })
    })
  const isStarted = state('started')
  order({ id, env })
  await isStarted
  return {
    output: () => text,
    async stop() {
      const isStopped = state('stopped')
      order({ id, stop: true })
      await isStopped
      reports.delete(id)
      const uncaught = takeUncaught()
      if (uncaught.length > 0) throw new Error(`nobody caught a rejection:\n${uncaught.join('\n')}`)
    },
  }
}
