import { isDeepStrictEqual } from 'node:util'
import {
  ACCOUNT_FIELDS,
  type AccountField,
  type AccountFieldRules,
  UNIQUE_BY_RULE,
} from '#shared/contract/account-fields.ts'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import { type CustomFieldName, customName, isAskedAfterLogin, isCustomName } from '#shared/contract/field-rules.ts'
import { IMPACT_ROWS, type ImpactFigure } from '#shared/contract/policy-impact.ts'
import { openIfReadable, type SecretBox } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { readWithin } from '../../platform/read-within.ts'
import { REQUIRABLE_FIELDS } from '../access/index.ts'
import { customLabel, customValueProblem, isEditableByOwner, valueProblem } from '../account-fields/index.ts'
import type { UniqueField } from '../user-accounts/index.ts'
import {
  countLacking,
  countSharing,
  type Lacking,
  listHolders,
  listLacking,
  listSharing,
  listValues,
  TEXT_FIELDS,
  type TextField,
} from './field-violations.store.ts'
import { toRow } from './impact-figures.rules.ts'
import { readEverybody } from './look-back.service.ts'
import { listPeople } from './policy-impact.store.ts'

type Rules = AccountFieldRules & { custom: readonly CustomField[] }
type Draft = { before: Rules; after: Rules }

const TIME_MS = 2400

type AnyField = AccountField | CustomFieldName
type Figure = { key: ImpactFigure['key']; field: AnyField; label: string | null; count: number; isAtLeast: boolean }

const toFigure = ({ key, field, label, count, isAtLeast }: Figure): ImpactFigure => ({
  key,
  field,
  fieldLabel: label,
  count,
  people: count,
  isAtLeast,
  lookedBackTo: null,
  rows: [],
})

/** The fields that would newly be required at the next login or at activation, or that people would newly fill in themselves. */
function lackingOf({ before, after }: Draft): Lacking[] {
  const fields = [...REQUIRABLE_FIELDS, ...inUse(after).map(({ key }) => customName(key))]
  return fields.flatMap((field) => {
    const [was, is] = [requiredBy(before, field), requiredBy(after, field)]
    const isOpened = isTheirs(after, field) && !isTheirs(before, field)
    const activated = isAskedAfterLogin(is) && (isOpened || !isAskedAfterLogin(was))
    const others = is !== 'never' && (isOpened || was === 'never')
    return activated || others ? [{ field, activated, others }] : []
  })
}

const inUse = ({ custom }: Rules): CustomField[] => custom.filter(({ isRemoved }) => !isRemoved)
const findCustom = (rules: Rules, field: CustomFieldName): CustomField | undefined =>
  inUse(rules).find(({ key }) => customName(key) === field)
const requiredBy = (rules: Rules, field: AnyField) =>
  isCustomName(field) ? (findCustom(rules, field)?.required ?? 'never') : rules[field].required

function isTheirs(rules: Rules, field: AnyField): boolean {
  const rule = isCustomName(field) ? findCustom(rules, field) : rules[field]
  return rule !== undefined && isEditableByOwner(rule)
}

/** The label of a custom field. */
function labelOf({ client }: Context, { after }: Draft, field: AnyField): string | null {
  const custom = isCustomName(field) ? findCustom(after, field) : undefined
  return custom ? customLabel(custom, client.language) : null
}

/** Counted by the database, with the condition that a login uses; a field that time runs out for has "at least 0". */
export async function peopleLacking(ctx: Context, draft: Draft): Promise<ImpactFigure[]> {
  const lacking = lackingOf(draft)
  if (lacking.length === 0) return []
  const counted = new Map<AnyField, Partial<ImpactFigure>>()
  await readWithin(ctx, TIME_MS, async (ask) => {
    for (const one of lacking) {
      const count = await ask((db) => countLacking(db, one))
      const people = count > 0 ? await ask((db) => listLacking(db, one, IMPACT_ROWS)) : []
      const rows = people.map((person) => toRow({ ...person, at: null, ip: null }))
      counted.set(one.field, { count, people: count, isAtLeast: false, rows })
    }
  })
  return lacking.map(({ field }) => {
    const label = labelOf(ctx, draft, field)
    return { ...toFigure({ key: 'people-lacking', field, label, count: 0, isAtLeast: true }), ...counted.get(field) }
  })
}

