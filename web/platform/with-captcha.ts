import type { CaptchaPurpose } from '#shared/contract/captcha.ts'
import { isRefusal } from './refusal.ts'
import { type SolvedCaptcha, solveProofOfWork } from './solve-proof-of-work.ts'

/**
 * Makes a call that may demand a captcha. The proof of work, which needs no interaction, is always accepted: it is
 * solved in the background and the call repeated.
 */
export async function withCaptcha<T>(
  purpose: CaptchaPurpose,
  make: (solved: SolvedCaptcha | Record<string, never>) => Promise<T>,
): Promise<T> {
  try {
    return await make({})
  } catch (error) {
    if (!isRefusal(error) || !/captcha-(required|wrong)$/.test(error.code)) throw error
    return await make(await solveProofOfWork(purpose))
  }
}
