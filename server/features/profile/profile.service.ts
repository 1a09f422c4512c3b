import type { PersonalData } from '#shared/contract/profile.ts'
import { isBirthday } from '#shared/rules/birthday.ts'
import { nicknameProblem } from '#shared/rules/nickname.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { addressOf, claimAvatar, dropAvatars } from '../files/index.ts'
import { recordAudit } from '../records/index.ts'
import { errors } from './profile.errors.ts'
import { type Editable, findPerson, lockEditable, updateEditable } from './profile.store.ts'

type Own = { id: string; version: number }

/** The same refusal for anybody else, known or not. */
function refuseForeign(ctx: Context, id: string): void {
  if (id !== callerOf(ctx).userId) throw errors['profile.not-yours']()
}

/** @throws Refusal `profile.not-yours`. */
export async function describePerson(ctx: Context, id: string): Promise<PersonalData> {
  refuseForeign(ctx, id)
  const person = await findPerson(ctx.db, id, ctx.client.language)
  if (!person) throw platformErrors['session.required']()
  const { avatarId, ...rest } = person
  return { ...rest, picture: avatarId && addressOf(avatarId) }
}

type Change = {
  action: 'nickname.change' | 'birthday.change' | 'gender.change' | 'avatar.change'
  set: Partial<Editable>
  /** What the audit shows of a state before or after. */
  shown(state: Editable): Record<string, string | null>
  /** Further writes of the same transaction, before and after the one that counts. */
  beforehand?: (ctx: Context) => Promise<void>
  afterwards?: (ctx: Context) => Promise<void>
}

/**
 * Writes one part of one's own personal data with its audit line. What is set already is no change.
 * @throws Refusal `profile.not-yours`, `version.conflict`.
 */
async function changeOwn(ctx: Context, { id, version }: Own, change: Change): Promise<{ version: number }> {
  refuseForeign(ctx, id)
  return await transaction(ctx, async (inner) => {
    const found = await lockEditable(inner.db, id)
    if (!found || found.version !== version) throw platformErrors['version.conflict']()
    const { version: _, ...before } = found
    const after = { ...before, ...change.set }
    if (JSON.stringify(after) === JSON.stringify(before)) return { version }
    await change.beforehand?.(inner)
    await updateEditable(inner.db, id, after, inner.now())
    await change.afterwards?.(inner)
    await recordAudit(inner, {
      action: change.action,
      targetKind: 'user',
      targetId: id,
      before: change.shown(before),
      after: change.shown(after),
    })
    return { version: version + 1 }
  })
}

/** @throws Refusal `profile.bad-nickname` as well. */
export async function setNickname(ctx: Context, { nick, ...own }: Own & { nick: string }) {
  if (nicknameProblem(nick)) throw errors['profile.bad-nickname']()
  return await changeOwn(ctx, own, {
    action: 'nickname.change',
    set: { nickname: nick || null },
    shown: ({ nickname }) => ({ nickname }),
  })
}

/** @throws Refusal `profile.bad-birthday` as well. */
export async function setBirthday(ctx: Context, { birthday, ...own }: Own & { birthday: string | null }) {
  if (birthday !== null && !isBirthday(birthday, ctx.now())) throw errors['profile.bad-birthday']()
  return await changeOwn(ctx, own, {
    action: 'birthday.change',
    set: { birthday },
    // The records are read by more people than the personal data.
    shown: (state) => ({ birthday: state.birthday && `${state.birthday.slice(0, 4)}-**-**` }),
  })
}

export const setGender = (ctx: Context, { gender, ...own }: Own & { gender: Editable['gender'] }) =>
  changeOwn(ctx, own, { action: 'gender.change', set: { gender }, shown: (state) => ({ gender: state.gender }) })

/**
 * Uses an uploaded picture as avatar, or removes it; the file before is deleted with the change.
 * @throws Refusal `file.not-found` as well, when the file isn't the caller's.
 */
export async function setAvatar(
  ctx: Context,
  { fileId, ...own }: Own & { fileId: string | null },
): Promise<{ version: number; picture: string | null }> {
  refuseForeign(ctx, own.id)
  const { version } = await changeOwn(ctx, own, {
    action: 'avatar.change',
    set: { avatarId: fileId },
    // Enough to tell one picture from another: whoever knows the whole id can see it.
    shown: ({ avatarId }) => ({ avatar: avatarId?.slice(0, 8) ?? null }),
    beforehand: async (inner) => {
      if (fileId) await claimAvatar(inner, fileId, own.id)
    },
    afterwards: (inner) => dropAvatars(inner, own.id, fileId),
  })
  return { version, picture: fileId && addressOf(fileId) }
}