/** Fields that nobody is to share, and people may share now. */
const newlyUnique = ({ before, after }: Draft): UniqueField[] => [
  ...UNIQUE_BY_RULE.filter((field) => after[field].isUnique && !before[field].isUnique),
  ...inUse(after)
    .filter(({ key, isUnique }) => isUnique && !before.custom.some((one) => one.key === key && one.isUnique))
    .map(({ key }) => customName(key)),
]

/** By the comparison that refuses a value that somebody else has. */
export async function peopleSharing(ctx: Context, draft: Draft): Promise<ImpactFigure[]> {
  const figureOf = (field: UniqueField, count: number, isAtLeast: boolean) =>
    toFigure({ key: 'people-sharing', field, label: labelOf(ctx, draft, field), count, isAtLeast })
  const fields = newlyUnique(draft)
  const read = await readWithin(ctx, TIME_MS, async (ask) => {
    const figures: ImpactFigure[] = []
    for (const field of fields) {
      const { count, values } = await ask((db) => countSharing(db, field, IMPACT_ROWS))
      const people = count > 0 ? await ask((db) => listSharing(db, field, { values, limit: IMPACT_ROWS })) : []
      const rows = people.map((person) => toRow({ ...person, at: null, ip: null }))
      figures.push({ ...figureOf(field, count, false), rows })
    }
    return figures
  })
  return read?.value ?? fields.map((field) => figureOf(field, 0, true))
}

/** Texts whose format changes to one that not everything fits. */
function reformattedFields({ before, after }: Draft): TextField[] {
  const own = inUse(after).map(({ key }) => customName(key))
  const formatBy = (rules: Rules, field: TextField) =>
    isCustomName(field) ? findCustom(rules, field)?.format : rules[field].format
  return [...TEXT_FIELDS, ...own].filter((field) => {
    const format = formatBy(after, field)
    return format !== 'any' && !isDeepStrictEqual(formatBy(before, field), format)
  })
}

function isMisformed(secrets: SecretBox, rules: Rules, field: TextField, stored: string): boolean {
  const value = field === 'idNumber' ? openIfReadable(secrets, stored) : stored
  if (value === null) return false
  if (!isCustomName(field)) return valueProblem(rules, field, value) !== null
  const custom = findCustom(rules, field)
  return custom?.kind === 'text' && customValueProblem(custom, value) !== null
}

/** Each value is validated like a new one; if time runs out, the result is "at least". */
export async function peopleMisformed(ctx: Context, draft: Draft): Promise<ImpactFigure[]> {
  const fields = reformattedFields(draft)
  if (fields.length === 0) return []
  const found = new Map(fields.map((field) => [field, { count: 0, ids: [] as string[] }]))
  const isWhole = await readEverybody(ctx, TIME_MS, async (ask, blocks) => {
    const values = await ask((db) => listValues(db, fields, blocks))
    for (const [at, field] of fields.entries()) {
      const misformed = (values[at] ?? []).filter((value) => isMisformed(ctx.secrets, draft.after, field, value))
      const tally = found.get(field)
      if (!tally || misformed.length === 0) continue
      tally.count += misformed.length
      const limit = IMPACT_ROWS - tally.ids.length
      if (limit <= 0) continue
      const some = [...new Set(misformed)].slice(0, limit)
      tally.ids.push(...(await ask((db) => listHolders(db, blocks, { field, values: some, limit }))))
    }
  })
  const ids = [...new Set([...found.values()].flatMap((one) => one.ids))]
  const people = new Map((await listPeople(ctx.db, ids)).map((person) => [person.id, person]))
  return [...found].map(([field, { count, ids: some }]) => ({
    ...toFigure({ key: 'people-misformed', field, label: labelOf(ctx, draft, field), count, isAtLeast: !isWhole }),
    rows: some.flatMap((id) => {
      const person = people.get(id)
      return person ? [toRow({ ...person, userId: id, at: null, ip: null })] : []
    }),
  }))
}

export const isViolable = (draft: Draft): boolean =>
  !isDeepStrictEqual(draft.before.custom, draft.after.custom) ||
  ACCOUNT_FIELDS.some(
    (field) =>
      isTheirs(draft.before, field) !== isTheirs(draft.after, field) ||
      draft.before[field].isUnique !== draft.after[field].isUnique ||
      draft.before[field].required !== draft.after[field].required ||
      !isDeepStrictEqual(draft.before[field].format, draft.after[field].format),
  )
