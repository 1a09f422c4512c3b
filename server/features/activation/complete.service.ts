import type { FastifyRequest } from 'fastify'
import type { Activation } from '#shared/contract/activation.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Db } from '../../platform/db.ts'
import { errors as platformErrors, Refusal } from '../../platform/errors.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { notifyPerson } from '../messages/index.ts'
import { replacePassword } from '../passwords/index.ts'
import { recordAudit } from '../records/index.ts'
import { saveAnswers } from '../security-questions/index.ts'
import { addLoginName, markActivated, setContact } from '../user-accounts/index.ts'
import { errors } from './activation.errors.ts'
import { getActivationStatus, requirePendingActivation } from './activation.service.ts'
import { findPasswordHash, lockActivationUser } from './activation-users.store.ts'
import { completeFlow, type Flow, reopenStep } from './flows.store.ts'
import { mayActivate } from './may-activate.rules.ts'
import { hasAny, isFilledIn, missingOf, type RequiredFields } from './profile-step.rules.ts'
import { writeProfile } from './profile-step.service.ts'

/**
 * Activates the account: password, answers, bindings, audit record and notice are written in one transaction, so that a crash leaves the
 * account either untouched or fully active. Of parallel calls one succeeds.
 * @throws Refusal of `requirePendingActivation`, `activation.step-required`, `activation.phone-taken|mailbox-taken`, `version.conflict`,
 *   and `account-field.…` and `alias.…` of the profile.
 */
export async function finishActivation(ctx: Context, request: FastifyRequest, proof: string): Promise<Activation> {
  const { flow, steps, missing } = await requirePendingActivation(ctx, request, proof)
  if (steps.some(({ state, need }) => state === 'open' || (state === 'skipped' && need === 'required'))) {
    throw errors['activation.step-required']()
  }
  try {
    await transaction(ctx, (inner) => activate(inner, flow, missing))
  } catch (error) {
    if (error instanceof ContactTakenError) {
      await reopenStep(ctx.db, flow, error.kind)
      throw errors[`activation.${error.kind}-taken`]()
    }
    if (isAboutProfile(error)) await reopenStep(ctx.db, flow, 'profile')
    throw error
  }
  return await getActivationStatus(ctx, flow.browser)
}

/** The alias or a value was taken meanwhile, or its rules changed. */
const isAboutProfile = (error: unknown): boolean =>
  error instanceof Refusal && /^(account-field|alias|profile)\./.test(error.code)

/** Rolls the transaction back: somebody else bound this contact meanwhile. */
class ContactTakenError extends Error {
  readonly kind: 'phone' | 'mailbox'

  constructor(kind: ContactTakenError['kind']) {
    super(kind)
    this.kind = kind
  }
}

async function activate(ctx: Context, flow: Flow, planned: RequiredFields): Promise<void> {
  const at = ctx.now()
  const { userId } = flow
  const person = await lockActivationUser(ctx.db, userId, ctx.now())
  if (!person || !mayActivate(ctx, person)) throw errors['activation.over']()
  if (!(await completeFlow(ctx.db, flow, at))) throw errors['activation.out-of-step']()
  await applyChosenPassword(ctx, flow, at)
  if (flow.answers) await saveAnswers(ctx, userId, flow.answers)
  for (const kind of ['phone', 'mailbox'] as const) {
    const value = flow[kind]
    const bound = value === null || (await bindContact(ctx.db, { userId, kind, value }))
    if (!bound) throw new ContactTakenError(kind)
  }
  await writeMissing(ctx, flow, missingOf(planned, person))
  await markActivated(ctx.db, userId, at)
  await recordAudit(ctx, {
    action: 'account.activate',
    targetKind: 'user',
    targetId: userId,
    actor: userId,
    before: { activated: false },
    after: {
      activated: true,
      ...(flow.passwordHash && { password: 'set' }),
      ...(flow.answers && { securityQuestions: flow.answers.length }),
      ...(flow.phone && { phone: maskPhone(flow.phone) }),
      ...(flow.mailbox && { mailbox: maskMailbox(flow.mailbox) }),
    },
  })
  await notifyPerson(ctx, { userId, template: 'notice.account-activated' })
}

/** Skips fields that an administrator has filled in meanwhile. */
async function writeMissing(ctx: Context, flow: Flow, missing: RequiredFields): Promise<void> {
  if (!hasAny(missing)) return
  if (!isFilledIn(missing, flow)) throw errors['activation.step-required']()
  await writeProfile(ctx, flow, missing)
}

type ContactBinding = { userId: string; kind: 'phone' | 'mailbox'; value: string }

/** Binds a phone or mailbox, also as a login name. @returns false if it is somebody else's. */
async function bindContact(db: Db, { userId, kind, value }: ContactBinding): Promise<boolean> {
  if (!(await addLoginName(db, { canonical: canonicalLoginName(value), userId, kind }))) return false
  await setContact(db, { userId, kind, value })
  return true
}

async function applyChosenPassword(ctx: Context, { userId, passwordHash }: Flow, at: Date): Promise<void> {
  if (passwordHash === null) return
  const old = await findPasswordHash(ctx.db, userId)
  const row = { userId, old, hash: passwordHash, at, changedBy: null }
  if (!(await replacePassword(ctx.db, row))) throw platformErrors['version.conflict']()
}
