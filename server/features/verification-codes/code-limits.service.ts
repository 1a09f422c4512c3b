import { RESEND_SECONDS, type TooSoonData, VerificationCodeLimits } from '#shared/contract/verification-codes.ts'
import type { Refusal } from '../../platform/errors.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { addressMac } from '../attempts/index.ts'
import { errors } from './verification-codes.errors.ts'
import { deleteLimit, findLimitUse, listLimitUses, takeFromLimit } from './verification-codes.store.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS

const getCodeLimits = (platform: Platform): Promise<VerificationCodeLimits> =>
  readSettings(platform, 'verificationCodes', VerificationCodeLimits)

/** Keyed: the table must not reveal whose number was typed. As JSON, so that values can't run into each other. */
const limitKey = (ctx: Platform, ...parts: string[]): Buffer =>
  ctx.secrets.mac(JSON.stringify(['verification-code-limit', ...parts]))

const pauseKey = (ctx: Platform, purpose: string, whom: string) => limitKey(ctx, 'pause', purpose, whom)
const dayKey = (ctx: Platform, whom: string) => limitKey(ctx, 'day', whom)
const sentKey = (ctx: Platform, target: string) => limitKey(ctx, 'sent', target)
const keyOfAddress = (ctx: Platform, ip: string) => limitKey(ctx, 'address', addressMac(ctx, ip).toString('base64'))
const addressKey = (ctx: Context) => keyOfAddress(ctx, ctx.client.ip)

type CountedRequest = {
  purpose: string
  whom: string
  /** Who chose a target that may be anybody's. */
  chosenBy: string | null
}

type SentCode = { purpose: string; target: string; typed: string }

/**
 * Counts a requested code by the input, by the person if they chose the target, by their address, and in total.
 * @throws Refusal `verification-code.too-soon`, `verification-code.too-many`, `verification-code.unavailable`
 */
export async function rateLimitRequest(ctx: Context, { purpose, whom, chosenBy }: CountedRequest): Promise<void> {
  const limits = await getCodeLimits(ctx)
  const now = ctx.now()
  const take = (key: Buffer, most: number, seconds: number) => takeFromLimit(ctx.sql, { key, most, seconds }, now)
  // The pause first: repeated requests within it must not use up the day.
  const pause = await take(pauseKey(ctx, purpose, whom), 1, RESEND_SECONDS)
  if (pause) throw tooSoon(pause, now)
  const day = await take(dayKey(ctx, whom), limits.perTargetADay, DAY_SECONDS)
  if (day) throw tooMany(day, now)
  const person =
    chosenBy === null ? null : await take(limitKey(ctx, 'person', chosenBy), limits.chosenPerPersonADay, DAY_SECONDS)
  if (person) throw tooMany(person, now)
  const address = await take(addressKey(ctx), limits.perAddressAnHour, HOUR_SECONDS)
  if (address) throw tooMany(address, now)
  if (await take(limitKey(ctx, 'all'), limits.inAllADay, DAY_SECONDS)) throw errors['verification-code.unavailable']()
}

/**
 * Counts codes sent to a target, whatever was typed, separately from those requested by it: otherwise whoever has codes sent to a masked
 * number could find out which one it is by requesting codes for each candidate.
 * @returns false if it has reached its limit.
 */
export async function countSentCode(ctx: Context, { purpose, target, typed }: SentCode): Promise<boolean> {
  const { perTargetADay } = await getCodeLimits(ctx)
  const now = ctx.now()
  const pause = { key: pauseKey(ctx, purpose, target), most: 1, seconds: RESEND_SECONDS }
  // If the target itself was typed, its pause has been counted already.
  if (typed !== target && (await takeFromLimit(ctx.sql, pause, now))) return false
  return (
    (await takeFromLimit(ctx.sql, { key: sentKey(ctx, target), most: perTargetADay, seconds: DAY_SECONDS }, now)) ===
    null
  )
}

/** So many codes were requested from this address, or for this name, that a captcha is due. */
export async function needsCaptcha(ctx: Context, whom: string): Promise<boolean> {
  const limits = await getCodeLimits(ctx)
  const [address = 0, name = 0] = await listLimitUses(ctx.sql, [addressKey(ctx), dayKey(ctx, whom)], ctx.now())
  return address >= limits.captchaPerAddressAnHour || name >= limits.captchaPerTargetADay
}

/** Codes requested from an address within the hour, and the limit. */
export async function codesOfAddress(ctx: Context, ip: string) {
  const [limits, use] = await Promise.all([getCodeLimits(ctx), findLimitUse(ctx.db, keyOfAddress(ctx, ip), ctx.now())])
  return { codes: use?.used ?? 0, mostCodes: limits.perAddressAnHour, codesUntil: use?.until ?? null }
}

export const forgetCodesOfAddress = (ctx: Context, ip: string): Promise<void> =>
  deleteLimit(ctx.db, keyOfAddress(ctx, ip))

const secondsUntil = (until: Date, now: Date): number =>
  Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))

function tooSoon(until: Date, now: Date): Refusal {
  const secondsLeft = secondsUntil(until, now)
  const data: TooSoonData = { secondsLeft }
  return errors['verification-code.too-soon']({ params: { count: secondsLeft }, data, retryAfter: secondsLeft })
}

const tooMany = (until: Date, now: Date): Refusal =>
  errors['verification-code.too-many']({ retryAfter: secondsUntil(until, now) })
