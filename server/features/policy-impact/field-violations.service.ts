import { isDeepStrictEqual } from 'node:util'
import { ACCOUNT_FIELDS, type AccountField, type AccountFieldRules } from '#shared/contract/account-fields.ts'
import { IMPACT_ROWS, type ImpactFigure } from '#shared/contract/policy-impact.ts'
import type { Context } from '../../platform/platform.ts'
import { readWithin } from '../../platform/read-within.ts'
import { REQUIRABLE_FIELDS } from '../access/index.ts'
import { valueProblem } from '../account-fields/index.ts'
import {
  countLacking,
  type Lacking,
  listLacking,
  listValues,
  TEXT_FIELDS,
  type TextField,
} from './field-violations.store.ts'
import { toRow } from './impact-figures.rules.ts'
import { readEverybody } from './look-back.service.ts'
import { listPeople } from './policy-impact.store.ts'

type Draft = { before: AccountFieldRules; after: AccountFieldRules }

const TIME_MS = 2400

const toFigure = (key: ImpactFigure['key'], field: AccountField, count: number, isAtLeast: boolean): ImpactFigure => ({
  key,
  field,
  count,
  people: count,
  isAtLeast,
  lookedBackTo: null,
  rows: [],
})

/** Who would have to give a value at their next login, or at their activation, and need not now. */
function lackingOf({ before, after }: Draft): Lacking[] {
  return REQUIRABLE_FIELDS.flatMap((field) => {
    const [was, is] = [before[field].required, after[field].required]
    const asksActivated = (required: typeof is) => required === 'next-login' || required === 'always'
    const activated = asksActivated(is) && !asksActivated(was)
    const others = is !== 'never' && was === 'never'
    return activated || others ? [{ field, activated, others }] : []
  })
}

/** Counted by the database, by the condition that a login asks. */
export async function peopleLacking(ctx: Context, draft: Draft): Promise<ImpactFigure[]> {
  const lacking = lackingOf(draft)
  if (lacking.length === 0) return []
  const read = await readWithin(ctx, TIME_MS, async (ask) => {
    const counts = await ask((db) => countLacking(db, lacking))
    const figures: ImpactFigure[] = []
    for (const [at, one] of lacking.entries()) {
      const figure = toFigure('people-lacking', one.field, counts[at] ?? 0, false)
      const people = figure.count > 0 ? await ask((db) => listLacking(db, one, IMPACT_ROWS)) : []
      figures.push({ ...figure, rows: people.map((person) => toRow({ ...person, at: null, ip: null })) })
    }
    return figures
  })
  return read?.value ?? lacking.map(({ field }) => toFigure('people-lacking', field, 0, true))
}

/** Each value is judged as one that is given; what is not reached in time makes it "at least". */
export async function peopleMisformed(ctx: Context, { before, after }: Draft): Promise<ImpactFigure[]> {
  const fields: TextField[] = TEXT_FIELDS.filter(
    (field) => after[field].format !== 'any' && !isDeepStrictEqual(before[field].format, after[field].format),
  )
  if (fields.length === 0) return []
  const found = new Map(fields.map((field) => [field, { count: 0, ids: [] as string[] }]))
  const judge = ([id, ...values]: readonly (string | null)[]) => {
    for (const [at, field] of fields.entries()) {
      const value = values[at] ?? null
      const tally = found.get(field)
      if (!id || value === null || !tally || valueProblem(after, field, value) === null) continue
      tally.count += 1
      if (tally.ids.length < IMPACT_ROWS) tally.ids.push(id)
    }
  }
  const isWhole = await readEverybody(ctx, TIME_MS, async (ask, blocks) => {
    for (const row of await ask((db) => listValues(db, fields, blocks))) judge(row)
  })
  const ids = [...new Set([...found.values()].flatMap((one) => one.ids))]
  const people = new Map((await listPeople(ctx.db, ids)).map((person) => [person.id, person]))
  return [...found].map(([field, { count, ids: some }]) => ({
    ...toFigure('people-misformed', field, count, !isWhole),
    rows: some.flatMap((id) => {
      const person = people.get(id)
      return person ? [toRow({ ...person, userId: id, at: null, ip: null })] : []
    }),
  }))
}

export const isViolable = (draft: Draft): boolean =>
  ACCOUNT_FIELDS.some(
    (field) =>
      draft.before[field].required !== draft.after[field].required ||
      !isDeepStrictEqual(draft.before[field].format, draft.after[field].format),
  )
