import type { ImportRow } from '#shared/contract/user-imports.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import type { SaveOutcome } from '../users/index.ts'
import { dayText, fieldOfProblem } from './import-values.ts'
import { namesOfIds } from './import-words.store.ts'
import { importWords } from './import-words.ts'
import { saveRows } from './judge-rows.ts'
import type { ReportRow, RunRow } from './user-imports.store.ts'

type Values = Partial<NonNullable<SaveOutcome['after']>> & { roleIds?: readonly string[] }
type Field = keyof Values
type Change = { before: Values; after: Values }
/** Of an id; what is none stays as it is. */
type NameOf = (value: string) => string

/** Not told at all: an identity document; to who administers a part: what they may not read of somebody, not even by guessing. */
const NEVER: readonly Field[] = ['idNumber']
const TO_SUPER_USERS: readonly Field[] = ['phone', 'mailbox', 'alias', 'secondaryOrganizationIds']

const REFERENCES = ['organizationId', 'categoryId', 'personnelNatureId'] as const
const LISTS = ['secondaryOrganizationIds', 'roleIds'] as const

/** What importing would change of the people in these rows as they stand now, by row. Nothing is kept of it: it may be other tomorrow. */
export async function changesOf(
  ctx: Context,
  { mapping }: RunRow,
  rows: readonly ReportRow[],
): Promise<Map<number, ImportRow['changes']>> {
  const { isSuperUser } = callerOf(ctx)
  const waiting = rows.filter(({ outcome, written }) => outcome === 'changed' && !written)
  if (waiting.length === 0 || (mapping.includes('roles') && !isSuperUser)) return new Map()
  const fields = mapping.filter((field) => field !== null)
  const saved = await saveRows(ctx, waiting, { mapping, words: await importWords(ctx, fields) }, { dryRun: true })
  const changes = saved.map(({ read, outcome, roles }) => ({
    row: read.row,
    before: { ...outcome?.before, ...(roles && { roleIds: roles.before }) },
    after: { ...outcome?.after, ...(roles && { roleIds: roles.after }) },
  }))
  const nameOf = await namesIn(ctx, changes)
  const isTold = (field: Field) => !NEVER.includes(field) && (isSuperUser || !TO_SUPER_USERS.includes(field))
  return new Map(
    changes.map(({ row, before, after }) => [
      row,
      (Object.keys(after) as Field[]).flatMap((name) => {
        const field = name === 'roleIds' ? 'roles' : fieldOfProblem(name)
        if (!field) return []
        const say = (values: Values) => textOf(ctx, name, values, nameOf)
        return [{ field, values: isTold(name) ? { before: say(before), after: say(after) } : null }]
      }),
    ]),
  )
}

async function namesIn(ctx: Context, changes: readonly Change[]): Promise<NameOf> {
  const ids = changes.flatMap(({ before, after }) =>
    [before, after].flatMap((side) => [
      ...REFERENCES.flatMap((field) => side[field] ?? []),
      ...LISTS.flatMap((field) => side[field] ?? []),
    ]),
  )
  const names = new Map((await namesOfIds(ctx.db, ids, ctx.client.language)).map(({ id, name }) => [id, name]))
  return (value) => names.get(value) ?? value
}

const TEXTS: { [Name in Field]?: (value: string, ctx: Context) => string } = {
  gender: (value, { translate, client }) => translate(client.language, `person.gender.${value}`),
  phone: maskPhone,
  mailbox: maskMailbox,
  validFrom: (value) => dayText(new Date(value), false),
  validUntil: (value) => dayText(new Date(value), true),
}

function textOf(ctx: Context, field: Field, values: Values, nameOf: NameOf): string {
  const value = values[field] ?? ''
  if (Array.isArray(value)) return value.map(nameOf).join(', ')
  if (typeof value === 'boolean') return ctx.translate(ctx.client.language, value ? 'records.yes' : 'records.no')
  if (typeof value !== 'string' || value === '') return ''
  return TEXTS[field]?.(value, ctx) ?? nameOf(value)
}
