import type { PasskeySignInForm } from '#shared/contract/sign-in.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import type { LoginOptionsProvider } from '../appearance/index.ts'
import { relyingPartyId, verifyPasskey } from '../second-factors/index.ts'
import { browserIdOf, type SsoSession } from '../sessions/index.ts'
import type { LoginTarget } from './login-attempt.types.ts'
import { recordFailure } from './login-failures.service.ts'
import { signInUser } from './login-session.service.ts'
import { errors } from './sign-in.errors.ts'

const PASSKEY_AUTH_TYPE = 'passkey'

/**
 * Logs a person in with a passkey alone. Its authenticator has verified the user, so no second factor is asked for.
 * @throws Refusal `sign-in.passkey-refused` for anything that doesn't verify, or those of `openLoginSession`.
 */
export async function signInByPasskey(
  ctx: Context,
  exchange: Exchange,
  { passkey, rememberMe, warn }: PasskeySignInForm,
  target: LoginTarget,
): Promise<SsoSession> {
  const attempt = { ...target, authType: PASSKEY_AUTH_TYPE, rememberMe, warn }
  const browser = browserIdOf(ctx.config, exchange.request)
  const verified = browser && (await verifyPasskey(ctx, passkey, { purpose: 'login', browser }))
  if (!verified) {
    await recordFailure(ctx, { ...attempt, userId: null, account: '***' }, 'passkey.refused')
    throw errors['sign-in.passkey-refused']()
  }
  return await signInUser(ctx, exchange, { ...attempt, userId: verified.userId, secondFactor: 'passkey' })
}

/** Offered wherever browsers support passkeys; the page can't know who has one. */
export const passkeyLoginOption: LoginOptionsProvider = async ({ config }) => ({
  passkey: relyingPartyId(config) !== null,
})
