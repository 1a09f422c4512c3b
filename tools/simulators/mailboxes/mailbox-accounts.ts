import { type BookProblem, stopped } from '../address-book.ts'
import type { Mailbox, Simulator } from '../simulator.types.ts'
import { MAIL_DOMAIN } from './mailbox-page.ts'

type Change = Partial<Omit<Mailbox, 'address'>> & { address: string }

/** Why a mail provider refuses an account. */
export type AccountProblem = BookProblem | 'domain' | 'password' | 'too-many-accounts'

/** What stops a call before its account is looked at: the rate limit, a failure that a test has set, a missing right. */
export const stoppedCall = (simulator: Simulator, path: string, isWrite: boolean): AccountProblem | null =>
  stopped(simulator.book, path, isWrite, simulator.now())?.problem ?? null

/** Creates or changes a mailbox as both providers do. */
export function saveMailbox(
  simulator: Simulator,
  { address, ...given }: Change,
  isNew: boolean,
): AccountProblem | null {
  const { mailboxes, mostMailboxes } = simulator
  const known = mailboxes.get(address.toLowerCase())
  if (isNew && known) return 'user-exists'
  if (!isNew && !known) return 'no-user'
  if (!address.endsWith(`@${MAIL_DOMAIN}`)) return 'domain'
  if (isNew && mailboxes.size >= mostMailboxes) return 'too-many-accounts'
  const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const fresh = { address, name: '', mobile: '', departments: [1], isDisabled: false, password: '' }
  const wanted: Mailbox = { ...fresh, ...known, ...changed }
  if (wanted.name === '' || Buffer.byteLength(wanted.name) > 64) return 'name'
  if (!/^(?=.*[a-z])(?=.*\d)[a-z\d]{8,32}$/i.test(wanted.password)) return 'password'
  mailboxes.set(address.toLowerCase(), wanted)
  return null
}
