import type { FastifyReply } from 'fastify'
import { IMPORT_FIELDS, type ImportField } from '#shared/contract/user-imports.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { sendSheet } from '../../platform/send-sheet.ts'
import { vocabularyRows } from './import-words.store.ts'

/** The same in every language: what is made up must not look like somebody. */
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
  const { isSuperUser, userId } = callerOf(ctx)
  const fields = IMPORT_FIELDS.filter((field) => isSuperUser || field !== 'roles')
  const say = (key: string) => ctx.translate(ctx.client.language, key)
  const [category] = await vocabularyRows(ctx.db, 'user_categories')
  const example = (field: ImportField, at: 0 | 1): string => {
    if (field === 'name') return say(`import-example.name-${at + 1}`)
    if (field === 'category') return category?.code ?? ''
    return EXAMPLES[field]?.[at] ?? ''
  }
  await sendSheet(reply, {
    who: userId,
    places: 'office',
    format,
    title: say('import.title'),
    fileName: 'import-template',
    async *rows() {
      yield fields.map((field) => say(`import-field.${field}`))
      yield fields.map((field, at) =>
        at === 0 ? `# ${say('import-help.cells')} ${say('import-help.account')}` : say(`import-help.${field}`),
      )
      yield fields.map((field) => example(field, 0))
      yield fields.map((field) => example(field, 1))
    },
  })
}
