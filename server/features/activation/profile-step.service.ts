import type { FastifyRequest } from 'fastify'
import type { Activation } from '#shared/contract/activation.ts'
import { TYPED_FIELDS } from '#shared/contract/profile.ts'
import type { Context } from '../../platform/platform.ts'
import { changeAlias, checkNewAlias } from '../account-security/index.ts'
import { assertWellFormed, checkTypedFields, type Filling, writeTypedFields } from '../profile/index.ts'
import { completeStep, requireStep } from './activation.service.ts'
import type { Flow, TypedProfile } from './flows.store.ts'
import type { RequiredFields } from './profile-step.rules.ts'

const toFilling = ({ fields, custom }: RequiredFields, userId: string, typed: TypedProfile): Filling => ({
  userId,
  fields: TYPED_FIELDS.filter((field) => fields.includes(field)),
  custom,
  typed,
})

/**
 * Saves the input until the end of the activation; fields that weren't asked for are dropped.
 * @throws Refusal of `requireStep`, `profile.bad-…`, `account-field.…`, `alias.…`.
 */
export async function fillInProfile(
  ctx: Context,
  request: FastifyRequest,
  { proof, ...typed }: TypedProfile & { proof: string },
): Promise<Activation> {
  const found = await requireStep(ctx, request, proof, 'profile')
  const { missing, flow } = found
  assertWellFormed(ctx, typed)
  await checkTypedFields(ctx, toFilling(missing, flow.userId, typed))
  const isAsked = (field: string) => missing.fields.some((one) => one === field)
  const alias = isAsked('alias') ? await checkNewAlias(ctx, flow.userId, typed.alias ?? '') : undefined
  const kept = Object.entries({ ...typed, alias }).filter(([field, value]) => isAsked(field) && value !== undefined)
  const custom = Object.fromEntries(missing.custom.map(({ key }) => [key, typed.custom?.[key] ?? null]))
  return await completeStep(ctx, found, {
    step: 'profile',
    state: 'done',
    profile: { ...Object.fromEntries(kept), custom },
  })
}

/** Writes the profile in the transaction that completes the activation. @throws Refusal as `fillInProfile`. */
export async function writeProfile(ctx: Context, { userId, profile }: Flow, missing: RequiredFields): Promise<void> {
  if (profile === null) return
  await writeTypedFields(ctx, toFilling(missing, userId, profile))
  if (missing.fields.includes('alias') && profile.alias !== undefined)
    await changeAlias(ctx, { userId, alias: profile.alias, version: undefined, actor: userId })
}
