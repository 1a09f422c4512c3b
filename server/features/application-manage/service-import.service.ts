import { ApplicationFields } from '#shared/contract/application-fields.ts'
import type { ImportedService } from '#shared/contract/service-import.ts'
import { randomToken } from '../../platform/crypto.ts'
import { Refusal } from '../../platform/errors.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import type { ApplicationRow } from '../applications/index.ts'
import { isClientSecret } from '../client-secrets/index.ts'
import { hashPassword } from '../passwords/index.ts'
import { checkApplicationInput } from './address-check.service.ts'
import { assertValidApplication } from './application-checks.service.ts'
import { errors } from './application-manage.errors.ts'
import { insertNewApplications, newApplicationRow, toNameSearchForms } from './application-manage.service.ts'
import { type ReadDefinition, readDefinition } from './service-definition.rules.ts'
import { type FileEntry, readServiceFile } from './service-file.rules.ts'

type File = { name: string; text: string }
type PlannedService = { report: ImportedService; row: ApplicationRow | null; read: ReadDefinition | null }

const MAX_SERVICES = 1000

/** A dry run of an import. @throws Refusal `service-import.too-many`. */
export async function checkServices(ctx: Context, files: readonly File[]) {
  return summary(await plan(ctx, files))
}

/** Imports everything that the check accepts, in one transaction: an error leaves nothing behind. */
export async function importServices(ctx: Context, files: readonly File[]) {
  const planned = await plan(ctx, files)
  const rows: ApplicationRow[] = []
  for (const { row, read } of planned) if (row && read) rows.push(await withSecret(ctx, row, read))
  await transaction(ctx, async (inner) => {
    // Somebody may have taken a name since the dry run.
    for (const row of rows) await assertValidApplication(inner, row)
    await insertNewApplications(inner, rows)
  })
  return summary(planned)
}

function summary(planned: readonly PlannedService[]) {
  const services = planned.map(({ report }) => report)
  const fresh = services.filter(({ result }) => result === 'new').length
  return { services, fresh, refused: services.length - fresh }
}

/** A sealed secret is replaced by one that nobody knows: the application needs a new one, instead of none. */
async function withSecret(ctx: Context, row: ApplicationRow, { secret, isSealed }: ReadDefinition) {
  const given = isSealed ? randomToken(43) : secret
  return given === null ? row : { ...row, clientSecretHash: await hashPassword(ctx, given) }
}

async function plan(ctx: Context, files: readonly File[]): Promise<PlannedService[]> {
  const entries = files.flatMap(readServiceFile)
  if (entries.length > MAX_SERVICES) throw errors['service-import.too-many']()
  const planned: PlannedService[] = []
  const seen = { appIds: new Set<string>(), clientIds: new Set<string>() }
  for (const entry of entries) planned.push(await planService(ctx, entry, seen))
  return planned
}

type PlannedNames = { appIds: Set<string>; clientIds: Set<string> }

async function planService(ctx: Context, { file, definition }: FileEntry, seen: PlannedNames): Promise<PlannedService> {
  if (!definition) return { report: refusedReport(file, 'unreadable', null), row: null, read: null }
  const read = readDefinition(definition)
  const { fields } = read
  const name = typeof definition['name'] === 'string' ? definition['name'].slice(0, 200) : ''
  if (!fields)
    return {
      report: { ...refusedReport(file, read.reason, read.detail, name), ignored: read.ignored },
      row: null,
      read,
    }
  const hasSecret = read.secret !== null || read.isSealed
  const row: ApplicationRow = {
    ...newApplicationRow(ctx),
    ...fields,
    ...(await toNameSearchForms(fields.name)),
    // Any text means "there is one" to the rules; the real hash is set before writing.
    clientSecretHash: hasSecret ? 'pending' : null,
  }
  const isOddSecret = read.secret !== null && !isClientSecret(read.secret)
  const problem = isOddSecret ? { reason: 'not-allowed', detail: 'clientSecret' } : await findProblem(ctx, row, seen)
  const ignored = read.ignored
  if (problem) {
    return {
      report: { ...refusedReport(file, problem.reason, problem.detail, name), appId: row.appId, ignored },
      row: null,
      read,
    }
  }
  seen.appIds.add(row.appId)
  if (row.clientId) seen.clientIds.add(row.clientId)
  return { report: await toNewServiceReport(ctx, file, row, read), row, read }
}

const FORM_FIELDS = ['name', 'clientId', 'description', 'attributes'] as const

/** A file is written by hand: it gets the same validation as a form. */
const findInvalidField = (row: ApplicationRow) =>
  FORM_FIELDS.find((field) => !ApplicationFields.shape[field].safeParse(row[field]).success)

type Problem = { reason: string; detail: string }

async function findProblem(ctx: Context, row: ApplicationRow, seen: PlannedNames): Promise<Problem | null> {
  if (seen.appIds.has(row.appId)) return { reason: 'twice', detail: row.appId }
  if (row.clientId && seen.clientIds.has(row.clientId)) return { reason: 'twice', detail: row.clientId }
  const odd = findInvalidField(row)
  if (odd) return { reason: 'not-allowed', detail: odd }
  try {
    await assertValidApplication(ctx, row)
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return toProblem(error, row)
  }
}

function toProblem({ code, params }: Refusal, row: ApplicationRow): Problem {
  if (code === 'application.code-taken') return { reason: 'exists', detail: row.appId }
  if (code === 'application.client-id-taken') return { reason: 'client-id-taken', detail: row.clientId ?? '' }
  return { reason: 'not-allowed', detail: String(params['reason'] ?? '') }
}

const refusedReport = (file: string, reason: string | null, detail: string | null, name = ''): ImportedService => ({
  file,
  name,
  result: 'refused',
  reason,
  detail,
  appId: null,
  protocol: null,
  addresses: [],
  attributes: [],
  notes: [],
  ignored: [],
})

async function toNewServiceReport(ctx: Context, file: string, row: ApplicationRow, read: ReadDefinition) {
  const addresses = row.protocol === 'cas' ? row.serviceUrls : row.redirectUris
  const { overlaps } = await checkApplicationInput(ctx, { addresses })
  const notes = overlaps.map((overlap) => ({ name: 'overlaps', detail: `${overlap.name}: ${overlap.address}` }))
  return {
    file,
    name: row.name,
    result: 'new' as const,
    reason: null,
    detail: null,
    appId: row.appId,
    protocol: row.protocol,
    addresses,
    attributes: row.attributes.map(({ name }) => name),
    notes: [...read.notes, ...notes],
    ignored: read.ignored,
  }
}
