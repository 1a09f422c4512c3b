import type { CustomField } from '#shared/contract/custom-fields.ts'
import { customName } from '#shared/contract/field-rules.ts'
import { type completeProfile, type ProfileCompletion, TYPED_FIELDS } from '#shared/contract/profile.ts'
import { isBirthday } from '#shared/rules/birthday.ts'
import { nicknameProblem } from '#shared/rules/nickname.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { isRequiredAfterLogin, REQUIRABLE_FIELDS, type RequiredField } from '../access/index.ts'
import {
  accountFieldRules,
  customAuditValues,
  customFields,
  customLabel,
  expectedFormat,
  requireOwnCustomEdit,
  requireOwnEdit,
  showCustomFields,
} from '../account-fields/index.ts'
import { fileUrl } from '../files/index.ts'
import { recordAudit } from '../records/index.ts'
import { loadDoor } from '../sessions/index.ts'
import { setCustomValues, setIdNumber, updateProfile } from '../user-accounts/index.ts'
import { type CompletionRow, findCompletion } from './completion.store.ts'
import { errors } from './profile.errors.ts'

type Typed = Input<typeof completeProfile>['body']
type TypedField = (typeof TYPED_FIELDS)[number]

/** Required fields that the caller lacks: what they fill in, and what somebody else has to. */
export async function describeCompletion(ctx: Context): Promise<ProfileCompletion> {
  const { userId } = callerOf(ctx)
  const row = await findCompletion(ctx.db, userId)
  if (!row) throw platformErrors['session.required']()
  const rules = await accountFieldRules(ctx)
  const asked = await requiredFields(ctx)
  const lacked = REQUIRABLE_FIELDS.filter((field) => row.lacked.includes(field) && isRequiredAfterLogin(rules, field))
  const custom = await lackedCustomFields(ctx, row)
  const isAsked = ({ key }: CustomField) => asked.includes(customName(key))
  return {
    userId,
    name: row.name,
    nick: row.nickname,
    picture: row.avatarId && fileUrl(row.avatarId),
    version: row.version,
    missing: lacked
      .filter((field) => asked.includes(field))
      .map((field) => ({
        field,
        expected: expectedFormat(ctx, rules[field].format),
      })),
    missingCustom: showCustomFields(ctx, custom.filter(isAsked)),
    leftToOthers: lacked.filter((field) => !asked.includes(field)),
    customLeftToOthers: custom
      .filter((field) => !isAsked(field))
      .map((field) => customLabel(field, ctx.client.language)),
  }
}

const lackedCustomFields = async (ctx: Context, { customValues }: CompletionRow): Promise<CustomField[]> =>
  (await customFields(ctx)).filter(({ key, required }) => required !== 'never' && customValues?.[key] === undefined)

const requiredFields = async (ctx: Context): Promise<readonly RequiredField[]> =>
  (await loadDoor(ctx)).rules.requiredFields

/**
 * Fills in what the caller lacks. What is on file by now, or not required any more, stays as it is: another window or an
 * administrator was quicker, and nobody is kept here by that.
 * @throws Refusal `profile.bad-nickname|bad-birthday|bad-id-number`, `account-field.…`: `data.fields` names the field.
 */
export async function saveCompletion(ctx: Context, typed: Typed): Promise<ProfileCompletion> {
  const { userId } = callerOf(ctx)
  assertWellFormed(ctx, typed)
  const asked = await requiredFields(ctx)
  await transaction(ctx, async (inner) => {
    const row = await findCompletion(inner.db, userId, { isLocked: true })
    if (!row) throw platformErrors['session.required']()
    const isTaken = (field: TypedField) =>
      typed[field] !== undefined && asked.includes(field) && row.lacked.includes(field)
    const taken = TYPED_FIELDS.filter(isTaken)
    const custom = (await lackedCustomFields(inner, row)).filter(
      ({ key }) => typed.custom?.[key] !== undefined && asked.includes(customName(key)),
    )
    if (taken.length + custom.length === 0) return
    for (const field of taken) await requireOwnEdit(inner, field, typed[field] ?? null)
    await writeTyped(inner, { userId, row, taken, typed })
    await writeCustom(inner, { userId, custom, typed })
  })
  return await describeCompletion(ctx)
}

type Writing = { userId: string; typed: Typed }

/** Raises the version for both. */
async function writeTyped(
  ctx: Context,
  { userId, row, taken, typed }: Writing & { row: CompletionRow; taken: readonly TypedField[] },
): Promise<void> {
  const { nickname, gender, birthday, avatarId } = row
  const set = Object.fromEntries(taken.map((field) => [field, typed[field]]))
  await updateProfile(ctx.db, userId, { nickname, gender, birthday, avatarId, ...set }, ctx.now())
  if (taken.includes('idNumber')) await setIdNumber(ctx.db, userId, ctx.secrets.seal(typed.idNumber ?? ''))
  for (const field of taken)
    await recordAudit(ctx, { ...auditLine(field, typed), targetKind: 'user', targetId: userId })
}

async function writeCustom(
  ctx: Context,
  { userId, custom, typed }: Writing & { custom: readonly CustomField[] },
): Promise<void> {
  for (const field of custom) {
    const text = typed.custom?.[field.key] ?? null
    // What is asked for here can't be left empty.
    const value = await requireOwnCustomEdit(ctx, { ...field, required: 'always' }, { userId, text })
    await setCustomValues(ctx.db, userId, { [field.key]: value })
    const told = customAuditValues(field, null, value)
    await recordAudit(ctx, { action: 'custom-field.change', targetKind: 'user', targetId: userId, ...told })
  }
}

function assertWellFormed(ctx: Context, { nickname, birthday, idNumber }: Typed): void {
  const refuse = (code: keyof typeof errors, field: TypedField) => errors[code]({ data: { fields: [field] } })
  if (nickname !== undefined && (nickname === '' || nicknameProblem(nickname)))
    throw refuse('profile.bad-nickname', 'nickname')
  if (birthday !== undefined && !isBirthday(birthday, ctx.now())) throw refuse('profile.bad-birthday', 'birthday')
  if (idNumber === '') throw refuse('profile.bad-id-number', 'idNumber')
}

/** As a change of the same field is told elsewhere: the birthday without its day, of a number that there is one. */
function auditLine(field: TypedField, { nickname, gender, birthday = '' }: Typed) {
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
