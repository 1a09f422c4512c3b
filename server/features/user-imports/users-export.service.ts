import type { FastifyReply } from 'fastify'
import { type exportUsers, IMPORT_FIELDS, type ImportField } from '#shared/contract/user-imports.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { sendSheet, takeExportPlace } from '../../platform/send-sheet.ts'
import { recordAudit } from '../records/index.ts'
import { foundPeople } from '../users/index.ts'
import { dayText } from './import-values.ts'
import { type ExportedRow, exportedPeople } from './users-export.store.ts'

const BATCH = 2000
/** A sheet holds 1,048,576 rows. */
const MOST_ROWS = 1_000_000

const CELLS: Record<Exclude<ImportField, 'idNumber'>, (row: ExportedRow) => string | null> = {
  account: ({ account }) => account,
  name: ({ name }) => name,
  category: ({ category }) => category,
  organization: ({ organization }) => organization,
  secondaryOrganizations: ({ secondaryOrganizations }) => secondaryOrganizations.join(';'),
  personnelNature: ({ personnelNature }) => personnelNature,
  gender: ({ gender }) => gender,
  birthday: ({ birthday }) => birthday,
  phone: ({ phone, isOpen }) => (phone && !isOpen ? maskPhone(phone) : phone),
  mailbox: ({ mailbox, isOpen }) => (mailbox && !isOpen ? maskMailbox(mailbox) : mailbox),
  alias: ({ alias }) => alias,
  nickname: ({ nickname }) => nickname,
  roles: ({ roles }) => roles.join(';'),
  validFrom: ({ validFrom }) => validFrom && dayText(validFrom, false),
  validUntil: ({ validUntil }) => validUntil && dayText(validUntil, true),
  enabled: ({ enabled }) => (enabled ? '1' : '0'),
}

type Query = Input<typeof exportUsers>['query']

/**
 * The list of people as a file that an import understands again, read in steps as it is sent, after the audit line is committed.
 * Numbers of identity documents never leave. @throws Refusal `export.busy`.
 */
export async function sendUsers(ctx: Context, reply: FastifyReply, query: Query): Promise<void> {
  const { format, timeZone: _, sort: __, ...filters } = query
  const { userId, isSuperUser } = callerOf(ctx)
  const leave = takeExportPlace(userId, 'office')
  try {
    const after = { format, filters }
    await recordAudit(ctx, { action: 'users.export', targetKind: 'user-list', targetId: userId, after })
    const fields = IMPORT_FIELDS.filter((field) => field !== 'idNumber').filter(
      (field) => isSuperUser || field !== 'roles',
    )
    const say = (key: string) => ctx.translate(ctx.client.language, key)
    const rows = async function* () {
      yield fields.map((field) => say(`import-field.${field}`))
      for await (const row of peopleOf(ctx, filters)) yield fields.map((field) => CELLS[field](row) ?? '')
    }
    const where = { who: userId, places: 'office' } as const
    const file = { ...where, format, title: say('users-export.title'), fileName: 'people', rows }
    await sendSheet(reply, file, leave)
  } catch (error) {
    leave()
    throw error
  }
}

async function* peopleOf(ctx: Context, filters: Parameters<typeof foundPeople>[1]): AsyncIterable<ExportedRow> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (let left = MOST_ROWS; left > 0; left -= BATCH) {
    const { ids, rows } = await transaction(ctx, async (inner) => {
      const found = await foundPeople(inner, filters, { most: BATCH, after })
      return { ids: found, rows: found.length > 0 ? await exportedPeople(inner, found) : [] }
    })
    yield* rows
    const last = ids.at(-1)
    if (last === undefined || ids.length < BATCH) return
    after = last
  }
}
