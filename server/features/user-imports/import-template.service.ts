import type { FastifyReply } from 'fastify'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import { IMPORT_FIELDS, type ImportField } from '#shared/contract/user-imports.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { sendSheet } from '../../platform/sheet-response.ts'
import { customFields, customLabel, expectedFormat } from '../account-fields/index.ts'
import { listReferenceRows } from './import-lookups.store.ts'
import { mayImport } from './import-roles.rules.ts'

/** The same in every language: examples must not look like a real person. */
const EXAMPLES: Partial<Record<ImportField, readonly [string, string]>> = {
  account: ['# 20260001', '# 20260002'],
  gender: ['female', 'male'],
  birthday: ['2007-09-01', '2006-03-15'],
  phone: ['13800000001', '+852 5123 4567'],
  mailbox: ['somebody@example.edu', ''],
  validUntil: ['2030-07-31', ''],
  enabled: ['1', '1'],
}

/** The file to fill in: a heading, a row of help and examples; rows that begin with `#` are never imported. */
export async function sendTemplate(ctx: Context, reply: FastifyReply, format: 'csv' | 'xlsx'): Promise<void> {
  const { userId } = callerOf(ctx)
  const fields = IMPORT_FIELDS.filter((field) => mayImport(ctx, field))
  const custom = await customFields(ctx)
  const { language } = ctx.client
  const translate = (key: string) => ctx.translate(ctx.client.language, key)
  const [category] = await listReferenceRows(ctx.db, 'user_categories')
  const example = (field: ImportField, at: 0 | 1): string => {
    if (field === 'name') return translate(`import-example.name-${at + 1}`)
    if (field === 'category') return category?.code ?? ''
    return EXAMPLES[field]?.[at] ?? ''
  }
  await sendSheet(reply, {
    who: userId,
    places: 'office',
    format,
    title: translate('import.title'),
    fileName: 'import-template',
    async *rows() {
      yield [
        ...fields.map((field) => translate(`import-field.${field}`)),
        ...custom.map((one) => customLabel(one, language)),
      ]
      yield [
        ...fields.map((field, at) =>
          at === 0
            ? `# ${translate('import-help.cells')} ${translate('import-help.account')}`
            : translate(`import-help.${field}`),
        ),
        ...custom.map((one) => customHelp(ctx, one)),
      ]
      yield fields.map((field) => example(field, 0))
      yield fields.map((field) => example(field, 1))
    },
  })
}

/** What a cell of a custom field may contain. */
function customHelp(ctx: Context, { kind, choices, format }: CustomField): string {
  const { language } = ctx.client
  if (kind === 'date') return ctx.translate(language, 'import-help.birthday')
  if (kind === 'text') return expectedFormat(ctx, format) ?? ''
  const offered = choices.filter(({ isOffered }) => isOffered)
  return offered.map((one) => customLabel(one, language)).join(ctx.translate(language, 'list.separator'))
}
