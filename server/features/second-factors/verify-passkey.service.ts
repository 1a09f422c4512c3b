import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { AuthenticationResponse } from '#shared/contract/second-factors.ts'
import type { Context } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { type ChallengeBinding, consumeChallenge, relyingPartyId } from './passkey-challenges.service.ts'
import { findPasskey, type PasskeyRow, updatePasskeyCounter } from './passkeys.store.ts'

export type VerifiedPasskey = {
  userId: string
  /** The authenticator has verified the user, by fingerprint, face or PIN: two factors at once. */
  userVerified: boolean
}

/**
 * Verifies an authenticator's answer. The challenge is consumed in any case.
 * @param answer JSON, as browsers serialise `AuthenticationResponseJSON`.
 * @param owner accept only a passkey of this person.
 * @returns null if it proves nothing.
 */
export async function verifyPasskey(
  ctx: Context,
  answer: string,
  binding: ChallengeBinding,
  owner?: string,
): Promise<VerifiedPasskey | null> {
  const rpId = relyingPartyId(ctx.config)
  const response = parseAnswer(answer)
  if (rpId === null || !response) return null
  const passkey = await findPasskey(ctx.db, response.id)
  if (!passkey || (owner !== undefined && passkey.userId !== owner)) return null
  if (!isOwnedBy(response, passkey)) return null
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyAuthenticationResponse({
    response: toJson(response),
    expectedChallenge: (challenge) => consumeChallenge(ctx, challenge, binding),
    expectedOrigin: ctx.config.publicUrl,
    expectedRPID: rpId,
    // The counter is checked below, where a failure can be recorded.
    credential: { id: passkey.credentialId, publicKey: Uint8Array.from(passkey.publicKey), counter: 0 },
    requireUserVerification: binding.purpose === 'login',
    // The library throws a plain Error for each kind of invalid answer.
  }).catch(() => null)
  if (!verified?.verified) return null
  const { newCounter, credentialBackedUp, userVerified } = verified.authenticationInfo
  if (!(await updatePasskeyCounter(ctx.db, passkey.id, newCounter, credentialBackedUp, ctx.now()))) {
    const { userId, name, counter } = passkey
    const seen = { action: 'passkey.counter-went-back', targetKind: 'user', targetId: userId, actor: userId }
    await recordAudit(ctx, { ...seen, before: { passkey: name, counter }, after: { counter: newCounter } })
    return null
  }
  return { userId: passkey.userId, userVerified }
}

function parseAnswer(answer: string): AuthenticationResponse | null {
  try {
    return AuthenticationResponse.parse(JSON.parse(answer))
  } catch {
    return null
  }
}

/** An authenticator that names its user must name the owner of the passkey. */
const isOwnedBy = ({ response }: AuthenticationResponse, { userId }: PasskeyRow): boolean =>
  !response.userHandle || Buffer.from(response.userHandle, 'base64url').equals(userHandle(userId))

/** What an authenticator stores about the person: an opaque id. */
export const userHandle = (userId: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(userId.replaceAll('-', ''), 'hex'))

const toJson = ({ id, rawId, type, response }: AuthenticationResponse): AuthenticationResponseJSON => ({
  id,
  rawId,
  type,
  clientExtensionResults: {},
  response: {
    clientDataJSON: response.clientDataJSON,
    authenticatorData: response.authenticatorData,
    signature: response.signature,
    ...(response.userHandle && { userHandle: response.userHandle }),
  },
})
