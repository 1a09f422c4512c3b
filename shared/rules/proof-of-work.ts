/** A puzzle of `rounds` parts; each asks for a number whose SHA-256 with the salt begins with `bits` zero bits. */
export type ProofOfWork = { salt: string; bits: number; rounds: number }

/**
 * A synchronous SHA-256: node:crypto on the server; in a browser a library, because plain http has no `crypto.subtle`.
 */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

/**
 * 8 parts of 2^13 hashes make 2^16 on average: about 0.2 s on a desktop and up to a second on a slow phone, which
 * nobody notices while typing and which makes bulk password guessing expensive. Several small parts vary far less in
 * total than a large one: one in a hundred takes twice the average, instead of almost five times.
 */
export const PROOF_OF_WORK_COST = { bits: 13, rounds: 8 }

const encoder = new TextEncoder()
const hashOf = (puzzle: ProofOfWork, round: number, nonce: number, sha256: Sha256): Uint8Array =>
  sha256(encoder.encode(`${puzzle.salt}:${round}:${nonce}`))

function hasZeroBits(hash: Uint8Array, bits: number): boolean {
  const whole = bits >> 3
  for (let i = 0; i < whole; i += 1) if (hash[i] !== 0) return false
  return (hash[whole] ?? 0) >> (8 - (bits & 7)) === 0
}

/** True if `answer` solves the puzzle: one number per round, joined by dots. */
export function isProofOfWork(puzzle: ProofOfWork, answer: string, sha256: Sha256): boolean {
  const nonces = answer.split('.')
  if (nonces.length !== puzzle.rounds) return false
  return nonces.every(
    (nonce, round) =>
      /^\d{1,12}$/.test(nonce) && hasZeroBits(hashOf(puzzle, round, Number(nonce), sha256), puzzle.bits),
  )
}

export type ProofOfWorkSolver = {
  /** Tries `tries` more numbers; returns the answer when complete, else null. */
  step(tries: number): string | null
  /** Rounds solved so far, from 0 to `rounds`. */
  solved(): number
}

/**
 * Solves a puzzle incrementally: in a worker with large steps, on the main thread with about 500 tries between two
 * frames. Without promises and timers, so that the page decides how to stay responsive and when to stop.
 */
export function proofOfWorkSolver(puzzle: ProofOfWork, sha256: Sha256): ProofOfWorkSolver {
  const found: number[] = []
  let nonce = 0
  return {
    step(tries) {
      for (let i = 0; i < tries && found.length < puzzle.rounds; i += 1, nonce += 1) {
        if (!hasZeroBits(hashOf(puzzle, found.length, nonce, sha256), puzzle.bits)) continue
        found.push(nonce)
        // 0 after the loop's increment: each round starts from the beginning.
        nonce = -1
      }
      return found.length === puzzle.rounds ? found.join('.') : null
    },
    solved: () => found.length,
  }
}
