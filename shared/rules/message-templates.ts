/**
 * Every message: `code.<purpose>` contains a verification code, `link.<purpose>` an activation link, `notice.<event>`
 * reports an event.
 */
export const MESSAGE_TEMPLATES = [
  'code.login',
  'code.activation',
  'code.password-recovery',
  'code.reauthentication',
  'code.bind-phone',
  'code.bind-mailbox',
  'link.account-reset',
  'notice.password-changed',
  'notice.password-recovered',
  'notice.phone-changed',
  'notice.mailbox-changed',
  'notice.alias-changed',
  'notice.security-questions-changed',
  'notice.third-party-bound',
  'notice.third-party-unbound',
  'notice.second-factor-added',
  'notice.second-factor-removed',
  'notice.recovery-code-used',
  'notice.recovery-codes-renewed',
  'notice.account-activated',
  'notice.new-device',
  'notice.rule-login',
  'notice.dormant',
  'notice.dormant-soon',
  'notice.dormant-lock-soon',
  'notice.dormancy-held',
  'notice.log-insight',
  'notice.sync-held',
  'test',
] as const
export type TemplateName = (typeof MESSAGE_TEMPLATES)[number]

/** The texts of a message: mails have the first two, short messages the last. */
export const MESSAGE_PARTS = ['subject', 'text', 'sms'] as const
export type MessagePart = (typeof MESSAGE_PARTS)[number]

/** A test is sent like a code, whose delivery matters. A link counts as a notice with providers, or can't be sent. */
export const templateKind = (name: TemplateName): 'code' | 'notice' =>
  name.startsWith('notice.') || name.startsWith('link.') ? 'notice' : 'code'

/** The values available to every message. */
const ALWAYS = ['school', 'url', 'time', 'event']
/** Credentials are allowed only where the shipped text has them. */
const SECRETS = ['code', 'link']
const BY_KIND: Readonly<Record<string, readonly string[]>> = {
  code: ['code', 'minutes'],
  link: ['name', 'account', 'days', 'link'],
  notice: ['name', 'account'],
}
const BY_TEMPLATE: Readonly<Record<string, readonly string[]>> = {
  'notice.rule-login': ['address'],
  'notice.dormant': ['date'],
  'notice.dormant-soon': ['date'],
  'notice.dormant-lock-soon': ['date'],
  'notice.dormancy-held': ['people', 'dormant', 'locked', 'told'],
  'notice.log-insight': ['total', 'first', 'said'],
  'notice.sync-held': ['sync', 'first', 'said'],
  test: ['code', 'minutes'],
}

/** The values passed by the sender of a message. @param name of a template, or the kind that shares a text. */
export const givenValues = (name: string): string[] => [
  ...(BY_KIND[name.split('.')[0] ?? ''] ?? []),
  ...(BY_TEMPLATE[name] ?? []),
]

/** Further values that the text of a message may use, besides those in the shipped one. */
export function messageValues(key: string): string[] {
  const [, event] = /^message\.event\.(.+)$/.exec(key) ?? []
  if (event !== undefined) return givenValues(event).filter((name) => !SECRETS.includes(name))
  const [, name] = /^message\.(.+)\.(?:subject|text|sms)$/.exec(key) ?? []
  if (name === undefined) return []
  return [...ALWAYS, ...givenValues(name).filter((one) => !SECRETS.includes(one))]
}

/** The values that an SMS provider's template may use: no addresses, which providers refuse. */
export const providerValues = (name: TemplateName): string[] => [
  ...new Set([...givenValues(name), 'event', 'time', 'school']),
]
