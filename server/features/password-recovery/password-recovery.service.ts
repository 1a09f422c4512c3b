import type { RecoveryWay } from '#shared/contract/password-recovery.ts'
import type { SecurityAnswer } from '#shared/contract/security-questions.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { notifyPerson } from '../messages/index.ts'
import { prepareNewPassword, replacePassword } from '../passwords/index.ts'
import { recordAudit } from '../records/index.ts'
import { checkAnswers } from '../security-questions/index.ts'
import { browserOf, endSsoSessions } from '../sessions/index.ts'
import { canonicalTarget, type FindAddressee, spendCode } from '../verification-codes/index.ts'
import { type Flow, flowOf, giveProof, isUnchanged, requireProof, takeProof } from './flow.ts'
import { errors } from './password-recovery.errors.ts'
import { lockHolder } from './password-recovery.store.ts'

const CHANNELS = { phone: 'sms', mailbox: 'mail' } as const
type CodeWay = keyof typeof CHANNELS

const flowHere = (ctx: Context, { request }: Exchange, id: string): Promise<Flow> =>
  flowOf(ctx, id, browserOf(ctx.config, request))

function requireWay(flow: Flow, way: RecoveryWay): void {
  if (!flow.ways.includes(way)) throw errors['password-recovery.way-unavailable']()
}

/** What a code is bound to, the same when it is sent and when it is used. */
function bindingOf(flow: Flow, way: CodeWay) {
  requireWay(flow, way)
  const channel = CHANNELS[way]
  const target = canonicalTarget({ channel, target: flow[way] })
  if (target === null) throw errors['password-recovery.way-unavailable']()
  // Each channel has a pause of its own: who waits for a text message in vain may turn to the mailbox at once.
  const typed = `${flow.typed}\n${channel}`
  return { purpose: 'recovery' as const, userId: flow.userId, target, typed, browser: flow.browser }
}

/** To whom the codes of a recovery go; for nobody, nowhere. */
export const recoveryAddressee: FindAddressee = async (ctx, exchange, { id, channel }) => {
  const flow = await flowHere(ctx, exchange, id)
  const { userId, target, typed } = bindingOf(flow, channel === 'sms' ? 'phone' : 'mailbox')
  return { userId, target, typed, isStranger: true }
}

type Proved = { proof: string; next: 'code' | 'password' }

/** @throws Refusal of the answers, `password-recovery.expired`, `password-recovery.way-unavailable` */
export async function proveByQuestions(
  ctx: Context,
  exchange: Exchange,
  { id, answers }: { id: string; answers: readonly SecurityAnswer[] },
): Promise<Proved> {
  const flow = await flowHere(ctx, exchange, id)
  requireWay(flow, 'questions')
  await checkAnswers(ctx, { userId: flow.userId, name: flow.typed }, answers)
  const stage = flow.questionsNeedCode ? 'answers' : 'password'
  const proof = await giveProof(ctx, { flowId: id, stage, way: 'questions' })
  return { proof, next: flow.questionsNeedCode ? 'code' : 'password' }
}

type CodeGiven = { id: string; way: CodeWay; code: string; proof: string | undefined }

/** @throws Refusal of the code, `password-recovery.expired`, `password-recovery.way-unavailable` */
export async function proveByCode(ctx: Context, exchange: Exchange, given: CodeGiven): Promise<Proved> {
  const { id, way, code, proof } = given
  const flow = await flowHere(ctx, exchange, id)
  const binding = bindingOf(flow, way)
  const answered = { flowId: id, stage: 'answers', way: 'questions' } as const
  if (proof !== undefined) await requireProof(ctx, proof, answered)
  await spendCode(ctx, { ...binding, code })
  if (proof !== undefined) await takeProof(ctx, proof, answered)
  const gone: RecoveryWay = proof === undefined ? way : 'questions'
  return { proof: await giveProof(ctx, { flowId: id, stage: 'password', way: gone }), next: 'password' }
}

type NewPassword = { id: string; way: RecoveryWay; proof: string; newPassword: string }

/**
 * Sets the new password of who has proved by `way` who they are, and ends every login of theirs. It lifts no lock and no freeze and logs
 * nobody in. A password that is too weak leaves the proof as it is.
 * @throws Refusal `password-recovery.expired`, `password.too-weak`, `version.conflict`, `service.busy`
 */
export async function setPassword(ctx: Context, exchange: Exchange, given: NewPassword): Promise<{ ended: number }> {
  const { id, way, proof, newPassword } = given
  const flow = await flowHere(ctx, exchange, id)
  const wanted = { flowId: id, stage: 'password', way } as const
  await requireProof(ctx, proof, wanted)
  const { userId } = flow
  const prepared = userId === null ? null : await prepareNewPassword(ctx, userId, newPassword)
  if (userId === null || !prepared) throw errors['password-recovery.expired']()
  await takeProof(ctx, proof, wanted)
  return await transaction(ctx, async (inner) => {
    const holder = await lockHolder(inner.db, userId, inner.now())
    if (!isUnchanged(flow, holder)) throw errors['password-recovery.expired']()
    const row = { userId, ...prepared, at: inner.now(), changedBy: null }
    if (!(await replacePassword(inner.db, row))) throw platformErrors['version.conflict']()
    const change = { action: 'password.recover' as const, targetKind: 'user', targetId: userId, actor: userId }
    await recordAudit(inner, { ...change, after: { way } })
    const ended = await endSsoSessions(inner, { userId }, 'password-changed')
    await notifyPerson(inner, { userId, template: 'notice.password-recovered', ...otherChannel(way, holder) })
    return { ended: ended.length }
  })
}

/** The notice goes where the proof did not come from; to the same place when there is no other. */
function otherChannel(way: RecoveryWay, { phone, mailbox }: { phone: string | null; mailbox: string | null }) {
  if (way === 'questions' || phone === null || mailbox === null) return {}
  return { except: CHANNELS[way] }
}
