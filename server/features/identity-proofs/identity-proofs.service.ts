import type { OfferedProof, ProofMethodName } from '#shared/contract/identity-proofs.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { confirmContact } from '../settled-contacts/index.ts'
import { errors } from './identity-proofs.errors.ts'
import { type Bound, deleteProof, findBound, findProof, saveProof } from './identity-proofs.store.ts'

/** Minutes that one proof is good for. */
const FRESH_MINUTES = 10

export type Person = Bound & { userId: string }

/** One way to prove who sits there. A feature with another way exports one; the composition root hands it to the mount. */
export type ProofMethod = {
  name: ProofMethodName
  /** What tells the person which one it is, '' for nothing; null: this person can't use it. */
  hint(ctx: Context, person: Person): Promise<string | null>
  /** Sends the code or makes the challenge. */
  begin?(ctx: Context, person: Person): Promise<{ secondsLeft: number; options?: unknown }>
  /** Counts and commits a wrong answer before it throws; refuses whoever can't use it. @throws Refusal */
  prove(ctx: Context, person: Person, answer: string): Promise<void>
}

const freshUntil = (provedAt: Date): Date => new Date(provedAt.getTime() + FRESH_MINUTES * 60_000)

async function stillFresh(ctx: Context): Promise<{ until: Date; method: ProofMethodName } | null> {
  const { sessionId, userId } = callerOf(ctx)
  const proof = await findProof(ctx.db, sessionId, userId)
  if (!proof) return null
  const until = freshUntil(proof.provedAt)
  return until > ctx.now() ? { until, method: proof.method } : null
}

/**
 * Demands that the person at this portal session proved a few minutes ago who they are: a session that somebody left open must not
 * be a way to take the account over. Call it before anything else that a sensitive change does.
 * @returns how they proved it.
 * @throws Refusal `identity-proof.required`; the page asks for a proof and repeats the call.
 */
export async function requireFreshProof(ctx: Context): Promise<ProofMethodName> {
  const proof = await stillFresh(ctx)
  if (!proof) throw errors['identity-proof.required']()
  return proof.method
}

/** For a call that needs a proof by another method: the next one is asked for again. */
export const forgetProof = (ctx: Context): Promise<void> => deleteProof(ctx.db, callerOf(ctx).sessionId)

async function personOf(ctx: Context): Promise<Person> {
  const { userId } = callerOf(ctx)
  const bound = await findBound(ctx.db, userId)
  if (!bound) throw errors['identity-proof.method-unavailable']()
  return { userId, ...bound }
}

/** Whether a proof is needed, and the ways this person has. */
export async function standing(ctx: Context, methods: readonly ProofMethod[]) {
  const person = await personOf(ctx)
  const offered: OfferedProof[] = []
  for (const method of methods) {
    const hint = await method.hint(ctx, person)
    if (hint !== null) offered.push({ method: method.name, hint })
  }
  return { freshUntil: (await stillFresh(ctx))?.until.toISOString() ?? null, methods: offered }
}

function methodNamed(methods: readonly ProofMethod[], name: ProofMethodName): ProofMethod {
  const method = methods.find((known) => known.name === name)
  if (!method) throw errors['identity-proof.method-unavailable']()
  return method
}

/** @throws Refusal `identity-proof.method-unavailable`, or what the method refuses. */
export async function begin(ctx: Context, methods: readonly ProofMethod[], name: ProofMethodName) {
  const method = methodNamed(methods, name)
  const person = await personOf(ctx)
  if ((await method.hint(ctx, person)) === null) throw errors['identity-proof.method-unavailable']()
  const begun = await method.begin?.(ctx, person)
  return { secondsLeft: begun?.secondsLeft ?? 0, options: begun?.options ?? null }
}

/** @throws Refusal `identity-proof.method-unavailable`, or what the method refuses. */
export async function prove(
  ctx: Context,
  methods: readonly ProofMethod[],
  { name, answer }: { name: ProofMethodName; answer: string },
) {
  await methodNamed(methods, name).prove(ctx, await personOf(ctx), answer)
  const provedAt = ctx.now()
  const { sessionId, userId } = callerOf(ctx)
  if (name === 'phone' || name === 'mailbox') await confirmContact(ctx.db, userId, name)
  const saved = await saveProof(ctx.db, { portalSessionId: sessionId, method: name, provedAt })
  if (!saved) throw platformErrors['session.required']()
  return { freshUntil: freshUntil(provedAt).toISOString() }
}
