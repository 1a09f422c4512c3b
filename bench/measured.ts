import { processTree, usageOf } from './processes.ts'

export const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Runs a step and prints its seconds, CPU of the server with its database, CPU of the server, and its memory above idle. */
export async function measured(pid: number, idleMb: number, name: string, run: () => Promise<unknown>): Promise<void> {
  const from = performance.now()
  const cpuBefore = usageOf(processTree(pid)).cpuMs
  const ownBefore = usageOf([pid]).cpuMs
  let most = 0
  let over = false
  const watched = (async () => {
    while (!over) {
      most = Math.max(most, usageOf([pid]).rssMb)
      await pause(200)
    }
  })()
  await run()
  over = true
  await watched
  const seconds = (performance.now() - from) / 1000
  const cpu = (usageOf(processTree(pid)).cpuMs - cpuBefore) / 1000
  const own = (usageOf([pid]).cpuMs - ownBefore) / 1000
  console.log(
    `${name.padEnd(24)} ${seconds.toFixed(1).padStart(8)} ${cpu.toFixed(1).padStart(8)} ${own.toFixed(1).padStart(8)} ${(most - idleMb).toFixed(0).padStart(8)}`,
  )
}
