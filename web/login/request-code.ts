import type { CodeSent } from '#shared/contract/verification-codes.ts'
import { solveProofOfWork } from '../platform/solve-proof-of-work.ts'
import { postSigned } from './post-signed.ts'

type CodeRequestResult = {
  /** Seconds until another code can be requested. */
  secondsLeft: number
  /** Where it may arrive, in this order. */
  channels: CodeSent['channels']
  /** Why none was sent, in the page's language; empty: it was sent. */
  refused: string
}

/** Requests a login code. @throws Error without an answer. */
export async function requestCode(target: string): Promise<CodeRequestResult> {
  const toMail = target.includes('@')
  const path = `/auth_service/user_information/login/${toMail ? 'send_email/' : 'send_phonecaptcha/'}`
  const asked = { purpose: 'login', [toMail ? 'mailbox' : 'phone']: target }
  const first = await postSigned<Partial<CodeSent> | null>(path, asked)
  // Demanded on risk, and solved without the person.
  const answer = first.code?.includes('.captcha-')
    ? await postSigned<Partial<CodeSent> | null>(path, { ...asked, ...(await solveProofOfWork('verification-code')) })
    : first
  const { state, message, data } = answer
  return { secondsLeft: data?.secondsLeft ?? 0, channels: data?.channels ?? [], refused: state === 200 ? '' : message }
}
