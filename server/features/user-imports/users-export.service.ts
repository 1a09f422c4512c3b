import type { FastifyReply } from 'fastify'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import { type exportUsers, IMPORT_FIELDS, type ProductImportField } from '#shared/contract/user-imports.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { acquireExportSlot, sendSheet } from '../../platform/sheet-response.ts'
import { customFields, customLabel } from '../account-fields/index.ts'
import { listPeopleIds } from '../people-list/index.ts'
import { recordAudit } from '../records/index.ts'
import { mayImport } from './import-roles.rules.ts'
import { formatDay } from './import-values.rules.ts'
import { type ExportedRow, listExportedPeople } from './users-export.store.ts'

const BATCH_SIZE = 2000
/** A sheet holds 1,048,576 rows. */
const MAX_EXPORT_ROWS = 1_000_000

const CELLS: Record<Exclude<ProductImportField, 'idNumber'>, (row: ExportedRow) => string | null> = {
  account: ({ account }) => account,
  name: ({ name }) => name,
  category: ({ category }) => category,
  organization: ({ organization }) => organization,
  secondaryOrganizations: ({ secondaryOrganizations }) => secondaryOrganizations.join(';'),
  personnelType: ({ personnelType }) => personnelType,
  gender: ({ gender }) => gender,
  birthday: ({ birthday }) => birthday,
  phone: ({ phone, isOpen }) => (phone && !isOpen ? maskPhone(phone) : phone),
  mailbox: ({ mailbox, isOpen }) => (mailbox && !isOpen ? maskMailbox(mailbox) : mailbox),
  alias: ({ alias }) => alias,
  nickname: ({ nickname }) => nickname,
  roles: ({ roles }) => roles.join(';'),
  validFrom: ({ validFrom }) => validFrom && formatDay(validFrom, false),
  validUntil: ({ validUntil }) => validUntil && formatDay(validUntil, true),
  enabled: ({ enabled }) => (enabled ? '1' : '0'),
}

/** For a choice its code, which an import reads in every language; sensitive values only if the caller may change the person. */
const customCell = ({ key, isSensitive }: CustomField, { customValues, isOpen }: ExportedRow): string =>
  isSensitive && !isOpen ? '' : (customValues?.[key] ?? '')

type ExportQuery = Input<typeof exportUsers>['query']

/**
 * Sends the list of people as a file that an import can read, in steps, after the audit record is committed. Numbers of identity documents
 * are never exported. @throws Refusal `export.busy`.
 */
export async function sendUsersExport(ctx: Context, reply: FastifyReply, query: ExportQuery): Promise<void> {
  const { format, timeZone: _, sort: __, ...filters } = query
  const { userId } = callerOf(ctx)
  const releaseSlot = acquireExportSlot(userId, 'office')
  try {
    const after = { format, filters }
    await recordAudit(ctx, { action: 'users.export', targetKind: 'user-list', targetId: userId, after })
    const fields = IMPORT_FIELDS.filter((field) => field !== 'idNumber').filter((field) => mayImport(ctx, field))
    const custom = await customFields(ctx)
    const translate = (key: string) => ctx.translate(ctx.client.language, key)
    const rows = async function* () {
      yield [
        ...fields.map((field) => translate(`import-field.${field}`)),
        ...custom.map((one) => customLabel(one, ctx.client.language)),
      ]
      for await (const row of readPeople(ctx, filters))
        yield [...fields.map((field) => CELLS[field](row) ?? ''), ...custom.map((one) => customCell(one, row))]
    }
    const where = { who: userId, places: 'office' } as const
    const file = { ...where, format, title: translate('users-export.title'), fileName: 'people', rows }
    await sendSheet(reply, file, releaseSlot)
  } catch (error) {
    releaseSlot()
    throw error
  }
}

async function* readPeople(ctx: Context, filters: Parameters<typeof listPeopleIds>[1]): AsyncIterable<ExportedRow> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (let left = MAX_EXPORT_ROWS; left > 0; left -= BATCH_SIZE) {
    const { ids, rows } = await transaction(ctx, async (inner) => {
      const found = await listPeopleIds(inner, filters, { limit: BATCH_SIZE, after })
      return { ids: found, rows: found.length > 0 ? await listExportedPeople(inner, found) : [] }
    })
    yield* rows
    const last = ids.at(-1)
    if (last === undefined || ids.length < BATCH_SIZE) return
    after = last
  }
}
