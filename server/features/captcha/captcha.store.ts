import { CAPTCHA_SECONDS, type CaptchaPurpose } from '#shared/contract/captcha.ts'
import type { ProofOfWork } from '#shared/rules/proof-of-work.ts'
import type { Context } from '../../platform/platform.ts'
import { errors } from './captcha.errors.ts'

/**
 * Drawings for one address in a minute: a campus behind one address stays below, a script that wears the server out does not
 * (a picture costs 5 ms of CPU, a slider 23). Proof of work costs nothing to make and is not limited, so that one guest
 * who uses up the drawings of a campus shuts nobody out.
 */
const MOST_PER_MINUTE = { picture: 600, slider: 150 }

/** Whom a captcha belongs to: `browser` is the hash of the browser-binding cookie (`bindBrowser` of sessions). */
export type Owner = { purpose: CaptchaPurpose; browser: string }

/** What is kept of a captcha that a form can spend. */
export type Entry = { purpose: CaptchaPurpose } & (
  | ({ kind: 'proof-of-work' } & ProofOfWork)
  | { kind: 'picture'; text: string }
  | { kind: 'slider'; proof: string }
)

/** A landscape whose piece waits to be put back. `issuedAt` in ms. */
export type Slide = { purpose: CaptchaPurpose; target: number; issuedAt: number }

/** The browser is part of the key: in another one the captcha does not exist, so a stranger can't even spend it. */
const keyOf = (browser: string, captchaId: string): string => `${browser}\n${captchaId}`

export const putCaptcha = (ctx: Context, browser: string, captchaId: string, entry: Entry): Promise<void> =>
  ctx.state.put('captcha', keyOf(browser, captchaId), entry, CAPTCHA_SECONDS)

export const takeCaptcha = (ctx: Context, browser: string, captchaId: string): Promise<Entry | null> =>
  ctx.state.take<Entry>('captcha', keyOf(browser, captchaId))

export const putSlide = (ctx: Context, browser: string, captchaId: string, slide: Slide): Promise<void> =>
  ctx.state.put('captcha-slide', keyOf(browser, captchaId), slide, CAPTCHA_SECONDS)

export const takeSlide = (ctx: Context, browser: string, captchaId: string): Promise<Slide | null> =>
  ctx.state.take<Slide>('captcha-slide', keyOf(browser, captchaId))

/** @throws Refusal `captcha.too-many` when this address has asked for too many drawings of this kind within a minute. */
export async function countDrawing(ctx: Context, kind: keyof typeof MOST_PER_MINUTE): Promise<void> {
  const count = await ctx.state.count(`captcha-drawn-${kind}`, ctx.client.ip, 60)
  if (count > MOST_PER_MINUTE[kind]) throw errors['captcha.too-many']({ retryAfter: 60 })
}
