import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import type { z } from 'zod'
import type { PasskeyPurpose, registerPasskey } from '#shared/contract/second-factors.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { loadSchoolGateway } from '../appearance/index.ts'
import { recordAudit } from '../records/index.ts'
import { browserIdOf, ensureBrowserId } from '../sessions/index.ts'
import { consumeChallenge, createChallenge, requireRelyingPartyId } from './passkey-challenges.service.ts'
import { deletePasskey, insertPasskey, listPasskeys, MAX_PASSKEYS, updatePasskeyName } from './passkeys.store.ts'
import {
  recordAddedFactor,
  recordRemovedFactor,
  requireReauthenticationToAdd,
  requireReauthenticationToChange,
} from './second-factor-changes.service.ts'
import { errors } from './second-factors.errors.ts'
import { findOverview, lockSecondFactors } from './second-factors.store.ts'
import { userHandle } from './verify-passkey.service.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** A challenge for somebody who isn't logged in; sets the browser cookie if there is none. */
export async function createBrowserChallenge(
  ctx: Context,
  { request, reply }: Exchange,
  purpose: z.output<typeof PasskeyPurpose>,
) {
  const rpId = requireRelyingPartyId(ctx)
  const browser = ensureBrowserId(ctx.config, request, reply)
  return { challenge: Buffer.from(createChallenge(ctx, { purpose, browser })).toString('base64url'), rpId }
}

/** EdDSA, ES256, RS256: supported by every authenticator. The library's own list depends on the version of Node. */
const ALGORITHMS = [-8, -7, -257]

/** A challenge and the other options that the browser needs to create a passkey for the caller. */
export async function createRegistrationOptions(ctx: Context, { request, reply }: Exchange) {
  await requireReauthenticationToAdd(ctx)
  const rpID = requireRelyingPartyId(ctx)
  const { userId } = callerOf(ctx)
  const [person, passkeys, { schoolName }] = await Promise.all([
    findOverview(ctx.db, userId),
    listPasskeys(ctx.db, userId),
    loadSchoolGateway(ctx, ctx.client.language),
  ])
  if (!person) throw platformErrors['session.required']()
  if (passkeys.length >= MAX_PASSKEYS) throw errors['passkey.too-many']()
  const browser = ensureBrowserId(ctx.config, request, reply)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: schoolName,
    rpID,
    userID: userHandle(userId),
    userName: person.account,
    userDisplayName: person.name,
    challenge: createChallenge(ctx, { purpose: 'register', browser, userId }),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    // Discoverable if possible, so that it can also be used for logging in without a name.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    timeout: 300_000,
  })
  return { ...options }
}

type RegistrationInput = z.output<(typeof registerPasskey)['body']>

/** @throws Refusal `passkey.refused` for any invalid answer of the authenticator, `passkey.too-many`. */
export async function registerNewPasskey(ctx: Context, { request }: Exchange, { name, response }: RegistrationInput) {
  await requireReauthenticationToAdd(ctx)
  const expectedRPID = requireRelyingPartyId(ctx)
  const { userId } = callerOf(ctx)
  const browser = browserIdOf(ctx.config, request) ?? ''
  const { clientDataJSON, attestationObject, transports = [] } = response.response
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyRegistrationResponse({
    response: { ...response, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
    expectedChallenge: (challenge) => consumeChallenge(ctx, challenge, { purpose: 'register', browser, userId }),
    expectedOrigin: ctx.config.publicUrl,
    expectedRPID,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
    // The library throws a plain Error for each kind of invalid answer.
  }).catch(() => null)
  if (!verified?.verified) throw errors['passkey.refused']()
  const { credential, credentialBackedUp } = verified.registrationInfo
  const recoveryCodes = await transaction(ctx, async (inner) => {
    await lockSecondFactors(inner.db, userId, inner.now())
    if ((await listPasskeys(inner.db, userId)).length >= MAX_PASSKEYS) throw errors['passkey.too-many']()
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
    return await recordAddedFactor(inner, 'passkey', name)
  })
  return { recoveryCodes }
}

export async function renamePasskey(ctx: Context, { id, name }: { id: string; name: string }): Promise<null> {
  const { userId } = callerOf(ctx)
  await transaction(ctx, async (inner) => {
    const before = await updatePasskeyName(inner.db, userId, id, name)
    if (before === null) throw errors['passkey.unknown']()
    if (before === name) return
    const change = { before: { device: before }, after: { device: name } }
    await recordAudit(inner, { action: 'passkey.rename', targetKind: 'user', targetId: userId, ...change })
  })
  return null
}

export async function removePasskey(ctx: Context, id: string): Promise<null> {
  await requireReauthenticationToChange(ctx)
  const { userId } = callerOf(ctx)
  await transaction(ctx, async (inner) => {
    await lockSecondFactors(inner.db, userId, inner.now())
    const name = await deletePasskey(inner.db, userId, id)
    if (name === null) throw errors['passkey.unknown']()
    await recordRemovedFactor(inner, 'passkey', name)
  })
  return null
}
