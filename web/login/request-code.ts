import type { Envelope } from '#shared/contract/endpoint.ts'
import type { Surroundings } from '#shared/contract/light-page.ts'
import type { CodeSent } from '#shared/contract/verification-codes.ts'
import { solveProofOfWork } from '../platform/solve-proof-of-work.ts'
import { signedPost } from './signed-post.ts'

type Requested = {
  /** Before another one can be asked for. */
  secondsLeft: number
  /** Why none was sent, in the page's language; empty: one is on its way. */
  refused: string
}

/** Asks for a code to log in with. Never throws: a network failure is an answer too. */
export async function requestCode(target: string, { messages }: Surroundings): Promise<Requested> {
  const toMail = target.includes('@')
  const path = `/auth_service/user_information/login/${toMail ? 'send_email/' : 'send_phonecaptcha/'}`
  const asked = { purpose: 'login', [toMail ? 'mailbox' : 'phone']: target }
  try {
    const first = await signedPost<Partial<CodeSent> | null>(path, asked)
    // Asked for on risk; it needs nobody's help, so nobody hears of it.
    const answer = first.code?.includes('.captcha-')
      ? await signedPost<Partial<CodeSent> | null>(path, { ...asked, ...(await solveProofOfWork('verification-code')) })
      : first
    return read(answer)
  } catch {
    return { secondsLeft: 0, refused: messages['login.unreachable'] ?? '' }
  }
}

const read = ({ state, message, data }: Envelope<Partial<CodeSent> | null>): Requested => ({
  secondsLeft: data?.secondsLeft ?? 0,
  refused: state === 200 ? '' : message,
})
