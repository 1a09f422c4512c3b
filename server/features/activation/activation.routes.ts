import { activationFieldsOf } from '#shared/contract/account-fields.ts'
import {
  beginActivation,
  beginActivationByCode,
  bindActivationMailbox,
  bindActivationPhone,
  cancelActivation,
  completeActivation,
  fillInActivationProfile,
  proveActivationIdentity,
  queryActivation,
  setActivationPassword,
  setActivationQuestions,
  skipActivationStep,
} from '#shared/contract/activation.ts'
import type { Api } from '../../platform/http/mount.ts'
import { accountFieldRules, askedCustomFields } from '../account-fields/index.ts'
import { browserIdOf } from '../sessions/index.ts'
import {
  findPendingActivation,
  getActivationStatus,
  loadActivationRules,
  loadRequiredFields,
} from './activation.service.ts'
import { startActivation } from './begin.service.ts'
import { startActivationByCode } from './codes.service.ts'
import { finishActivation } from './complete.service.ts'
import { deleteFlow } from './flows.store.ts'
import { hasAny } from './profile-step.rules.ts'
import { fillInProfile } from './profile-step.service.ts'
import { answerQuestions, bindTarget, choosePassword, proveIdentity, skipStep } from './steps.service.ts'

export function mountActivation(api: Api): void {
  api.mount(queryActivation, async (ctx, _, { request }) => {
    const { offered, steps } = await loadActivationRules(ctx)
    const required = await loadRequiredFields(ctx)
    const browser = browserIdOf(ctx.config, request)
    const begun = (await findPendingActivation(ctx, browser)) !== null
    return {
      offered,
      fields: offered ? activationFieldsOf(await accountFieldRules(ctx)) : [],
      custom: offered ? await askedCustomFields(ctx) : [],
      steps: [...steps.map(({ step }) => step), ...(hasAny(required) ? ['profile' as const] : [])],
      activation: begun ? await getActivationStatus(ctx, browser) : null,
    }
  })
  api.mount(beginActivation, (ctx, { body }, { request, reply }) => {
    const { captchaId, captcha, ...typed } = body
    return startActivation(ctx, request, reply, { typed, captchaId, captcha })
  })
  api.mount(beginActivationByCode, (ctx, { body }, { request, reply }) =>
    startActivationByCode(ctx, request, reply, body.code),
  )
  api.mount(proveActivationIdentity, (ctx, { body }, { request }) => proveIdentity(ctx, request, body))
  api.mount(setActivationPassword, (ctx, { body }, { request }) => choosePassword(ctx, request, body))
  api.mount(setActivationQuestions, (ctx, { body }, { request }) => answerQuestions(ctx, request, body))
  api.mount(bindActivationPhone, (ctx, { body: { proof, phone, code } }, { request }) =>
    bindTarget(ctx, request, { proof, channel: 'sms', typed: phone, code }),
  )
  api.mount(bindActivationMailbox, (ctx, { body: { proof, mailbox, code } }, { request }) =>
    bindTarget(ctx, request, { proof, channel: 'mail', typed: mailbox, code }),
  )
  api.mount(fillInActivationProfile, (ctx, { body }, { request }) => fillInProfile(ctx, request, body))
  api.mount(skipActivationStep, (ctx, { body }, { request }) => skipStep(ctx, request, body))
  api.mount(completeActivation, (ctx, { body }, { request }) => finishActivation(ctx, request, body.proof))
  api.mount(cancelActivation, async (ctx, _, { request }) => {
    const browser = browserIdOf(ctx.config, request)
    if (browser !== null) await deleteFlow(ctx.db, browser)
    return null
  })
}
