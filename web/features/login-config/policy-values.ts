import i18next, { type TFunction } from 'i18next'
import { z } from 'zod'
import type { PolicyKey } from '#shared/contract/login-config.ts'
import { RECORD_KINDS } from '#shared/contract/record-retention.ts'
import { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { PASSWORD_CONTEXT } from '#shared/rules/password-strength.ts'
import type { MessageKey } from '../../platform/i18n.ts'

export const DEFAULTS: SignInPolicy = SignInPolicy.parse({})

/** Minimum and maximum of a number, from the contract. */
export function boundsOf(key: PolicyKey): { min: number; max: number } {
  const field: unknown = SignInPolicy.shape[key].unwrap()
  if (!(field instanceof z.ZodNumber)) throw new Error(`${key} is no number`)
  // `minValue` is part of zod's JSON Schema, which pages are built without (tools/browser-zod.ts).
  const limits = (field.def.checks ?? []).map(({ _zod }) => _zod.def as z.core.$ZodCheckGreaterThanDef)
  const limitOf = (check: string) => limits.find((one) => one.check === check)?.value
  return { min: Number(limitOf('greater_than') ?? 0), max: Number(limitOf('less_than') ?? Number.MAX_SAFE_INTEGER) }
}

/** Choices and their message keys. */
export const CHOICES = {
  passwordLevel: { values: ['1', '2', '3', '4'], words: 'login-config.level' },
  captchaKind: { values: ['proof-of-work', 'picture', 'slider'], words: 'login-config.captcha' },
  onMoreSessions: { values: ['end-oldest', 'refuse'], words: 'login-config.more-sessions' },
  lockMode: { values: ['fixed', 'growing'], words: 'login-config.lock-mode' },
  passwordContext: { values: [...PASSWORD_CONTEXT], words: 'login-config.context' },
  captchaOn: { values: ['login', 'recovery', 'code', 'activation'], words: 'login-config.captcha-on' },
  loginTypes: { values: ['user', 'captcha'], words: 'login-config.type' },
} as const satisfies Partial<Record<PolicyKey, { values: readonly string[]; words: string }>>

type Choosable = keyof typeof CHOICES
export const isChoosable = (key: PolicyKey): key is Choosable => Object.hasOwn(CHOICES, key)

export const optionsOf = (key: Choosable) =>
  CHOICES[key].values.map((value) => ({ value: value as string, label: wordOf(key, value) }))

const wordOf = (key: Choosable, value: string): string => i18next.t(`${CHOICES[key].words}.${value}` as MessageKey)

export const UNITS = { days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const
export type Unit = keyof typeof UNITS
export const UNIT_NAMES = Object.keys(UNITS) as Unit[]

/** The largest unit in which so many seconds are a whole number. */
export const unitOf = (seconds: number): Unit =>
  (seconds > 0 && UNIT_NAMES.find((unit) => seconds % UNITS[unit] === 0)) || 'days'

/** The unit of a number. */
const UNIT_OF_KEY: Partial<Record<PolicyKey, Unit>> = {
  passwordMaxAgeDays: 'days',
  passwordWarnDays: 'days',
  failureWindowMinutes: 'minutes',
  lockMinutes: 'minutes',
  lockMostMinutes: 'minutes',
  sessionIdleMinutes: 'minutes',
  sessionMaxHours: 'hours',
  expirationMinutes: 'minutes',
  serviceTicketSeconds: 'seconds',
  trustedBrowserDays: 'days',
  dormantAfterDays: 'days',
  dormantLockAfterDays: 'days',
}

/** Keys where 0 means none. */
const OFF_AT_ZERO: ReadonlySet<PolicyKey> = new Set([
  'rememberMeLongSecond',
  'passwordMaxAgeDays',
  'passwordWarnDays',
  'passwordHistory',
  'trustedBrowserDays',
  'dormantAfterDays',
  'dormantLockAfterDays',
])

const remembered = (t: TFunction, seconds: number): string => {
  const unit = unitOf(seconds)
  return t(`login-config.${unit}`, { count: seconds / UNITS[unit] })
}

function numberText(t: TFunction, key: PolicyKey, value: number): string {
  if (value === 0 && OFF_AT_ZERO.has(key)) return t('login-config.off')
  if (key === 'rememberMeLongSecond') return remembered(t, value)
  if (key === 'mostSessions' && value === 0) return t('login-config.no-limit')
  const unit = UNIT_OF_KEY[key]
  if (unit) return t(`login-config.${unit}`, { count: value })
  return isChoosable(key) ? wordOf(key, String(value)) : String(value)
}

function listText(t: TFunction, key: PolicyKey, values: readonly unknown[]): string {
  if (key === 'passwordRules' && values.length > 0) return t('login-config.demands', { count: values.length })
  if (key === 'dormantWarnDays' && values.length > 0)
    return values.map((one) => t('login-config.days', { count: Number(one) })).join(t('list.separator'))
  const words = values.map((one) => (isChoosable(key) ? wordOf(key, String(one)) : String(one)))
  return words.length > 0 ? words.join(t('list.separator')) : t('login-config.none')
}

const retentionText = (t: TFunction, retention: SignInPolicy['retention']): string =>
  RECORD_KINDS.map((kind) => {
    const time = t('login-config.days', { count: retention[kind] })
    return t('record-retention.of-kind', { kind: t(`record-retention.kind.${kind}`), time })
  }).join(t('list.separator'))

/** A value in words. */
export function valueText(t: TFunction, key: PolicyKey, value: unknown): string {
  if (value === true || value === '1') return t('login-config.on')
  if (value === false || value === '0') return t('login-config.off')
  if (typeof value === 'number') return numberText(t, key, value)
  if (Array.isArray(value)) return listText(t, key, value)
  if (key === 'retention') return retentionText(t, value as SignInPolicy['retention'])
  return isChoosable(key) ? wordOf(key, String(value)) : String(value)
}
