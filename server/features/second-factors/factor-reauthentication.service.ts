import { type Context, callerOf } from '../../platform/platform.ts'
import type { ReauthenticationHandler } from '../reauthentication/index.ts'
import { type ChallengeBinding, createChallenge, relyingPartyId } from './passkey-challenges.service.ts'
import { listPasskeys } from './passkeys.store.ts'
import { errors } from './second-factors.errors.ts'
import { findOverview } from './second-factors.store.ts'
import { parseTotpCode } from './totp.rules.ts'
import { verifyTypedFactor } from './verify-factor.service.ts'
import { verifyPasskey } from './verify-passkey.service.ts'

/** The app, sharing the counter of the login: a second counter would double the guesses. */
const totpMethod: ReauthenticationHandler = {
  name: 'totp',
  hint: async (ctx, { userId }) => ((await findOverview(ctx.db, userId))?.totpSince ? '' : null),
  async verify(ctx, { userId }, answer) {
    const outcome = parseTotpCode(answer) === null ? 'wrong' : await verifyTypedFactor(ctx, userId, answer)
    if (outcome === 'totp') return
    if (typeof outcome === 'string') throw errors['second-factor.code-wrong']()
    throw errors['second-factor.too-many-attempts'](outcome.blocked)
  },
}

/** A challenge is bound to the portal session instead of the browser. */
const reauthenticationBinding = (ctx: Context, userId: string): ChallengeBinding => ({
  purpose: 'reauthentication',
  browser: callerOf(ctx).sessionId,
  userId,
})

const passkeyMethod: ReauthenticationHandler = {
  name: 'passkey',
  async hint(ctx, { userId }) {
    if (relyingPartyId(ctx.config) === null) return null
    return (await listPasskeys(ctx.db, userId)).length > 0 ? '' : null
  },
  async begin(ctx, { userId }) {
    const passkeys = await listPasskeys(ctx.db, userId)
    const options = {
      challenge: Buffer.from(createChallenge(ctx, reauthenticationBinding(ctx, userId))).toString('base64url'),
      rpId: relyingPartyId(ctx.config),
      allowCredentials: passkeys.map(({ credentialId, transports }) => ({
        id: credentialId,
        type: 'public-key',
        transports,
      })),
      userVerification: 'preferred',
      timeout: 240_000,
    }
    return { secondsLeft: 0, options }
  },
  async verify(ctx, { userId }, answer) {
    if (!(await verifyPasskey(ctx, answer, reauthenticationBinding(ctx, userId), userId)))
      throw errors['passkey.refused']()
  },
}

/** The methods of reauthentication that second factors add. */
export const factorReauthentication: readonly ReauthenticationHandler[] = [totpMethod, passkeyMethod]
