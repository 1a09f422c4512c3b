import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'

const MAX_NAME_CHARACTERS = 100

/** The provider's name for a person as shown to themselves: enough to recognise the account. */
export function maskDisplayName(name: string): string {
  if (name.includes('@')) return maskMailbox(name)
  if (/^\+?\d{7,}$/.test(name)) return maskPhone(name)
  const [first = '', ...rest] = [...new Intl.Segmenter().segment(name.slice(0, MAX_NAME_CHARACTERS))].map(
    ({ segment }) => segment,
  )
  return `${first}***${rest.length > 2 ? (rest.at(-1) ?? '') : ''}`
}
