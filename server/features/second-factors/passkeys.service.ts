import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import type { z } from 'zod'
import type { PasskeyPurpose, registerPasskey } from '#shared/contract/second-factors.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { schoolGateway } from '../appearance/index.ts'
import { recordAudit } from '../records/index.ts'
import { bindBrowser, browserOf } from '../sessions/index.ts'
import { beforeAdding, beforeChanging, noteAdded, noteRemoved } from './changes.ts'
import { demandRelyingPartyId, newChallenge, takeChallenge } from './passkeys.challenge.ts'
import { deletePasskey, insertPasskey, MOST_PASSKEYS, passkeysOf, setPasskeyName } from './passkeys.store.ts'
import { userHandle } from './passkeys.verify.ts'
import { errors } from './second-factors.errors.ts'
import { findOverview, lockSecondFactors } from './second-factors.store.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** A challenge for somebody who isn't logged in; their browser gets its cookie when it has none. */
export async function challengeForBrowser(
  ctx: Context,
  { request, reply }: Exchange,
  purpose: z.output<typeof PasskeyPurpose>,
) {
  const rpId = demandRelyingPartyId(ctx)
  const browser = bindBrowser(ctx.config, request, reply)
  return { challenge: Buffer.from(newChallenge(ctx, { purpose, browser })).toString('base64url'), rpId }
}

/** EdDSA, ES256, RS256: what every authenticator has. The library's own list depends on the version of Node. */
const ALGORITHMS = [-8, -7, -257]

/** A challenge and all else that the browser must know to make a passkey for the caller. */
export async function registrationOptions(ctx: Context, { request, reply }: Exchange) {
  await beforeAdding(ctx)
  const rpID = demandRelyingPartyId(ctx)
  const { userId } = callerOf(ctx)
  const [person, passkeys, { schoolName }] = await Promise.all([
    findOverview(ctx.db, userId, ctx.now()),
    passkeysOf(ctx.db, userId),
    schoolGateway(ctx, ctx.client.language),
  ])
  if (!person) throw platformErrors['session.required']()
  if (passkeys.length >= MOST_PASSKEYS) throw errors['passkey.too-many']()
  const browser = bindBrowser(ctx.config, request, reply)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: schoolName,
    rpID,
    userID: userHandle(userId),
    userName: person.account,
    userDisplayName: person.name,
    challenge: newChallenge(ctx, { purpose: 'register', browser, userId }),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    // Discoverable where it can be, so that it also serves for logging in without a name.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    timeout: 300_000,
  })
  return { ...options }
}

type Registration = z.output<(typeof registerPasskey)['body']>

/** @throws Refusal `passkey.refused` for whatever the authenticator's answer lacks, `passkey.too-many`. */
export async function register(ctx: Context, { request }: Exchange, { name, response }: Registration) {
  await beforeAdding(ctx)
  const expectedRPID = demandRelyingPartyId(ctx)
  const { userId } = callerOf(ctx)
  const browser = browserOf(ctx.config, request) ?? ''
  const { clientDataJSON, attestationObject, transports = [] } = response.response
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyRegistrationResponse({
    response: { ...response, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
    expectedChallenge: (challenge) => takeChallenge(ctx, challenge, { purpose: 'register', browser, userId }),
    expectedOrigin: ctx.config.publicUrl,
    expectedRPID,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
    // It throws a plain Error for each way in which an answer can be wrong.
  }).catch(() => null)
  if (!verified?.verified) throw errors['passkey.refused']()
  const { credential, credentialBackedUp } = verified.registrationInfo
  const recoveryCodes = await transaction(ctx, async (inner) => {
    await lockSecondFactors(inner.db, userId, inner.now())
    if ((await passkeysOf(inner.db, userId)).length >= MOST_PASSKEYS) throw errors['passkey.too-many']()
    const saved = await insertPasskey(inner.db, {
      id: v7(),
      userId,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports,
      backedUp: credentialBackedUp,
      name,
      createdAt: inner.now(),
    })
    if (!saved) throw errors['passkey.refused']()
    return await noteAdded(inner, 'passkey', name)
  })
  return { recoveryCodes }
}

export async function renamePasskey(ctx: Context, { id, name }: { id: string; name: string }): Promise<null> {
  const { userId } = callerOf(ctx)
  await transaction(ctx, async (inner) => {
    const before = await setPasskeyName(inner.db, userId, id, name)
    if (before === null) throw errors['passkey.unknown']()
    if (before === name) return
    const change = { before: { device: before }, after: { device: name } }
    await recordAudit(inner, { action: 'passkey.rename', targetKind: 'user', targetId: userId, ...change })
  })
  return null
}

export async function removePasskey(ctx: Context, id: string): Promise<null> {
  await beforeChanging(ctx)
  const { userId } = callerOf(ctx)
  await transaction(ctx, async (inner) => {
    await lockSecondFactors(inner.db, userId, inner.now())
    const name = await deletePasskey(inner.db, userId, id)
    if (name === null) throw errors['passkey.unknown']()
    await noteRemoved(inner, 'passkey', name)
  })
  return null
}
