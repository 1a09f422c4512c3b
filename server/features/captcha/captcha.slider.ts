import type { z } from 'zod'
import { CAPTCHA_SECONDS, type SliderChallenge, type TrackPoint } from '#shared/contract/captcha.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { secureChance } from './captcha.chance.ts'
import { errors } from './captcha.errors.ts'
import { renderScene } from './captcha.render.ts'
import { newPlace, PIECE, SCENE } from './captcha.scene.ts'
import { countDrawing, type Owner, putCaptcha, putSlide, takeSlide } from './captcha.store.ts'
import { isRightTrack } from './captcha.track.ts'

/** A new slider for this browser and purpose. @throws Refusal `captcha.too-many`, `service.busy` */
export async function issueSlider(ctx: Context, { purpose, browser }: Owner): Promise<z.infer<typeof SliderChallenge>> {
  await countDrawing(ctx, 'slider')
  const place = newPlace(secureChance)
  const { background, piece } = await renderScene(place, secureChance)
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
 * Trades a right slide for the two form fields of a captcha with the same purpose; any check, right or wrong, ends the slider.
 * @throws Refusal `captcha.wrong`
 */
export async function spendSlide(
  ctx: Context,
  browser: string | null,
  { captchaId, track }: { captchaId: string; track: readonly TrackPoint[] },
): Promise<{ captchaId: string; captcha: string; secondsLeft: number }> {
  const slide = browser && (await takeSlide(ctx, browser, captchaId))
  if (!browser || !slide) throw errors['captcha.wrong']()
  if (!isRightTrack(track, slide.target, ctx.now().getTime() - slide.issuedAt)) throw errors['captcha.wrong']()
  const proof = { captchaId: randomToken(24), captcha: randomToken(32) }
  await putCaptcha(ctx, browser, proof.captchaId, { kind: 'slider', purpose: slide.purpose, proof: proof.captcha })
  return { ...proof, secondsLeft: CAPTCHA_SECONDS }
}
