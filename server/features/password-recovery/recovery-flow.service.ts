import type { RecoveryMethod, RecoveryRules } from '#shared/contract/password-recovery.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { errors } from './password-recovery.errors.ts'
import { findRecoveryUserById, type RecoveryContacts, type RecoveryUserRow } from './password-recovery.store.ts'

/** From the first step on. */
export const FLOW_SECONDS = 30 * 60
const PROOF_SECONDS = 15 * 60

/** A recovery in progress. Its facts about a person are those at its start; if one changes meanwhile, the recovery ends. */
export type RecoveryFlow = {
  browser: string
  /** A keyed hash of the input: the key for limits and invented answers. */
  typed: string
  /** Null: unknown account, which no answer may reveal. */
  userId: string | null
  phone: string | null
  mailbox: string | null
  methods: RecoveryMethod[]
  questionsNeedCode: boolean
  passwordChangedAt: string | null
  appointedAt: string | null
}

/** The channel by which a method's codes are requested. */
export const CHANNELS = { phone: 'sms', mailbox: 'mail' } as const

const FLOW_KIND = 'password-recovery'

/** @returns the id of the flow, valid only in its own browser */
export async function createFlow(ctx: Context, flow: RecoveryFlow): Promise<string> {
  const id = randomToken(32)
  await ctx.state.put(FLOW_KIND, id, flow, FLOW_SECONDS)
  return id
}

/** @throws Refusal `password-recovery.expired` also for another browser's. */
export async function getFlow(ctx: Context, id: string, browser: string | null): Promise<RecoveryFlow> {
  const flow = await ctx.state.peek<RecoveryFlow>(FLOW_KIND, id)
  if (!flow || flow.browser !== browser) throw errors['password-recovery.expired']()
  // Also looked up for an unknown account, so that it takes as long.
  const now = await findRecoveryUserById(ctx.db, flow.userId ?? NO_USER_ID, ctx.now())
  if (flow.userId !== null && !isUnchanged(flow, now)) throw errors['password-recovery.expired']()
  return flow
}

const NO_USER_ID = '00000000-0000-0000-0000-000000000000'

/** False if a contact, the password or an appointment changed since: then everything begun before is invalid. */
export const isUnchanged = (flow: Omit<RecoveryFlow, 'methods'>, now: RecoveryUserRow | null): now is RecoveryUserRow =>
  now !== null &&
  now.phone === flow.phone &&
  now.mailbox === flow.mailbox &&
  now.passwordChangedAt === flow.passwordChangedAt &&
  now.appointedAt === flow.appointedAt

/** What one step proves to the next. `stage` `answers`: a code must follow. */
export type RecoveryProof = { flowId: string; stage: 'answers' | 'password'; method: RecoveryMethod }

const PROOF_KIND = 'password-recovery-proof'

export async function createProof(ctx: Context, proof: RecoveryProof): Promise<string> {
  const token = randomToken(43)
  await ctx.state.put(PROOF_KIND, token, withHashedFlowId(proof), PROOF_SECONDS)
  return token
}

/** The id of the flow is as sensitive as a cookie, so it is stored as a hash. */
const withHashedFlowId = (proof: RecoveryProof): RecoveryProof => ({
  ...proof,
  flowId: sha256(proof.flowId).toString('base64url'),
})

const isSameProof = (given: RecoveryProof | null, expected: RecoveryProof): boolean =>
  given !== null &&
  given.flowId === withHashedFlowId(expected).flowId &&
  given.stage === expected.stage &&
  given.method === expected.method

/** @throws Refusal `password-recovery.expired` */
export async function requireProof(ctx: Context, token: string, expected: RecoveryProof): Promise<void> {
  if (!isSameProof(await ctx.state.peek<RecoveryProof>(PROOF_KIND, token), expected))
    throw errors['password-recovery.expired']()
}

/** Consumes the proof: of parallel callers one succeeds. @throws Refusal `password-recovery.expired` */
export async function consumeProof(ctx: Context, token: string, expected: RecoveryProof): Promise<void> {
  if (!isSameProof(await ctx.state.take<RecoveryProof>(PROOF_KIND, token), expected))
    throw errors['password-recovery.expired']()
}

type ChannelStates = { sms: boolean; mail: boolean }

/** The methods available to a person with these facts, among those that the institution allows and can send through. */
export function availableMethods(
  rules: RecoveryRules,
  gateways: ChannelStates,
  { phone, mailbox, hasAnswers }: RecoveryContacts,
) {
  const byCode: RecoveryMethod[] = []
  if (phone !== null && gateways.sms) byCode.push('phone')
  if (mailbox !== null && gateways.mail) byCode.push('mailbox')
  const isBound = phone !== null || mailbox !== null
  const questionsNeedCode = rules.questions === 'with-code' && isBound
  // A code that can't be sent is no reason to skip it.
  const byAnswers = rules.questions !== 'off' && hasAnswers && (!questionsNeedCode || byCode.length > 0)
  return { methods: byAnswers ? [...byCode, 'questions' as const] : byCode, questionsNeedCode }
}

export function contactHint(
  method: RecoveryMethod,
  { phone, mailbox }: Pick<RecoveryFlow, 'phone' | 'mailbox'>,
): string {
  if (method === 'phone') return maskPhone(phone ?? '')
  return method === 'mailbox' ? maskMailbox(mailbox ?? '') : ''
}
