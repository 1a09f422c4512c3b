import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Activation } from '#shared/contract/activation.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { ensureBrowserId } from '../sessions/index.ts'
import { errors } from './activation.errors.ts'
import { findActivationUser } from './activation-users.store.ts'
import { createActivation } from './begin.service.ts'
import { consumeCode, deleteActivationCodes, upsertCode } from './codes.store.ts'
import { mayActivate } from './may-activate.rules.ts'

const CODE_LENGTH = 43
export const ACTIVATION_CODE_DAYS = 7

/**
 * Issues a one-time code that replaces the information check: whoever has it may set up this account. Shown once and stored as a hash; it
 * invalidates earlier codes and activations in progress. Runs in the caller's transaction.
 */
export async function issueActivationCode(ctx: Context, userId: string): Promise<{ code: string; expiresAt: Date }> {
  const code = randomToken(CODE_LENGTH)
  const at = ctx.now()
  const expiresAt = new Date(at.getTime() + ACTIVATION_CODE_DAYS * DAY_MS)
  await deleteActivationCodes(ctx.db, [userId])
  await upsertCode(ctx.db, { userId, codeHash: sha256(code), expiresAt, createdBy: ctx.caller?.userId ?? null, at })
  return { code, expiresAt }
}

/**
 * Starts an activation with such a code, in this browser only, and consumes the code.
 * @throws Refusal `activation.code-refused`, whatever was wrong.
 */
export async function startActivationByCode(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  code: string,
): Promise<Activation> {
  const person = await transaction(ctx, async ({ db, now }) => {
    const userId = await consumeCode(db, sha256(code), now())
    const found = userId && (await findActivationUser(db, userId, ctx.now()))
    // Rolls back consuming the code: a frozen person can use it after being thawed.
    if (!found || !mayActivate(ctx, found)) throw errors['activation.code-refused']()
    return found
  })
  const browser = ensureBrowserId(ctx.config, request, reply)
  return await createActivation(ctx, browser, { person, knowsSecret: true, byCode: true })
}
