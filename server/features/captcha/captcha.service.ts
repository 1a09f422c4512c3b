import { createHash } from 'node:crypto'
import {
  CAPTCHA_SECONDS,
  type CaptchaKind,
  type CaptchaPurpose,
  type Challenge,
  pictureUrl,
} from '#shared/contract/captcha.ts'
import { isProofOfWork, PROOF_OF_WORK_COST, type ProofOfWork } from '#shared/rules/proof-of-work.ts'
import { isSameSecret, randomToken } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { type CaptchaOwner, putCaptcha, rateLimitDrawings, type StoredCaptcha, takeCaptcha } from './captcha.store.ts'
import { renderPicture } from './captcha-image.render.ts'
import { newPictureText } from './captcha-picture.render.ts'
import { secureRandom } from './captcha-random.rules.ts'
import { issueSlider } from './captcha-slider.service.ts'

/**
 * A new captcha for this browser and purpose, valid for 120 seconds and one use. A picture is drawn only when its URL is loaded.
 * @throws Refusal `captcha.too-many`, `service.busy`
 */
export async function issueCaptcha(
  ctx: Context,
  { kind, ...owner }: CaptchaOwner & { kind: CaptchaKind },
): Promise<Challenge> {
  if (kind === 'slider') return await issueSlider(ctx, owner)
  const captchaId = randomToken(24)
  const common = { captchaId, secondsLeft: CAPTCHA_SECONDS }
  if (kind === 'picture') return { kind, ...common, imageUrl: pictureUrl(captchaId, owner.purpose) }
  const puzzle: ProofOfWork = { salt: randomToken(24), ...PROOF_OF_WORK_COST }
  await putCaptcha(ctx, owner.browser, captchaId, { kind, purpose: owner.purpose, ...puzzle })
  return { kind, ...common, ...puzzle }
}

/**
 * The JPEG for an id chosen by the page. The same id again gives another picture and invalidates the former text.
 * @throws Refusal `captcha.too-many`, `service.busy`
 */
export async function issuePicture(
  ctx: Context,
  { purpose, browser }: CaptchaOwner,
  captchaId: string,
): Promise<Buffer> {
  await rateLimitDrawings(ctx, 'picture')
  const text = newPictureText(secureRandom)
  const jpeg = await renderPicture(text, secureRandom)
  await putCaptcha(ctx, browser, captchaId, { kind: 'picture', purpose, text })
  return jpeg
}

/** The two form fields unchanged, and the browser that sent them (null without cookie). */
export type CaptchaAnswer = { purpose: CaptchaPurpose; browser: string | null; captchaId: unknown; captcha: unknown }

/**
 * Consumes a captcha of any kind: `absent` if a field is missing or empty, else `right` or `wrong`. Every answer consumes the captcha; of
 * parallel correct ones exactly one is `right`. Unknown, expired, for another browser or purpose: `wrong`.
 */
export async function verifyCaptcha(ctx: Context, attempt: CaptchaAnswer): Promise<'right' | 'wrong' | 'absent'> {
  const { captchaId, captcha, browser } = attempt
  if (captchaId === undefined || captchaId === null || captchaId === '') return 'absent'
  if (captcha === undefined || captcha === null || captcha === '') return 'absent'
  if (typeof captchaId !== 'string' || captchaId.length > 64) return 'wrong'
  if (typeof captcha !== 'string' || captcha.length > 200 || !browser) return 'wrong'
  const entry = await takeCaptcha(ctx, browser, captchaId)
  if (!entry || entry.purpose !== attempt.purpose) return 'wrong'
  return isCorrect(entry, captcha) ? 'right' : 'wrong'
}

function isCorrect(entry: StoredCaptcha, captcha: string): boolean {
  if (entry.kind === 'proof-of-work') return isProofOfWork(entry, captcha, nodeSha256)
  if (entry.kind === 'slider') return isSameSecret(captcha, entry.proof)
  return isSameSecret(captcha.normalize('NFKC').replace(/\s/g, '').toUpperCase(), entry.text)
}

const nodeSha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()
