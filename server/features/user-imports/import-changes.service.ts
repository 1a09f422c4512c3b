import { customName } from '#shared/contract/field-rules.ts'
import type { ImportRow } from '#shared/contract/user-imports.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { customFields } from '../account-fields/index.ts'
import type { SaveOutcome } from '../people-save/index.ts'
import { loadImportLookups } from './import-lookups.service.ts'
import { listNamesById } from './import-lookups.store.ts'
import { formatDay, importFieldOf } from './import-values.rules.ts'
import { saveRows } from './save-rows.service.ts'
import type { ReportRow, RunRow } from './user-imports.store.ts'

type Values = Partial<NonNullable<SaveOutcome['after']>> & { roleIds?: readonly string[] }
type Field = keyof Values
type RowChange = { before: Values; after: Values }
/** The name for an id; other text is returned unchanged. */
type NameLookup = (value: string) => string

/** Never shown: an identity document; to a scoped administrator, anything they may not read of a person, not even by guessing. */
const HIDDEN_FIELDS: readonly Field[] = ['idNumber']
const SUPER_USER_FIELDS: readonly Field[] = ['phone', 'mailbox', 'alias', 'secondaryOrganizationIds']

const REFERENCES = ['organizationId', 'categoryId', 'personnelNatureId'] as const
const LISTS = ['secondaryOrganizationIds', 'roleIds'] as const

/** What importing would change for the people in these rows as they are now, by row. Not stored, because it may differ tomorrow. */
export async function previewChanges(
  ctx: Context,
  { mapping }: RunRow,
  rows: readonly ReportRow[],
): Promise<Map<number, ImportRow['changes']>> {
  const { isSuperUser } = callerOf(ctx)
  const waiting = rows.filter(({ outcome, written }) => (outcome === 'changed' || outcome === 'doubtful') && !written)
  if (waiting.length === 0 || (mapping.includes('roles') && !isSuperUser)) return new Map()
  const fields = mapping.filter((field) => field !== null)
  const saved = await saveRows(ctx, waiting, { mapping, words: await loadImportLookups(ctx, fields) }, { dryRun: true })
  const changes = saved.map(({ read, outcome, roles }) => ({
    row: read.row,
    before: { ...outcome?.before, ...(roles && { roleIds: roles.before }) },
    after: { ...outcome?.after, ...(roles && { roleIds: roles.after }) },
  }))
  const nameOf = await loadNames(ctx, changes)
  const custom = (await customFields(ctx)).filter(({ isSensitive }) => isSensitive)
  const sensitive = new Set<Field>(custom.map(({ key }) => customName(key)))
  const isVisible = (field: Field) =>
    !HIDDEN_FIELDS.includes(field) && (isSuperUser || !(SUPER_USER_FIELDS.includes(field) || sensitive.has(field)))
  return new Map(
    changes.map(({ row, before, after }) => [
      row,
      (Object.keys(after) as Field[]).flatMap((name) => {
        const field = name === 'roleIds' ? 'roles' : importFieldOf(name)
        if (!field) return []
        const format = (values: Values) => formatValue(ctx, name, values, nameOf)
        return [{ field, values: isVisible(name) ? { before: format(before), after: format(after) } : null }]
      }),
    ]),
  )
}

async function loadNames(ctx: Context, changes: readonly RowChange[]): Promise<NameLookup> {
  const ids = changes.flatMap(({ before, after }) =>
    [before, after].flatMap((side) => [
      ...REFERENCES.flatMap((field) => side[field] ?? []),
      ...LISTS.flatMap((field) => side[field] ?? []),
    ]),
  )
  const names = new Map((await listNamesById(ctx.db, ids, ctx.client.language)).map(({ id, name }) => [id, name]))
  return (value) => names.get(value) ?? value
}

const FORMATTERS: { [Name in Field]?: (value: string, ctx: Context) => string } = {
  gender: (value, { translate, client }) => translate(client.language, `person.gender.${value}`),
  phone: maskPhone,
  mailbox: maskMailbox,
  validFrom: (value) => formatDay(new Date(value), false),
  validUntil: (value) => formatDay(new Date(value), true),
}

function formatValue(ctx: Context, field: Field, values: Values, nameOf: NameLookup): string {
  const value = values[field] ?? ''
  if (Array.isArray(value)) return value.map(nameOf).join(', ')
  if (typeof value === 'boolean') return ctx.translate(ctx.client.language, value ? 'records.yes' : 'records.no')
  if (typeof value !== 'string' || value === '') return ''
  return FORMATTERS[field]?.(value, ctx) ?? nameOf(value)
}
