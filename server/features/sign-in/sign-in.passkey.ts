import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PasskeySignInForm } from '#shared/contract/sign-in.ts'
import type { Context } from '../../platform/platform.ts'
import type { WayIn } from '../appearance/index.ts'
import type { Application } from '../applications/index.ts'
import { provePasskey, relyingPartyId } from '../second-factors/index.ts'
import { browserOf, type SsoSession } from '../sessions/index.ts'
import { acceptSignIn, type SignedIn } from './sign-in.accept.ts'
import { errors } from './sign-in.errors.ts'
import { recordFailure } from './sign-in.refuse.ts'
import { accountOf } from './sign-in.store.ts'

const PASSKEY_TYPE = 'passkey'

/**
 * Logs a person in with a passkey alone. Its authenticator has verified who is there, so that no second factor is asked.
 * @throws Refusal `sign-in.passkey-refused` for whatever proves nothing, or what `acceptSignIn` refuses.
 */
export async function signInByPasskey(
  ctx: Context,
  exchange: { request: FastifyRequest; reply: FastifyReply },
  attempt: PasskeySignInForm & { application: Application | null; replaces: SsoSession | null },
): Promise<SignedIn> {
  const { application, replaces, rememberMe, warn } = attempt
  const browser = browserOf(ctx.config, exchange.request)
  const proved = browser && (await provePasskey(ctx, attempt.passkey, { purpose: 'login', browser }))
  if (!proved) {
    const nobody = { userId: null, account: '***', authType: PASSKEY_TYPE, application }
    await recordFailure(ctx, nobody, 'passkey.refused')
    throw errors['sign-in.passkey-refused']()
  }
  const { userId } = proved
  const account = await accountOf(ctx.db, userId)
  const facts = { userId, account, authType: PASSKEY_TYPE, secondFactor: 'passkey' } as const
  return await acceptSignIn(ctx, exchange, { ...facts, rememberMe, warn, application, replaces })
}

/** Offered wherever browsers allow passkeys; who has one, the page doesn't know. */
export const passkeyWay: WayIn = async ({ config }) => ({ passkey: relyingPartyId(config) !== null })
