import {
  beginActivation,
  beginActivationByCode,
  bindActivationMailbox,
  bindActivationPhone,
  completeActivation,
  giveUpActivation,
  proveActivationIdentity,
  queryActivation,
  setActivationPassword,
  setActivationQuestions,
  skipActivationStep,
} from '#shared/contract/activation.ts'
import type { Api } from '../../platform/http/mount.ts'
import { browserOf } from '../sessions/index.ts'
import { activationRules, statusOf, underway } from './activation.service.ts'
import { begin } from './begin.service.ts'
import { beginWithCode } from './codes.service.ts'
import { complete } from './complete.service.ts'
import { deleteFlow } from './flows.store.ts'
import { answerQuestions, bindTarget, choosePassword, proveIdentity, skip } from './steps.service.ts'

export function mountActivation(api: Api): void {
  api.mount(queryActivation, async (ctx, _, { request }) => {
    const { offered, fields, steps } = await activationRules(ctx)
    const browser = browserOf(ctx.config, request)
    const begun = (await underway(ctx, browser)) !== null
    return {
      offered,
      fields,
      steps: steps.map(({ step }) => step),
      activation: begun ? await statusOf(ctx, browser) : null,
    }
  })
  api.mount(beginActivation, (ctx, { body }, { request, reply }) => {
    const { captchaId, captcha, ...typed } = body
    return begin(ctx, request, reply, { typed, captchaId, captcha })
  })
  api.mount(beginActivationByCode, (ctx, { body }, { request, reply }) => beginWithCode(ctx, request, reply, body.code))
  api.mount(proveActivationIdentity, (ctx, { body }, { request }) => proveIdentity(ctx, request, body))
  api.mount(setActivationPassword, (ctx, { body }, { request }) => choosePassword(ctx, request, body))
  api.mount(setActivationQuestions, (ctx, { body }, { request }) => answerQuestions(ctx, request, body))
  api.mount(bindActivationPhone, (ctx, { body: { proof, phone, code } }, { request }) =>
    bindTarget(ctx, request, { proof, channel: 'sms', typed: phone, code }),
  )
  api.mount(bindActivationMailbox, (ctx, { body: { proof, mailbox, code } }, { request }) =>
    bindTarget(ctx, request, { proof, channel: 'mail', typed: mailbox, code }),
  )
  api.mount(skipActivationStep, (ctx, { body }, { request }) => skip(ctx, request, body))
  api.mount(completeActivation, (ctx, { body }, { request }) => complete(ctx, request, body.proof))
  api.mount(giveUpActivation, async (ctx, _, { request }) => {
    const browser = browserOf(ctx.config, request)
    if (browser !== null) await deleteFlow(ctx.db, browser)
    return null
  })
}
