/** A thread that requests the login page every 25 ms until told to stop, and then reports the response times. */
import { parentPort, workerData } from 'node:worker_threads'
import { Pool } from 'undici'

const EVERY_MS = 25

const pool = new Pool(workerData as string, { connections: 64 })
const times: number[] = []
let failed = 0

async function ask(): Promise<void> {
  const from = performance.now()
  try {
    const answer = await pool.request({ method: 'GET', path: '/auth_web/login' })
    await answer.body.text()
    if (answer.statusCode === 200) times.push(performance.now() - from)
    else failed += 1
  } catch {
    failed += 1
  }
}

const timer = setInterval(() => void ask(), EVERY_MS)

parentPort?.once('message', () => {
  clearInterval(timer)
  parentPort?.postMessage({ times, failed })
  void pool.close()
})
