import type { RecoveryMethod } from '#shared/contract/password-recovery.ts'
import type { SecurityAnswer } from '#shared/contract/security-questions.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { notifyPerson } from '../messages/index.ts'
import { type FindPasswordSubject, prepareNewPassword, replacePassword } from '../passwords/index.ts'
import { recordAudit } from '../records/index.ts'
import { verifyAnswers } from '../security-questions/index.ts'
import { browserIdOf, endSsoSessions } from '../sessions/index.ts'
import { type FindRecipient, storedTarget, verifyCode } from '../verification-codes/index.ts'
import { errors } from './password-recovery.errors.ts'
import { lockRecoveryUser } from './password-recovery.store.ts'
import {
  CHANNELS,
  consumeProof,
  createProof,
  getFlow,
  isUnchanged,
  type RecoveryFlow,
  requireProof,
} from './recovery-flow.service.ts'

type CodeMethod = keyof typeof CHANNELS

const getBrowserFlow = (ctx: Context, { request }: Exchange, id: string): Promise<RecoveryFlow> =>
  getFlow(ctx, id, browserIdOf(ctx.config, request))

function requireMethod(flow: RecoveryFlow, method: RecoveryMethod): void {
  if (!flow.methods.includes(method)) throw errors['password-recovery.method-unavailable']()
}

/** What a code is bound to, both when it is sent and when it is used. */
function codeBinding(flow: RecoveryFlow, method: CodeMethod) {
  requireMethod(flow, method)
  const channel = CHANNELS[method]
  const bound = flow[method]
  if (bound === null) throw errors['password-recovery.method-unavailable']()
  const target = storedTarget(channel, bound)
  // Each channel has its own pause: whoever waits for a text message in vain can use the mailbox at once.
  const typed = `${flow.typed}\n${channel}`
  return { purpose: 'recovery' as const, userId: flow.userId, target, typed, browser: flow.browser }
}

/** The recipient of a recovery's codes; none for an unknown account. */
export const findRecoveryRecipient: FindRecipient = async (ctx, exchange, { id, channel }) => {
  const flow = await getBrowserFlow(ctx, exchange, id)
  const { userId, target, typed } = codeBinding(flow, channel === 'sms' ? 'phone' : 'mailbox')
  return { userId, target, typed, isStranger: true }
}

type ProofResult = { proof: string; next: 'code' | 'password' }

/** @throws Refusal of the answers, `password-recovery.expired`, `password-recovery.method-unavailable` */
export async function proveByQuestions(
  ctx: Context,
  exchange: Exchange,
  { id, answers }: { id: string; answers: readonly SecurityAnswer[] },
): Promise<ProofResult> {
  const flow = await getBrowserFlow(ctx, exchange, id)
  requireMethod(flow, 'questions')
  await verifyAnswers(ctx, { userId: flow.userId, name: flow.typed }, answers)
  const stage = flow.questionsNeedCode ? 'answers' : 'password'
  const proof = await createProof(ctx, { flowId: id, stage, method: 'questions' })
  return { proof, next: flow.questionsNeedCode ? 'code' : 'password' }
}

type CodeProofInput = { id: string; method: CodeMethod; code: string; proof: string | undefined }

/** @throws Refusal of the code, `password-recovery.expired`, `password-recovery.method-unavailable` */
export async function proveByCode(ctx: Context, exchange: Exchange, given: CodeProofInput): Promise<ProofResult> {
  const { id, method, code, proof } = given
  const flow = await getBrowserFlow(ctx, exchange, id)
  const binding = codeBinding(flow, method)
  const answered = { flowId: id, stage: 'answers', method: 'questions' } as const
  if (proof !== undefined) await requireProof(ctx, proof, answered)
  await verifyCode(ctx, { ...binding, code })
  if (proof !== undefined) await consumeProof(ctx, proof, answered)
  const gone: RecoveryMethod = proof === undefined ? method : 'questions'
  return { proof: await createProof(ctx, { flowId: id, stage: 'password', method: gone }), next: 'password' }
}

/** The person whose password may be set with a proof of the last step. */
export const findRecoverySubject: FindPasswordSubject<'recovery'> = async (ctx, exchange, { id, method, proof }) => {
  const { userId } = await getBrowserFlow(ctx, exchange, id)
  await requireProof(ctx, proof, { flowId: id, stage: 'password', method })
  if (userId === null) throw errors['password-recovery.expired']()
  return userId
}

type NewPasswordInput = { id: string; method: RecoveryMethod; proof: string; newPassword: string }

/**
 * Sets the new password of a person who has proved their identity by `method`, and ends all their logins. Lifts no lock and no freeze, and
 * logs nobody in. A password that is too weak leaves the proof valid.
 * @throws Refusal `password-recovery.expired`, `password.too-weak`, `version.conflict`, `service.busy`
 */
export async function setPassword(
  ctx: Context,
  exchange: Exchange,
  given: NewPasswordInput,
): Promise<{ ended: number }> {
  const { id, method, proof, newPassword } = given
  const flow = await getBrowserFlow(ctx, exchange, id)
  const wanted = { flowId: id, stage: 'password', method } as const
  await requireProof(ctx, proof, wanted)
  const { userId } = flow
  const prepared = userId === null ? null : await prepareNewPassword(ctx, userId, newPassword)
  if (userId === null || !prepared) throw errors['password-recovery.expired']()
  await consumeProof(ctx, proof, wanted)
  return await transaction(ctx, async (inner) => {
    const holder = await lockRecoveryUser(inner.db, userId, inner.now())
    if (!isUnchanged(flow, holder)) throw errors['password-recovery.expired']()
    const row = { userId, ...prepared, at: inner.now(), changedBy: null }
    if (!(await replacePassword(inner.db, row))) throw platformErrors['version.conflict']()
    const change = { action: 'password.recover' as const, targetKind: 'user', targetId: userId, actor: userId }
    await recordAudit(inner, { ...change, after: { method } })
    const ended = await endSsoSessions(inner, { userId }, 'password-changed')
    await notifyPerson(inner, { userId, template: 'notice.password-recovered', ...otherChannel(method, holder) })
    return { ended: ended.length }
  })
}

/** The notice goes to another channel than the one that proved the identity; to the same one if there is no other. */
function otherChannel(method: RecoveryMethod, { phone, mailbox }: { phone: string | null; mailbox: string | null }) {
  if (method === 'questions' || phone === null || mailbox === null) return {}
  return { except: CHANNELS[method] }
}
