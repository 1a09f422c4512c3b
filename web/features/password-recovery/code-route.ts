import type { TFunction } from 'i18next'
import type { Recovery } from '#shared/contract/password-recovery.ts'

const REQUESTED = { phone: 'sms', mailbox: 'mail', questions: null } as const

type Way = Recovery['ways'][number]

/** The other channel that a code of this method is sent through before it is sent to the contact; null: none. */
function firstElsewhere({ way, channels }: Way) {
  const [first] = channels
  return first === undefined || first === REQUESTED[way] ? null : first
}

/** The name of the method, with the other channel that its code is sent through first. */
export function wayTitle(t: TFunction, way: Way): string {
  const first = firstElsewhere(way)
  if (way.way === 'questions' || first === null) return t(`recovery.way.${way.way}`)
  return t(`recovery.way.${way.way}-first`, { channel: t(`code.channel.${first}`) })
}

/** What to read the code from. */
export function codeTitle(t: TFunction, way: Way): string {
  const first = firstElsewhere(way)
  if (first === null) return t(way.way === 'phone' ? 'recovery.code.title-phone' : 'recovery.code.title-mailbox')
  return t('recovery.code.title-first', { channel: t(`code.channel.${first}`) })
}

/** Where the code goes before the contact; null: straight to it. */
export function codeDetour(t: TFunction, way: Way): string | null {
  const first = firstElsewhere(way)
  return first && t('recovery.code.text-first', { channel: t(`code.channel.${first}`), target: way.hint })
}
