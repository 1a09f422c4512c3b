import { RESEND_SECONDS, type TooSoonData, VerificationCodeLimits } from '#shared/contract/verification-codes.ts'
import type { Refusal } from '../../platform/errors.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { addressMac } from '../attempts/index.ts'
import { errors } from './verification-codes.errors.ts'
import { countTaken, takeOne } from './verification-codes.store.ts'

const HOUR = 3600
const DAY = 24 * HOUR

const codeLimits = (platform: Platform): Promise<VerificationCodeLimits> =>
  readSettings(platform, 'verificationCodes', VerificationCodeLimits)

/** Keyed: the table must not tell whose number was typed. As JSON, so that no value runs into the next. */
const keyOf = (ctx: Platform, ...parts: string[]): Buffer =>
  ctx.secrets.mac(JSON.stringify(['verification-code-limit', ...parts]))

const pauseKey = (ctx: Platform, purpose: string, whom: string) => keyOf(ctx, 'pause', purpose, whom)
const dayKey = (ctx: Platform, whom: string) => keyOf(ctx, 'day', whom)
const sentKey = (ctx: Platform, target: string) => keyOf(ctx, 'sent', target)
const addressKey = (ctx: Context) => keyOf(ctx, 'address', addressMac(ctx, ctx.client.ip).toString('base64'))

type Asked = {
  purpose: string
  whom: string
  /** Who named a target that may be anybody's. */
  chosenBy: string | null
}

type Sent = { purpose: string; target: string; typed: string }

/**
 * Counts a code that somebody asks for, by what they typed, by person where they named the target, by their address, and in all.
 * @throws Refusal `verification-code.too-soon`, `verification-code.too-many`, `verification-code.unavailable`
 */
export async function countAsked(ctx: Context, { purpose, whom, chosenBy }: Asked): Promise<void> {
  const limits = await codeLimits(ctx)
  const now = ctx.now()
  const take = (key: Buffer, most: number, seconds: number) => takeOne(ctx.sql, { key, most, seconds }, now)
  // The pause first: asking again and again within it must not use up the day.
  const pause = await take(pauseKey(ctx, purpose, whom), 1, RESEND_SECONDS)
  if (pause) throw tooSoon(pause, now)
  const day = await take(dayKey(ctx, whom), limits.perTargetADay, DAY)
  if (day) throw tooMany(day, now)
  const person = chosenBy === null ? null : await take(keyOf(ctx, 'person', chosenBy), limits.chosenPerPersonADay, DAY)
  if (person) throw tooMany(person, now)
  const address = await take(addressKey(ctx), limits.perAddressAnHour, HOUR)
  if (address) throw tooMany(address, now)
  if (await take(keyOf(ctx, 'all'), limits.inAllADay, DAY)) throw errors['verification-code.unavailable']()
}

/**
 * Counts what goes to a target, whatever was typed, and apart from what is asked for by it: else whoever has codes sent to a
 * masked number could find out which one it is by asking for codes to each that it could be.
 * @returns false when it has had its share.
 */
export async function countTarget(ctx: Context, { purpose, target, typed }: Sent): Promise<boolean> {
  const { perTargetADay } = await codeLimits(ctx)
  const now = ctx.now()
  const pause = { key: pauseKey(ctx, purpose, target), most: 1, seconds: RESEND_SECONDS }
  // Where the target was typed, its pause has been counted as that.
  if (typed !== target && (await takeOne(ctx.sql, pause, now))) return false
  return (await takeOne(ctx.sql, { key: sentKey(ctx, target), most: perTargetADay, seconds: DAY }, now)) === null
}

/** So many codes were asked for from this address, or for this name, that a person should show there is one. */
export async function isRisky(ctx: Context, whom: string): Promise<boolean> {
  const limits = await codeLimits(ctx)
  const [address = 0, name = 0] = await countTaken(ctx.sql, [addressKey(ctx), dayKey(ctx, whom)], ctx.now())
  return address >= limits.captchaPerAddressAnHour || name >= limits.captchaPerTargetADay
}

const secondsUntil = (until: Date, now: Date): number =>
  Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))

function tooSoon(until: Date, now: Date): Refusal {
  const secondsLeft = secondsUntil(until, now)
  const data: TooSoonData = { secondsLeft }
  return errors['verification-code.too-soon']({ params: { count: secondsLeft }, data, retryAfter: secondsLeft })
}

const tooMany = (until: Date, now: Date): Refusal =>
  errors['verification-code.too-many']({ retryAfter: secondsUntil(until, now) })
