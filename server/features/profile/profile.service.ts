import type { AccountField } from '#shared/contract/account-fields.ts'
import type { PersonalData } from '#shared/contract/profile.ts'
import { isBirthday } from '#shared/rules/birthday.ts'
import { nicknameProblem } from '#shared/rules/nickname.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { inScope } from '../access/index.ts'
import { ownFields, requireOwnEdit } from '../account-fields/index.ts'
import { claimAvatar, deleteOtherAvatars, fileUrl } from '../files/index.ts'
import { recordAudit } from '../records/index.ts'
import { type Profile, updateProfile } from '../user-accounts/index.ts'
import { saveOwnCustomField, shownCustomValues } from './custom-fields.service.ts'
import { errors } from './profile.errors.ts'
import { findPersonalData, lockProfile } from './profile.store.ts'

type ProfileVersion = { id: string; version: number }

/** The same error for anybody else, known or not. */
function requireSelf(ctx: Context, id: string): void {
  if (id !== callerOf(ctx).userId) throw errors['profile.not-yours']()
}

/**
 * The caller's own personal data, or that of a person whom they administer; an organisation outside their scope without its name.
 * @throws Refusal `profile.not-yours` for anybody else, known or not.
 */
export async function getPersonalData(ctx: Context, id: string): Promise<PersonalData> {
  const { db } = ctx
  const isOwn = db`u.id = ${callerOf(ctx).userId}`
  const person = await findPersonalData(db, id, ctx.client.language, {
    person: db`(${isOwn} or ${inScope(ctx, db`u.organization_id`)})`,
    organization: db`(${isOwn} or ${inScope(ctx, db`a.id`)})`,
  })
  if (!person) throw errors['profile.not-yours']()
  const { avatarId, customValues, ...rest } = person
  const fields = await ownFields(ctx)
  const isSelf = id === callerOf(ctx).userId
  const hidden = isSelf ? fields.hidden : []
  return {
    ...rest,
    ...(hidden.includes('gender') && { gender: 'unknown' as const }),
    ...(hidden.includes('birthday') && { birthday: null }),
    picture: avatarId && fileUrl(avatarId),
    fields,
    custom: await shownCustomValues(ctx, customValues, isSelf),
  }
}

/** @throws Refusal `profile.not-yours`, `version.conflict`, `account-field.…`. */
export async function setCustomField(
  ctx: Context,
  { id, ...change }: ProfileVersion & { key: string; value: string | null },
) {
  requireSelf(ctx, id)
  return await saveOwnCustomField(ctx, id, change)
}

type ProfileChange = {
  field: AccountField
  value: string | null
  action: 'nickname.change' | 'birthday.change' | 'gender.change' | 'avatar.change'
  set: Partial<Profile>
  /** The state before or after, as it is recorded in the audit. */
  toAuditValues(state: Profile): Record<string, string | null>
  /** Further writes of the same transaction, before and after the main one. */
  beforeUpdate?: (ctx: Context) => Promise<void>
  afterUpdate?: (ctx: Context) => Promise<void>
}

/**
 * Writes one part of the caller's own personal data with its audit record. Writing the current value is no change.
 * @throws Refusal `profile.not-yours`, `version.conflict`, `account-field.…`.
 */
async function updateOwnProfile(
  ctx: Context,
  { id, version }: ProfileVersion,
  change: ProfileChange,
): Promise<{ version: number }> {
  requireSelf(ctx, id)
  return await transaction(ctx, async (inner) => {
    const found = await lockProfile(inner.db, id)
    if (!found || found.version !== version) throw platformErrors['version.conflict']()
    const { version: _, ...before } = found
    const after = { ...before, ...change.set }
    if (JSON.stringify(after) === JSON.stringify(before)) return { version }
    await requireOwnEdit(inner, change.field, change.value)
    await change.beforeUpdate?.(inner)
    await updateProfile(inner.db, id, after, inner.now())
    await change.afterUpdate?.(inner)
    await recordAudit(inner, {
      action: change.action,
      targetKind: 'user',
      targetId: id,
      before: change.toAuditValues(before),
      after: change.toAuditValues(after),
    })
    return { version: version + 1 }
  })
}

/** @throws Refusal `profile.bad-nickname` as well. */
export async function setNickname(ctx: Context, { nick, ...own }: ProfileVersion & { nick: string }) {
  if (nicknameProblem(nick)) throw errors['profile.bad-nickname']()
  return await updateOwnProfile(ctx, own, {
    field: 'nickname',
    value: nick,
    action: 'nickname.change',
    set: { nickname: nick || null },
    toAuditValues: ({ nickname }) => ({ nickname }),
  })
}

/** @throws Refusal `profile.bad-birthday` as well. */
export async function setBirthday(ctx: Context, { birthday, ...own }: ProfileVersion & { birthday: string | null }) {
  if (birthday !== null && !isBirthday(birthday, ctx.now())) throw errors['profile.bad-birthday']()
  return await updateOwnProfile(ctx, own, {
    field: 'birthday',
    value: birthday,
    action: 'birthday.change',
    set: { birthday },
    // More people may read the audit records than the personal data.
    toAuditValues: (state) => ({ birthday: state.birthday && `${state.birthday.slice(0, 4)}-**-**` }),
  })
}

export const setGender = (ctx: Context, { gender, ...own }: ProfileVersion & { gender: Profile['gender'] }) =>
  updateOwnProfile(ctx, own, {
    field: 'gender',
    value: gender,
    action: 'gender.change',
    set: { gender },
    toAuditValues: (state) => ({ gender: state.gender }),
  })

/**
 * Sets an uploaded picture as avatar, or removes it; the previous file is deleted with the change.
 * @throws Refusal `file.not-found` as well, if the file isn't the caller's.
 */
export async function setAvatar(
  ctx: Context,
  { fileId, ...own }: ProfileVersion & { fileId: string | null },
): Promise<{ version: number; picture: string | null }> {
  requireSelf(ctx, own.id)
  const { version } = await updateOwnProfile(ctx, own, {
    field: 'avatar',
    value: fileId,
    action: 'avatar.change',
    set: { avatarId: fileId },
    // Enough to distinguish pictures: whoever knows the whole id can see it.
    toAuditValues: ({ avatarId }) => ({ avatar: avatarId?.slice(0, 8) ?? null }),
    beforeUpdate: async (inner) => {
      if (fileId) await claimAvatar(inner, fileId, own.id)
    },
    afterUpdate: (inner) => deleteOtherAvatars(inner, own.id, fileId),
  })
  return { version, picture: fileId && fileUrl(fileId) }
}
