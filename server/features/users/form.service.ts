import type { createUser, FieldProblem, updateUser } from '#shared/contract/users.ts'
import { errors as platformErrors, type Refusal } from '../../platform/errors.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { issueActivationCode } from '../activation/index.ts'
import { recordAudit } from '../records/index.ts'
import { readDetails } from './details.service.ts'
import { saveUsers } from './save-users.service.ts'
import type { SaveOutcome } from './save-users.types.ts'
import { errors } from './users.errors.ts'

/** What is wrong with the fields of a form, in the shape in which every form is told. */
export const invalid = (ctx: Context, problems: readonly FieldProblem[]): Refusal =>
  platformErrors['request.invalid']({
    data: {
      fields: problems.map(({ field, problem }) => ({
        field,
        reason: ctx.translate(ctx.client.language, `person-problem.${problem}`),
      })),
    },
  })

async function refused(ctx: Context, { code, problems }: SaveOutcome, id?: string): Promise<Refusal> {
  if (code === 'version.conflict' && id) {
    return platformErrors['version.conflict']({ data: { current: await readDetails(ctx, id) } })
  }
  if (code !== null && code in errors) return errors[code as keyof typeof errors]()
  return invalid(ctx, problems)
}

/** @throws Refusal `request.invalid` with the fields. */
export async function createPerson(
  ctx: Context,
  { activate, ...fields }: Input<typeof createUser>['body'],
): Promise<Output<typeof createUser>> {
  const [outcome] = await saveUsers(ctx, [given(fields)], { mode: 'create' })
  if (!outcome || outcome.status === 'refused' || outcome.id === null) throw await refused(ctx, outcome as SaveOutcome)
  const { id } = outcome
  return { id, activation: activate ? await transaction(ctx, (inner) => issueCode(inner, id)) : null }
}

/** Whoever gets the code gets the account: that it was given out has a line of its own, without the code. */
async function issueCode(ctx: Context, id: string) {
  const { code, expiresAt } = await issueActivationCode(ctx, id)
  const after = { validUntil: expiresAt.toISOString() }
  await recordAudit(ctx, { action: 'activation-code.issue', targetKind: 'user', targetId: id, after })
  return { code, expiresAt: expiresAt.toISOString() }
}

/** @throws Refusal `user.not-found`, `request.invalid`, `version.conflict` with how the person stands, `user.last-super-user`. */
export async function updatePerson(ctx: Context, id: string, fields: Input<typeof updateUser>['body']) {
  const [outcome] = await saveUsers(ctx, [given({ ...fields, id, account: '' })], { mode: 'update', tells: true })
  if (!outcome || outcome.status === 'refused') throw await refused(ctx, outcome as SaveOutcome, id)
  return await readDetails(ctx, id)
}

/** Without the keys that are undefined, which mean the same as absent ones. */
const given = <T extends object>(fields: T): { [Key in keyof T]: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
