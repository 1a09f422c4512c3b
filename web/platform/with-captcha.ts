import type { CaptchaPurpose } from '#shared/contract/captcha.ts'
import { isRefusal } from './refusal.ts'
import { type SolvedCaptcha, solveProofOfWork } from './solve-proof-of-work.ts'

/**
 * Makes a call that may ask for a captcha. Of the kinds there are, the one that asks nothing of a person is always accepted: it is
 * solved beside the page and the call made again, so that nobody hears of it.
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
