import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'

const MAX_NAME_CHARACTERS = 100

/** How a provider calls a person, as their own page shows it: enough to know which account it is. */
export function maskDisplayName(name: string): string {
  if (name.includes('@')) return maskMailbox(name)
  if (/^\+?\d{7,}$/.test(name)) return maskPhone(name)
  const [first = '', ...rest] = [...new Intl.Segmenter().segment(name.slice(0, MAX_NAME_CHARACTERS))].map(
    ({ segment }) => segment,
  )
  return `${first}***${rest.length > 2 ? (rest.at(-1) ?? '') : ''}`
}
