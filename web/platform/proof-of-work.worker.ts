import { sha256 } from '@noble/hashes/sha2.js'
import { type ProofOfWork, proofOfWorkSolver } from '#shared/rules/proof-of-work.ts'

const STEP = 20_000

addEventListener('message', ({ data }: MessageEvent<ProofOfWork>) => {
  const solver = proofOfWorkSolver(data, sha256)
  let answer: string | null = null
  while (answer === null) answer = solver.step(STEP)
  postMessage(answer)
})
