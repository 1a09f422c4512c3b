import type { z } from 'zod'
import { CAPTCHA_SECONDS, type SliderChallenge, type TrackPoint } from '#shared/contract/captcha.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { errors } from './captcha.errors.ts'
import { type CaptchaOwner, putCaptcha, putSlide, rateLimitDrawings, takeSlide } from './captcha.store.ts'
import { renderScene } from './captcha-image.render.ts'
import { secureRandom } from './captcha-random.rules.ts'
import { PIECE, randomPosition, SCENE } from './captcha-scene.render.ts'
import { isPlausibleTrack } from './captcha-track.rules.ts'

/** A new slider for this browser and purpose. @throws Refusal `captcha.too-many`, `service.busy` */
export async function issueSlider(
  ctx: Context,
  { purpose, browser }: CaptchaOwner,
): Promise<z.infer<typeof SliderChallenge>> {
  await rateLimitDrawings(ctx, 'slider')
  const place = randomPosition(secureRandom)
  const { background, piece } = await renderScene(place, secureRandom)
  const captchaId = randomToken(24)
  await putSlide(ctx, browser, captchaId, { purpose, target: place.x, issuedAt: ctx.now().getTime() })
  return {
    kind: 'slider',
    captchaId,
    secondsLeft: CAPTCHA_SECONDS,
    width: SCENE.width,
    height: SCENE.height,
    pieceWidth: PIECE.width,
    pieceHeight: PIECE.height,
    pieceTop: place.y,
    backgroundImage: background,
    sliderImage: piece,
  }
}

/**
 * Exchanges a correct slide for the two form fields of a captcha with the same purpose; any check, correct or not, ends the slider.
 * @throws Refusal `captcha.wrong`
 */
export async function verifySlide(
  ctx: Context,
  browser: string | null,
  { captchaId, track }: { captchaId: string; track: readonly TrackPoint[] },
): Promise<{ captchaId: string; captcha: string; secondsLeft: number }> {
  const slide = browser && (await takeSlide(ctx, browser, captchaId))
  if (!browser || !slide) throw errors['captcha.wrong']()
  if (!isPlausibleTrack(track, slide.target, ctx.now().getTime() - slide.issuedAt)) throw errors['captcha.wrong']()
  const proof = { captchaId: randomToken(24), captcha: randomToken(32) }
  await putCaptcha(ctx, browser, proof.captchaId, { kind: 'slider', purpose: slide.purpose, proof: proof.captcha })
  return { ...proof, secondsLeft: CAPTCHA_SECONDS }
}
