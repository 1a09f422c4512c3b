import { z } from 'zod'
import { checkSlider, getChallenge, getPicture, getSlider, PictureId } from '#shared/contract/captcha.ts'
import { type Api, type Exchange, REPLY_SENT } from '../../platform/http/mount.ts'
import { parseInput } from '../../platform/http/responses.ts'
import type { Context } from '../../platform/platform.ts'
import { browserIdOf, ensureBrowserId } from '../sessions/index.ts'
import { issueCaptcha, issuePicture } from './captcha.service.ts'
import { issueSlider, verifySlide } from './captcha-slider.service.ts'

export function mountCaptcha(api: Api): void {
  const browser = (ctx: Context, { request, reply }: Exchange) => ensureBrowserId(ctx.config, request, reply)
  api.mount(getChallenge, (ctx, { query }, exchange) =>
    issueCaptcha(ctx, { ...query, browser: browser(ctx, exchange) }),
  )
  api.mount(getSlider, (ctx, { query }, exchange) => issueSlider(ctx, { ...query, browser: browser(ctx, exchange) }))
  api.mount(checkSlider, (ctx, { body }, { request }) => verifySlide(ctx, browserIdOf(ctx.config, request), body))
  api.mount(getPicture, async (ctx, { query }, exchange) => {
    // `uuids` elsewhere identifies the request and is therefore not part of a parsed query; here it identifies the picture.
    const { uuids } = exchange.request.query as { uuids?: unknown }
    const captchaId = parseInput(PictureQuery, { uuids }, ctx, ctx.client.language).uuids
    const jpeg = await issuePicture(ctx, { ...query, browser: browser(ctx, exchange) }, captchaId)
    exchange.reply.type('image/jpeg').send(jpeg)
    return REPLY_SENT
  })
}

const PictureQuery = z.object({ uuids: PictureId })
