import type { OfferedProof, ProofMethodName } from '#shared/contract/identity-proofs.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { findReadyChannels } from '../messages/index.ts'
import { confirmContact } from '../user-accounts/index.ts'
import { errors } from './identity-proofs.errors.ts'
import {
  deleteProof,
  findLoginAsProof,
  findProof,
  findProofSubject,
  type ProofSubjectRow,
  saveProof,
} from './identity-proofs.store.ts'

/** How many minutes one reauthentication is valid. */
const PROOF_MINUTES = 10

export type ProofSubject = ProofSubjectRow & { userId: string }

/** A method of reauthentication. A feature with one exports it; the composition root passes it to the mount. */
export type ProofMethod = {
  name: ProofMethodName
  /** Identifies the authenticator to the person, '' for nothing; null: not available to this person. */
  hint(ctx: Context, person: ProofSubject): Promise<string | null>
  /** Sends the code or creates the challenge. */
  begin?(ctx: Context, person: ProofSubject): Promise<{ secondsLeft: number; options?: unknown }>
  /** Counts and commits a wrong answer before it throws; rejects people who can't use it. @throws Refusal */
  prove(ctx: Context, person: ProofSubject, answer: string): Promise<void>
}

const proofExpiry = (provedAt: Date): Date => new Date(provedAt.getTime() + PROOF_MINUTES * 60_000)

type Reauthentication = { until: Date; method: ProofMethodName | null }

async function findReauthentication(ctx: Context): Promise<Reauthentication | null> {
  const { sessionId, userId } = callerOf(ctx)
  const proof = await findProof(ctx.db, sessionId, userId)
  if (proof && proofExpiry(proof.provedAt) > ctx.now()) {
    return { until: proofExpiry(proof.provedAt), method: proof.method }
  }
  return await findRecentLogin(ctx)
}

/** People with nothing but a linked account, such as those created at their first login, can prove only that they have just logged in. */
async function findRecentLogin(ctx: Context): Promise<Reauthentication | null> {
  const since = new Date(ctx.now().getTime() - PROOF_MINUTES * 60_000)
  const channels = await findReadyChannels(ctx)
  const at = await findLoginAsProof(ctx.db, { ssoSessionId: callerOf(ctx).ssoSessionId, since, channels })
  return at && { until: proofExpiry(at), method: null }
}

/**
 * Requires that the person at this portal session reauthenticated within the last minutes: an unattended session must not allow an account
 * takeover. Call it before anything else that a sensitive change does.
 * @returns the method they used; null: a recent login, because they have no other.
 * @throws Refusal `identity-proof.required`; the page asks for reauthentication and repeats the call.
 */
export async function requireReauthentication(ctx: Context): Promise<ProofMethodName | null> {
  const proof = await findReauthentication(ctx)
  if (!proof) throw errors['identity-proof.required']()
  return proof.method
}

/** For a call that needs reauthentication by another method: the next one asks again. */
export const invalidateProof = (ctx: Context): Promise<void> => deleteProof(ctx.db, callerOf(ctx).sessionId)

async function getProofSubject(ctx: Context): Promise<ProofSubject> {
  const { userId } = callerOf(ctx)
  const bound = await findProofSubject(ctx.db, userId)
  if (!bound) throw errors['identity-proof.method-unavailable']()
  return { userId, ...bound }
}

/** Whether reauthentication is needed, and the methods available to this person. */
export async function getProofStatus(ctx: Context, methods: readonly ProofMethod[]) {
  const person = await getProofSubject(ctx)
  const offered: OfferedProof[] = []
  for (const method of methods) {
    const hint = await method.hint(ctx, person)
    if (hint !== null) offered.push({ method: method.name, hint })
  }
  return { freshUntil: toIso((await findReauthentication(ctx))?.until), methods: offered }
}

function getProofMethod(methods: readonly ProofMethod[], name: ProofMethodName): ProofMethod {
  const method = methods.find((known) => known.name === name)
  if (!method) throw errors['identity-proof.method-unavailable']()
  return method
}

/** @throws Refusal `identity-proof.method-unavailable`, or those of the method. */
export async function beginProof(ctx: Context, methods: readonly ProofMethod[], name: ProofMethodName) {
  const method = getProofMethod(methods, name)
  const person = await getProofSubject(ctx)
  if ((await method.hint(ctx, person)) === null) throw errors['identity-proof.method-unavailable']()
  const begun = await method.begin?.(ctx, person)
  return { secondsLeft: begun?.secondsLeft ?? 0, options: begun?.options ?? null }
}

/** @throws Refusal `identity-proof.method-unavailable`, or those of the method. */
export async function submitProof(
  ctx: Context,
  methods: readonly ProofMethod[],
  { name, answer }: { name: ProofMethodName; answer: string },
) {
  await getProofMethod(methods, name).prove(ctx, await getProofSubject(ctx), answer)
  const provedAt = ctx.now()
  const { sessionId, userId } = callerOf(ctx)
  if (name === 'phone' || name === 'mailbox') await confirmContact(ctx.db, userId, name)
  const saved = await saveProof(ctx.db, { portalSessionId: sessionId, method: name, provedAt })
  if (!saved) throw platformErrors['session.required']()
  return { freshUntil: proofExpiry(provedAt).toISOString() }
}
