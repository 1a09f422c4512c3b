import { customName } from '#shared/contract/field-rules.ts'
import type { ImportRow } from '#shared/contract/user-imports.ts'
import type { Context } from '../../platform/platform.ts'
import { seesEverything } from '../access/index.ts'
import { customFields } from '../account-fields/index.ts'
import type { SaveOutcome } from '../people-save/index.ts'
import { loadImportLookups } from './import-lookups.service.ts'
import { mayImport } from './import-roles.rules.ts'
import { importFieldOf } from './import-values.rules.ts'
import { saveRows } from './save-rows.service.ts'
import type { ReportRow, RunRow } from './user-imports.store.ts'
import { HIDDEN_FIELDS, loadValueWords } from './value-words.service.ts'

type Values = Partial<NonNullable<SaveOutcome['after']>> & { roleIds?: readonly string[] }
type Field = keyof Values

/** Not shown to a scoped administrator, like anything they may not read of a person, not even by guessing. */
const SUPER_USER_FIELDS: readonly Field[] = ['phone', 'mailbox', 'alias', 'secondaryOrganizationIds']

/** What importing would change for the people in these rows as they are now, by row. Not stored, because it may differ tomorrow. */
export async function previewChanges(
  ctx: Context,
  { mapping }: RunRow,
  rows: readonly ReportRow[],
): Promise<Map<number, ImportRow['changes']>> {
  const waiting = rows.filter(({ outcome, written }) => (outcome === 'changed' || outcome === 'doubtful') && !written)
  if (waiting.length === 0 || (mapping.includes('roles') && !mayImport(ctx, 'roles'))) return new Map()
  const fields = mapping.filter((field) => field !== null)
  const saved = await saveRows(ctx, waiting, { mapping, words: await loadImportLookups(ctx, fields) }, { dryRun: true })
  const changes = saved.map(({ read, outcome, roles }) => ({
    row: read.row,
    before: { ...outcome?.before, ...(roles && { roleIds: roles.before }) },
    after: { ...outcome?.after, ...(roles && { roleIds: roles.after }) },
  }))
  const wordOf = await loadValueWords(
    ctx,
    changes.flatMap(({ before, after }) => [before, after]),
  )
  const custom = (await customFields(ctx)).filter(({ isSensitive }) => isSensitive)
  const sensitive = new Set<Field>(custom.map(({ key }) => customName(key)))
  const isVisible = (field: Field) =>
    !HIDDEN_FIELDS.includes(field) &&
    (seesEverything(ctx) || !(SUPER_USER_FIELDS.includes(field) || sensitive.has(field)))
  return new Map(
    changes.map(({ row, before, after }) => [
      row,
      (Object.keys(after) as Field[]).flatMap((name) => {
        const field = name === 'roleIds' ? 'roles' : importFieldOf(name)
        if (!field) return []
        const values = isVisible(name) ? { before: wordOf(name, before), after: wordOf(name, after) } : null
        return [{ field, values }]
      }),
    ]),
  )
}
