import { readFileSync } from 'node:fs'
import { LANGUAGES, type Language } from '#shared/contract/endpoint.ts'

/**
 * Every message there is: `code.<purpose>` carries a verification code, `link.<purpose>` a way into an account, `notice.<event>` tells
 * what has happened.
 */
export const TEMPLATES = [
  'code.login',
  'code.activation',
  'code.password-recovery',
  'code.identity-proof',
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
  'test',
] as const
export type TemplateName = (typeof TEMPLATES)[number]

export type Wording = { subject: string; text: string; sms: string }
type ShippedWording = {
  code: Wording
  link: Wording
  notice: Wording
  test: Wording
  /** Notices that the one for all does not fit. */
  own: Partial<Record<TemplateName, Wording>>
  /** What each message is about, for `{{event}}`. */
  events: Record<TemplateName, string>
  /** Below every mail. */
  footer: string
}

/** The wording that ships: kept out of the locale files, because no browser needs it. */
export const SHIPPED_WORDING = Object.fromEntries(
  LANGUAGES.map((language) => {
    const file = new URL(`./wording/${language}.json`, import.meta.url)
    return [language, JSON.parse(readFileSync(file, 'utf8')) as ShippedWording]
  }),
) as Record<Language, ShippedWording>
