import type { TFunction } from 'i18next'
import type { Recovery } from '#shared/contract/password-recovery.ts'

const REQUESTED = { phone: 'sms', mailbox: 'mail', questions: null } as const

type OfferedMethod = Recovery['methods'][number]

/** The other channel that a code of this method is sent through before it is sent to the contact; null: none. */
function firstElsewhere({ method, channels }: OfferedMethod) {
  const [first] = channels
  return first === undefined || first === REQUESTED[method] ? null : first
}

/** The name of the method, with the other channel that its code is sent through first. */
export function methodTitle(t: TFunction, offered: OfferedMethod): string {
  const first = firstElsewhere(offered)
  if (offered.method === 'questions' || first === null) return t(`recovery.method.${offered.method}`)
  return t(`recovery.method.${offered.method}-first`, { channel: t(`code.channel.${first}`) })
}

/** What to read the code from. */
export function codeTitle(t: TFunction, offered: OfferedMethod): string {
  const first = firstElsewhere(offered)
  if (first === null) return t(offered.method === 'phone' ? 'recovery.code.title-phone' : 'recovery.code.title-mailbox')
  return t('recovery.code.title-first', { channel: t(`code.channel.${first}`) })
}

/** Where the code goes before the contact; null: straight to it. */
export function codeDetour(t: TFunction, offered: OfferedMethod): string | null {
  const first = firstElsewhere(offered)
  return first && t('recovery.code.text-first', { channel: t(`code.channel.${first}`), target: offered.hint })
}
