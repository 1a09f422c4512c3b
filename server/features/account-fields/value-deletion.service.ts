import type { CustomField } from '#shared/contract/custom-fields.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { lockSettingsDocument } from '../../platform/settings.ts'
import { defineTask, type RunningTask, startTask } from '../background-tasks/index.ts'
import { recordAudit } from '../records/index.ts'
import { editSettings } from '../settings/index.ts'
import { countCustomValues, deleteCustomValues } from '../user-accounts/index.ts'
import { errors } from './account-fields.errors.ts'
import { describeFieldRules, FIELD_RULES_DOCUMENT, fieldRulesForWrite } from './account-fields.service.ts'

type Input = { key: string }
type Tally = { deleted: number }

/** People per transaction, each with its mark. */
const STEP = 5000
const EVERYBODY = 1_000_000_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

const findRemoved = async (ctx: Context, key: string): Promise<CustomField | undefined> =>
  (await describeFieldRules(ctx)).values.custom?.find((field) => field.key === key && field.isRemoved)

/**
 * Starts deleting the values of a removed field. One audit record says who did it and for how many people; the values were already hidden,
 * so nobody’s account history changes.
 * @throws Refusal `account-fields.custom-not-removed`.
 */
export async function startDeletingValues(ctx: Context, key: string): Promise<{ taskId: string }> {
  return await transaction(ctx, async (inner) => {
    const field = await findRemoved(inner, key)
    if (!field) throw errors['account-fields.custom-not-removed']()
    const people = await countCustomValues(inner.db, { key, most: EVERYBODY })
    const input: Input = { key }
    const taskId = await startTask(inner, { kind: 'custom-field.delete-values', input, total: people })
    const before = { field: field.name, people }
    await recordAudit(inner, {
      action: 'custom-field.delete-values',
      targetKind: 'task',
      targetId: taskId,
      before,
    })
    return { taskId }
  })
}

/** Deletes in steps until no value is left, then the field itself. If the field is restored meanwhile, the remaining values stay. */
async function deleteValues(ctx: Context, task: RunningTask): Promise<Tally> {
  const { key } = task.input as Input
  let after: string | null = BEFORE_ALL
  let { done } = task
  while (after !== null && !task.cancelled()) {
    const from: string = after
    const step = await transaction(ctx, async (inner) => {
      await fieldRulesForWrite(inner.db)
      if (!(await findRemoved(inner, key))) throw errors['account-fields.custom-not-removed']()
      const { last, deleted } = await deleteCustomValues(inner.db, { key, after: from, most: STEP })
      await task.progress(done + deleted, inner.db)
      return { last, deleted }
    })
    done += step.deleted
    after = step.last
  }
  if (after === null) await dropField(ctx, key)
  return { deleted: done }
}

/** Keeps a field that the bootstrap file defines: the next start would define it again. */
async function dropField(ctx: Context, key: string): Promise<void> {
  await transaction(ctx, async (inner) => {
    await lockSettingsDocument(inner.db, FIELD_RULES_DOCUMENT, { isPatient: true })
    const { version, values, setByFile } = await describeFieldRules(inner)
    if (setByFile.includes('custom') || !values.custom || !(await findRemoved(inner, key))) return
    const custom = values.custom.filter((field) => field.key !== key)
    await editSettings(inner, FIELD_RULES_DOCUMENT, { version, changes: { custom }, reset: [] })
  })
}

export const deleteValuesTask = defineTask({ kind: 'custom-field.delete-values', run: deleteValues })
