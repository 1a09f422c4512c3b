import { z } from 'zod'
import { checkSlider, getChallenge, getPicture, getSlider, PictureId } from '#shared/contract/captcha.ts'
import { parseInput } from '../../platform/http/answer.ts'
import { ANSWERED, type Api, type Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { bindBrowser, browserOf } from '../sessions/index.ts'
import { issueCaptcha, paintPicture } from './captcha.service.ts'
import { issueSlider, spendSlide } from './captcha.slider.ts'

export function mountCaptcha(api: Api): void {
  const browser = (ctx: Context, { request, reply }: Exchange) => bindBrowser(ctx.config, request, reply)
  api.mount(getChallenge, (ctx, { query }, exchange) =>
    issueCaptcha(ctx, { ...query, browser: browser(ctx, exchange) }),
  )
  api.mount(getSlider, (ctx, { query }, exchange) => issueSlider(ctx, { ...query, browser: browser(ctx, exchange) }))
  api.mount(checkSlider, (ctx, { body }, { request }) => spendSlide(ctx, browserOf(ctx.config, request), body))
  api.mount(getPicture, async (ctx, { query }, exchange) => {
    // `uuids` is the name of the request elsewhere and therefore not part of a parsed query; here it names the picture.
    const { uuids } = exchange.request.query as { uuids?: unknown }
    const captchaId = parseInput(PictureQuery, { uuids }, ctx.client.language).uuids
    const jpeg = await paintPicture(ctx, { ...query, browser: browser(ctx, exchange) }, captchaId)
    exchange.reply.type('image/jpeg').send(jpeg)
    return ANSWERED
  })
}

const PictureQuery = z.object({ uuids: PictureId })
