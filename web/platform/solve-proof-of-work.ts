import type { CaptchaPurpose, Challenge } from '#shared/contract/captcha.ts'
import type { Envelope } from '#shared/contract/endpoint.ts'
import type { ProofOfWork } from '#shared/rules/proof-of-work.ts'

export type SolvedCaptcha = { captchaId: string; captcha: string }

/** A new captcha. @throws Error when the server gives none. */
export async function fetchChallenge<K extends Challenge['kind']>(
  kind: K,
  purpose: CaptchaPurpose = 'login',
): Promise<Extract<Challenge, { kind: K }>> {
  const answer = await fetch(`/auth_service/captcha/challenge?kind=${kind}&purpose=${purpose}`)
  const { state, data } = (await answer.json()) as Envelope<Extract<Challenge, { kind: K }>>
  if (state !== 200) throw new Error(`no challenge: ${state}`)
  return data
}

/** Gets a puzzle and solves it in the background. @throws Error without a puzzle. */
export async function solveProofOfWork(purpose: CaptchaPurpose = 'login'): Promise<SolvedCaptcha> {
  const { captchaId, salt, bits, rounds } = await fetchChallenge('proof-of-work', purpose)
  const puzzle = { salt, bits, rounds }
  const captcha = await solveInWorker(puzzle).catch(() => solveBetweenFrames(puzzle))
  return { captchaId, captcha }
}

function solveInWorker(puzzle: ProofOfWork): Promise<string> {
  const worker = new Worker(new URL('./proof-of-work.worker.ts', import.meta.url), { type: 'module' })
  const solved = new Promise<string>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data)
    worker.onerror = reject
    worker.postMessage(puzzle)
  })
  return solved.finally(() => worker.terminate())
}

/** For browsers without module workers: in small steps, so that the page stays responsive. */
async function solveBetweenFrames(puzzle: ProofOfWork): Promise<string> {
  const [{ sha256 }, { proofOfWorkSolver }] = await Promise.all([
    import('@noble/hashes/sha2.js'),
    import('#shared/rules/proof-of-work.ts'),
  ])
  const solver = proofOfWorkSolver(puzzle, sha256)
  for (;;) {
    const answer = solver.step(500)
    if (answer !== null) return answer
    await new Promise((next) => setTimeout(next))
  }
}
