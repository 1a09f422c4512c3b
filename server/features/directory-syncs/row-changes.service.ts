import type { SyncOutcome, SyncRow } from '#shared/contract/directory-syncs.ts'
import type { Context } from '../../platform/platform.ts'
import { loadValueWords } from '../user-imports/index.ts'
import { listAttributeNames } from './department-links.store.ts'
import type { StoredRow } from './rows.store.ts'

const CHANGES: readonly (SyncOutcome | null)[] = ['changed', 'moved', 'leaver']

/** Only that they change: an identity document is never shown, and a deleted department has no value. */
const UNTOLD = ['idNumber', 'gone']

type Changed = Pick<StoredRow, 'row' | 'outcome' | 'before' | 'after'>
type Values = Record<string, unknown>

/** What each of these rows changes or changed, in words, by its number. */
export async function tellChanges(ctx: Context, rows: readonly Changed[]): Promise<Map<number, SyncRow['changes']>> {
  const changes = rows
    .filter(({ outcome }) => CHANGES.includes(outcome))
    .map(({ row, before, after }) => ({ row, before: toTold(before), after: toTold(after) }))
  const wordOf = await loadWords(
    ctx,
    changes.flatMap(({ before, after }) => [before, after]),
  )
  return new Map(
    changes.map(({ row, before, after }) => [
      row,
      Object.keys(after).map((field) => ({
        field,
        values: UNTOLD.includes(field) ? null : { before: wordOf(field, before), after: wordOf(field, after) },
      })),
    ]),
  )
}

/** Positions are numbers. */
const toTold = (values: object | null): Values =>
  Object.fromEntries(
    Object.entries(values ?? {}).map(([field, value]) => [field, typeof value === 'number' ? String(value) : value]),
  )

/** Words for fields of people, and of departments: their parent is a department, their attribute a code. */
async function loadWords(ctx: Context, states: readonly Values[]) {
  const codes = states.flatMap(({ attribute }) => (typeof attribute === 'string' ? [attribute] : []))
  const attributes = codes.length > 0 ? await listAttributeNames(ctx.db, codes, ctx.client.language) : new Map()
  const toPerson = (values: Values): Values =>
    'parentId' in values ? { ...values, organizationId: values['parentId'] } : values
  const wordOf = await loadValueWords(ctx, states.map(toPerson))
  return (field: string, values: Values): string => {
    if (field === 'attribute') return attributes.get(values[field]) ?? wordOf(field, values)
    return wordOf(field === 'parentId' ? 'organizationId' : field, toPerson(values))
  }
}
