import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'

export type NodeProcess = {
  url: string
  process: ChildProcess
  /** Everything printed so far, on both streams. */
  output(): string
  /** Resolves to the exit code, or the signal's name. */
  ended: Promise<number | string>
}

const MAIN = fileURLToPath(new URL('../main.mjs', import.meta.url))

/**
 * Starts the real program, from its sources, as a separate process, to be signalled and killed; ready or not.
 * @param stdout a file handle for its output, instead of `output`
 */
export async function spawnNode(env: Record<string, string>, stdout?: number): Promise<NodeProcess> {
  const port = env['PORT'] ?? String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['--conditions=development', MAIN], {
    env: { PATH: process.env['PATH'], PORT: port, PUBLIC_URL: url, DEMO: '0', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes) => {
      text += String(bytes)
    })
  }
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  onTestFinished(async () => {
    // Properly first: if killed, it would leave its embedded database running.
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 8000)
    await ended
    clearTimeout(late)
  })
  return { url, process: child, output: () => text, ended }
}

/** `spawnNode`, and waits until it is ready. */
export async function startNode(env: Record<string, string>, stdout?: number): Promise<NodeProcess> {
  const node = await spawnNode(env, stdout)
  await until(async () => {
    if (node.process.exitCode !== null) throw new Error(`the server did not start: ${node.output()}`)
    return (await fetch(`${node.url}/readyz`).catch(() => null))?.ok === true
  }, 60_000)
  return node
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Multiplies the time limits of `until`: a limit that is no promise must hold on a busy machine. */
    patience: number
  }
}

/** Polls until the condition holds. @returns the milliseconds it took. @throws Error after `patienceMs`, see `patience`. */
export async function until(isSo: () => Promise<boolean> | boolean, patienceMs: number): Promise<number> {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > patienceMs * inject('patience')) throw new Error(`not so within ${patienceMs} ms`)
    await pause(50)
  }
  return performance.now() - began
}

/** Does something take connections on this port of loopback? */
export const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
