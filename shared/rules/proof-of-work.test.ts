import { sha256 } from '@noble/hashes/sha2.js'
import { expect, test } from 'vitest'
import { isProofOfWork, PROOF_OF_WORK_COST, type ProofOfWork, proofOfWorkSolver } from './proof-of-work.ts'

const puzzle: ProofOfWork = { salt: 'a salt', bits: 9, rounds: 3 }

function solve(of: ProofOfWork): string {
  const solver = proofOfWorkSolver(of, sha256)
  for (;;) {
    const answer = solver.step(100)
    if (answer) return answer
  }
}

test('the answer of the solver is a valid proof', () => {
  expect(isProofOfWork(puzzle, solve(puzzle), sha256)).toBe(true)
})

test('the full cost is solved in steps, round by round', () => {
  const solver = proofOfWorkSolver({ salt: 'full', ...PROOF_OF_WORK_COST }, sha256)
  let answer: string | null = null
  let tries = 0
  while (!answer) {
    answer = solver.step(1000)
    tries += 1000
    expect(tries).toBeLessThan(1_000_000)
  }
  expect(solver.solved()).toBe(PROOF_OF_WORK_COST.rounds)
  expect(tries).toBeGreaterThan(2 ** PROOF_OF_WORK_COST.bits)
  expect(isProofOfWork({ salt: 'full', ...PROOF_OF_WORK_COST }, answer, sha256)).toBe(true)
})

test('an answer to another salt, with a part missing, repeated or malformed is no proof', () => {
  const answer = solve(puzzle)
  const [first = '', second = ''] = answer.split('.')
  expect(isProofOfWork({ ...puzzle, salt: 'another' }, answer, sha256)).toBe(false)
  for (const bad of ['', first, `${first}.${second}`, `${answer}.${first}`, `${first}.${first}.${first}`]) {
    expect(isProofOfWork(puzzle, bad, sha256)).toBe(false)
  }
  for (const bad of ['..', 'a.b.c', '-1.-1.-1', '1e3.1.1', ' 1.1.1', '9999999999999.1.1']) {
    expect(isProofOfWork({ ...puzzle, bits: 0 }, bad, sha256)).toBe(false)
  }
})
