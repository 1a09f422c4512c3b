import type { CustomField } from '#shared/contract/custom-fields.ts'
import { customName } from '#shared/contract/field-rules.ts'
import type { TYPED_FIELDS, TypedFields } from '#shared/contract/profile.ts'
import { isBirthday } from '#shared/rules/birthday.ts'
import { nicknameProblem } from '#shared/rules/nickname.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { customAuditValues, requireOwnCustomEdit, requireOwnEdit, uniqueFields } from '../account-fields/index.ts'
import { recordAudit } from '../records/index.ts'
import { lockUniqueFields, setCustomValues, setIdNumber, updateProfile } from '../user-accounts/index.ts'
import { findCompletion } from './completion.store.ts'
import { errors } from './profile.errors.ts'

export type TypedField = (typeof TYPED_FIELDS)[number]
/** The fields somebody has to fill in, and their input. */
export type Filling = {
  userId: string
  fields: readonly TypedField[]
  custom: readonly CustomField[]
  typed: TypedFields
}

/** @throws Refusal `profile.bad-nickname|bad-birthday|bad-id-number`: `data.fields` names the field. */
export function assertWellFormed(ctx: Context, { nickname, birthday, idNumber }: TypedFields): void {
  const refuse = (code: keyof typeof errors, field: TypedField) => errors[code]({ data: { fields: [field] } })
  if (nickname !== undefined && (nickname === '' || nicknameProblem(nickname)))
    throw refuse('profile.bad-nickname', 'nickname')
  if (birthday !== undefined && !isBirthday(birthday, ctx.now())) throw refuse('profile.bad-birthday', 'birthday')
  if (idNumber === '') throw refuse('profile.bad-id-number', 'idNumber')
}

/** Validates the input by the rules of its fields. @throws Refusal `account-field.…`: `data.fields` names the field. */
export async function checkTypedFields(ctx: Context, filling: Filling): Promise<void> {
  const { userId, fields, typed } = filling
  for (const field of fields) await requireOwnEdit(ctx, field, typed[field] ?? null, userId)
  await readCustomValues(ctx, filling)
}

/**
 * Fills in these fields, in the caller's transaction; the version is raised once.
 * @throws Refusal as `checkTypedFields`.
 */
export async function writeTypedFields(ctx: Context, filling: Filling): Promise<void> {
  const { userId, fields, custom, typed } = filling
  const row = await findCompletion(ctx.db, userId, { isLocked: true })
  if (!row) throw platformErrors['session.required']()
  const filled = new Set<string>([...fields, ...custom.map(({ key }) => customName(key))])
  // Locked together, in the same order as every other writer: one by one could deadlock.
  await lockUniqueFields(
    ctx.db,
    (await uniqueFields(ctx)).filter((field) => filled.has(field)),
  )
  for (const field of fields) await requireOwnEdit(ctx, field, typed[field] ?? null, userId)
  const values = await readCustomValues(ctx, filling)
  const { nickname, gender, birthday, avatarId } = row
  const set = Object.fromEntries(fields.map((field) => [field, typed[field]]))
  await updateProfile(ctx.db, userId, { nickname, gender, birthday, avatarId, ...set }, ctx.now())
  if (fields.includes('idNumber')) await setIdNumber(ctx, userId, typed.idNumber ?? '')
  if (custom.length > 0) await setCustomValues(ctx.db, userId, values)
  const line = { actor: userId, targetKind: 'user', targetId: userId } as const
  for (const field of fields) await recordAudit(ctx, { ...auditLine(field, typed), ...line })
  for (const field of custom) {
    const auditValues = customAuditValues(field, null, values[field.key] ?? null)
    await recordAudit(ctx, { action: 'custom-field.change', ...line, ...auditValues })
  }
}

async function readCustomValues(ctx: Context, { userId, custom, typed }: Filling) {
  const values: Record<string, string | null> = {}
  for (const field of custom) {
    const text = typed.custom?.[field.key] ?? null
    // A requested field can't be left empty.
    values[field.key] = await requireOwnCustomEdit(ctx, { ...field, required: 'always' }, { userId, text })
  }
  return values
}

/** Recorded like the same change elsewhere: the birthday without its day, of an ID number only that there is one. */
function auditLine(field: TypedField, { nickname, gender, birthday = '' }: TypedFields) {
  const lines = {
    nickname: { action: 'nickname.change', before: { nickname: null }, after: { nickname } },
    gender: { action: 'gender.change', before: { gender: 'unknown' }, after: { gender } },
    birthday: {
      action: 'birthday.change',
      before: { birthday: null },
      after: { birthday: `${birthday.slice(0, 4)}-**-**` },
    },
    idNumber: { action: 'id-number.change' },
  } as const
  return lines[field]
}
