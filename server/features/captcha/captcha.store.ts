import { CAPTCHA_SECONDS, type CaptchaPurpose } from '#shared/contract/captcha.ts'
import type { ProofOfWork } from '#shared/rules/proof-of-work.ts'
import type { Context } from '../../platform/platform.ts'
import { errors } from './captcha.errors.ts'

/**
 * Drawings per address and minute: a campus behind one address stays below, a script that exhausts the server does not (a picture costs 5
 * ms of CPU, a slider 23). Proof of work costs nothing to create and is not limited, so that one guest who uses up the drawings of a campus
 * shuts nobody out.
 */
const MAX_DRAWINGS_PER_MINUTE = { picture: 600, slider: 150 }

/** The owner of a captcha: `browser` is the hash of the browser cookie (`ensureBrowserId` of sessions). */
export type CaptchaOwner = { purpose: CaptchaPurpose; browser: string }

/** The stored state of a captcha that a form can consume. */
export type StoredCaptcha = { purpose: CaptchaPurpose } & (
  | ({ kind: 'proof-of-work' } & ProofOfWork)
  | { kind: 'picture'; text: string }
  | { kind: 'slider'; proof: string }
)

/** A landscape whose piece has not been moved yet. `issuedAt` in ms. */
export type StoredSlide = { purpose: CaptchaPurpose; target: number; issuedAt: number }

/** The browser is part of the key: in another one the captcha does not exist, so a stranger can't even consume it. */
const captchaKey = (browser: string, captchaId: string): string => `${browser}\n${captchaId}`

export const putCaptcha = (ctx: Context, browser: string, captchaId: string, entry: StoredCaptcha): Promise<void> =>
  ctx.state.put('captcha', captchaKey(browser, captchaId), entry, CAPTCHA_SECONDS)

export const takeCaptcha = (ctx: Context, browser: string, captchaId: string): Promise<StoredCaptcha | null> =>
  ctx.state.take<StoredCaptcha>('captcha', captchaKey(browser, captchaId))

export const putSlide = (ctx: Context, browser: string, captchaId: string, slide: StoredSlide): Promise<void> =>
  ctx.state.put('captcha-slide', captchaKey(browser, captchaId), slide, CAPTCHA_SECONDS)

export const takeSlide = (ctx: Context, browser: string, captchaId: string): Promise<StoredSlide | null> =>
  ctx.state.take<StoredSlide>('captcha-slide', captchaKey(browser, captchaId))

/** @throws Refusal `captcha.too-many` if this address has requested too many drawings of this kind within a minute. */
export async function rateLimitDrawings(ctx: Context, kind: keyof typeof MAX_DRAWINGS_PER_MINUTE): Promise<void> {
  const count = await ctx.state.increment(`captcha-drawn-${kind}`, ctx.client.ip, 60)
  if (count > MAX_DRAWINGS_PER_MINUTE[kind]) throw errors['captcha.too-many']({ retryAfter: 60 })
}
