import type { SyncOutcome, SyncRow } from '#shared/contract/sync-runs.ts'
import type { Context } from '../../platform/platform.ts'
import { HIDDEN_FIELDS, loadValueWords } from '../user-imports/index.ts'
import { listAttributeNames } from './department-links.store.ts'
import { listPlannedNames, type StoredRow } from './rows.store.ts'

const CHANGES: readonly (SyncOutcome | null)[] = ['changed', 'moved', 'leaver']

type Changed = Pick<StoredRow, 'row' | 'outcome' | 'before' | 'after'>
type Values = Record<string, unknown>

/** What each of these rows changes or changed, in words, by its number. */
export async function formatRowChanges(
  ctx: Context,
  runId: string,
  rows: readonly Changed[],
): Promise<Map<number, SyncRow['changes']>> {
  const changes = rows
    .filter(({ outcome }) => CHANGES.includes(outcome))
    .map(({ row, before, after }) => ({ row, before: toShown(before), after: toShown(after) }))
  const wordOf = await loadWords(
    ctx,
    runId,
    changes.flatMap(({ before, after }) => [before, after]),
  )
  return new Map(
    changes.map(({ row, before, after }) => [
      row,
      Object.keys(after).map((field) => ({
        field,
        values: HIDDEN_FIELDS.includes(field) ? null : { before: wordOf(field, before), after: wordOf(field, after) },
      })),
    ]),
  )
}

/** Positions are numbers. */
const toShown = (values: object | null): Values =>
  Object.fromEntries(
    Object.entries(values ?? {}).map(([field, value]) => [field, typeof value === 'number' ? String(value) : value]),
  )

/** Words for fields of people, and of departments: their parent is a department, their attribute a code. */
async function loadWords(ctx: Context, runId: string, states: readonly Values[]) {
  const codes = states.flatMap(({ attribute }) => (typeof attribute === 'string' ? [attribute] : []))
  const attributes = codes.length > 0 ? await listAttributeNames(ctx.db, codes, ctx.client.language) : new Map()
  const parents = states.flatMap(({ parentId }) => (typeof parentId === 'string' ? [parentId] : []))
  const planned = parents.length > 0 ? await listPlannedNames(ctx.db, runId, parents) : []
  const toPerson = (values: Values): Values =>
    'parentId' in values ? { ...values, organizationId: values['parentId'] } : values
  const wordOf = await loadValueWords(ctx, states.map(toPerson), new Map(planned.map(({ id, name }) => [id, name])))
  return (field: string, values: Values): string => {
    if (field === 'attribute') return attributes.get(values[field]) ?? wordOf(field, values)
    return wordOf(field === 'parentId' ? 'organizationId' : field, toPerson(values))
  }
}
