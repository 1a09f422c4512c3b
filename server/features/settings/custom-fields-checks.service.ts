import { isDeepStrictEqual } from 'node:util'
import type { FieldRuleValues } from '#shared/contract/account-fields.ts'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import { customName } from '#shared/contract/field-rules.ts'
import type { Context } from '../../platform/platform.ts'
import type { Snapshot } from '../records/index.ts'
import { countCustomValues, hasRepeatedCustomValue } from '../user-accounts/index.ts'
import { badCustomPatterns } from './field-patterns.rules.ts'
import { errors } from './settings.errors.ts'
import { listReleasingApplications } from './settings.store.ts'

/** Counts of people stop here; above it is “so many and more”. */
const MAX_COUNTED = 10_000

/**
 * Checks changes of custom fields: nobody's value may vanish or become invalid.
 * @throws Refusal `account-fields.bad-pattern`, `account-fields.custom-…`; nothing is written then.
 */
export async function checkCustomFields(ctx: Context, before: Snapshot, after: Snapshot): Promise<void> {
  const [former, fields] = [customOf(before), customOf(after)]
  refuseBadPatterns(ctx, former, fields)
  await refuseReleased(ctx, former, fields)
  for (const field of former) {
    const next = fields.find(({ key }) => key === field.key)
    if (next) await checkChange(ctx, field, next)
    else await refuseValues(ctx, field)
  }
  // Reusing the key of a former field would expose its values.
  for (const field of fields) if (!former.some(({ key }) => key === field.key)) await refuseValues(ctx, field)
}

async function checkChange(ctx: Context, field: CustomField, next: CustomField): Promise<void> {
  const params = { field: nameOf(ctx, field) }
  if (next.kind !== field.kind) throw errors['account-fields.custom-kind-fixed']({ params, data: { fields: ['kind'] } })
  for (const { code } of field.choices) await refuseUsedChoice(ctx, next, code)
  if (next.isUnique && !field.isUnique && (await hasRepeatedCustomValue(ctx.db, field.key)))
    throw errors['account-fields.custom-not-unique']({ params, data: { fields: ['isUnique'] } })
}

/** An application that a field is released to would go on receiving it, or suddenly not receive it any more. */
async function refuseReleased(ctx: Context, former: readonly CustomField[], fields: readonly CustomField[]) {
  const isInUse = ({ key }: CustomField) => fields.some((one) => one.key === key && !one.isRemoved)
  const leaving = former.filter((field) => !field.isRemoved && !isInUse(field))
  for (const field of leaving) {
    const names = await listReleasingApplications(ctx.db, customName(field.key))
    if (names.length === 0) continue
    const applications = names.join(ctx.translate(ctx.client.language, 'list.separator'))
    throw errors['account-fields.custom-released']({
      params: { field: nameOf(ctx, field), applications },
      data: { fields: ['key'] },
    })
  }
}

function refuseBadPatterns(ctx: Context, former: readonly CustomField[], fields: readonly CustomField[]): void {
  const isKept = ({ key, format }: CustomField) =>
    isDeepStrictEqual(former.find((one) => one.key === key)?.format, format)
  const bad = badCustomPatterns({ custom: fields.filter((field) => !isKept(field)) })[0]
  if (bad)
    throw errors['account-fields.bad-pattern']({ params: { field: nameOf(ctx, bad) }, data: { fields: ['format'] } })
}

const nameOf = (ctx: Context, { name, names }: CustomField): string => names[ctx.client.language] ?? name
const customOf = (values: FieldRuleValues): CustomField[] => values.custom ?? []

async function refuseValues(ctx: Context, field: CustomField): Promise<void> {
  const count = await countCustomValues(ctx.db, { key: field.key, most: MAX_COUNTED })
  if (count === 0) return
  throw errors['account-fields.custom-holds-values']({
    params: { field: nameOf(ctx, field), count, number: countText(count) },
    data: { fields: ['key'], count },
  })
}

async function refuseUsedChoice(ctx: Context, field: CustomField, code: string): Promise<void> {
  if (field.choices.some((one) => one.code === code)) return
  const count = await countCustomValues(ctx.db, { key: field.key, value: code, most: MAX_COUNTED })
  if (count === 0) return
  throw errors['account-fields.custom-choice-in-use']({
    params: { choice: code, count, number: countText(count) },
    data: { fields: ['choices'], count },
  })
}

const countText = (count: number): string => (count < MAX_COUNTED ? String(count) : `${count}+`)
