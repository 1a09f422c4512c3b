import type { CustomValues } from '#shared/contract/custom-fields.ts'
import { customName, isCustomName } from '#shared/contract/field-rules.ts'
import type { createUser, FieldProblem, updateUser } from '#shared/contract/users.ts'
import { errors as platformErrors, type Refusal } from '../../platform/errors.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { customFields, customLabel } from '../account-fields/index.ts'
import { issueActivationCode } from '../activation/index.ts'
import { getPersonDetails } from '../people-list/index.ts'
import { recordAudit } from '../records/index.ts'
import { userErrors as errors } from '../user-accounts/index.ts'
import { saveUsers } from './save-users.service.ts'
import type { PersonFields, SaveOutcome } from './save-users.types.ts'

/** The error for these fields: a gain is about the caller's permissions, everything else about the input. */
export const problemCode = (problems: readonly FieldProblem[]) =>
  problems.length > 0 && problems.every(({ problem }) => problem === 'gains') ? 'user.gains' : 'request.invalid'

const describeProblem = ({ client, translate }: Context, { field, problem, params }: FieldProblem) => ({
  label: isCustomName(field) ? field : translate(client.language, `person-field.${field}`),
  reason: translate(client.language, `person-problem.${problem}`, params),
})

/** The problems of these fields as text. */
export const problemReason = (ctx: Context, problems: readonly FieldProblem[]): string =>
  problems
    .map((problem) => describeProblem(ctx, problem))
    .map(({ label, reason }) => ctx.translate(ctx.client.language, 'person.field-problem', { field: label, reason }))
    .join(' ')

/** The problems of a form's fields, in the shape that all forms use. */
async function invalidRefusal(ctx: Context, problems: readonly FieldProblem[]): Promise<Refusal> {
  const fields = problems.map((problem) => ({ field: problem.field, reason: describeProblem(ctx, problem).reason }))
  const custom = await customFields(ctx)
  const labelOf = (problem: FieldProblem): string => {
    const own = custom.find(({ key }) => customName(key) === problem.field)
    return own ? customLabel(own, ctx.client.language) : describeProblem(ctx, problem).label
  }
  const data = { fields }
  const [first] = problems
  if (problemCode(problems) === 'user.gains') {
    const things = [...new Set(problems.map(({ params }) => params?.['things'] ?? ''))]
    const separator = ctx.translate(ctx.client.language, 'list.separator')
    return errors['user.gains']({ params: { things: things.join(separator) }, data })
  }
  const params = first ? { field: labelOf(first), reason: describeProblem(ctx, first).reason } : {}
  return platformErrors['request.invalid']({ params, data })
}

async function toRefusal(ctx: Context, { code, problems }: SaveOutcome, id?: string): Promise<Refusal> {
  if (code === 'version.conflict' && id) {
    return platformErrors['version.conflict']({ data: { current: await getPersonDetails(ctx, id) } })
  }
  if (code !== null && code in errors) return errors[code as keyof typeof errors]()
  return await invalidRefusal(ctx, problems)
}

/** Moves the custom fields beside the others. */
const withFlatValues = <T extends { custom?: CustomValues | undefined }>({ custom, ...fields }: T) => ({
  ...fields,
  ...(Object.fromEntries(Object.entries(custom ?? {}).map(([key, value]) => [customName(key), value])) as PersonFields),
})

/** @throws Refusal `request.invalid`, `user.gains`, each with the fields. */
export async function createPerson(
  ctx: Context,
  { activate, ...fields }: Input<typeof createUser>['body'],
): Promise<Output<typeof createUser>> {
  const [outcome] = await saveUsers(ctx, [omitUndefined(withFlatValues(fields))], { mode: 'create' })
  if (!outcome || outcome.status === 'refused' || outcome.id === null)
    throw await toRefusal(ctx, outcome as SaveOutcome)
  const { id } = outcome
  return { id, activation: activate ? await transaction(ctx, (inner) => issueAuditedCode(inner, id)) : null }
}

/** Whoever gets the code gets the account: issuing it has an audit record of its own, without the code. */
async function issueAuditedCode(ctx: Context, id: string) {
  const { code, expiresAt } = await issueActivationCode(ctx, id)
  const after = { validUntil: expiresAt.toISOString() }
  await recordAudit(ctx, { action: 'activation-code.issue', targetKind: 'user', targetId: id, after })
  return { code, expiresAt: expiresAt.toISOString() }
}

/**
 * @throws Refusal `user.not-found`, `request.invalid`, `user.gains`, `version.conflict` with the current person, `user.last-super-user`.
 */
export async function updatePerson(ctx: Context, id: string, fields: Input<typeof updateUser>['body']) {
  const [outcome] = await saveUsers(ctx, [omitUndefined({ ...withFlatValues(fields), id, account: '' })], {
    mode: 'update',
    notify: true,
  })
  if (!outcome || outcome.status === 'refused') throw await toRefusal(ctx, outcome as SaveOutcome, id)
  return await getPersonDetails(ctx, id)
}

/** Without the keys that are undefined, which mean the same as absent ones. */
const omitUndefined = <T extends object>(fields: T): { [Key in keyof T]: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
