import type { CustomField } from '#shared/contract/custom-fields.ts'
import { customName, isCustomName } from '#shared/contract/field-rules.ts'
import { invalidGrantCombinations } from '#shared/rules/invalid-grant-combinations.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { customFields } from '../account-fields/index.ts'
import { type ApplicationRow, type ConcurrentWriteError, saveApplications } from '../applications/index.ts'
import { isBlockedAddress } from './address-check.service.ts'
import { errors } from './application-manage.errors.ts'
import { findTakenNames } from './application-manage.store.ts'
import { categoryExists } from './categories.store.ts'

type RuleViolation = { field: string; reason: string }

/** Fields with addresses that this server calls, or redirects to from its own pages. */
const CALLED_ADDRESS_FIELDS = ['serviceUrls', 'logoutUrl', 'proxyCallbackUrls', 'backchannelLogoutUri'] as const

/** Each `reason` has the message `application-rule.<reason>`. */
function findRuleViolations(row: ApplicationRow, custom: readonly CustomField[]): RuleViolation[] {
  const broken: RuleViolation[] = invalidGrantCombinations({ ...row, hasSecret: row.clientSecretHash !== null })
  for (const field of CALLED_ADDRESS_FIELDS) {
    const at = [row[field]].flat().findIndex((address) => address !== null && isBlockedAddress(address))
    if (at >= 0) broken.push({ field: Array.isArray(row[field]) ? `${field}.${at}` : field, reason: 'never-called' })
  }
  const names = row.attributes.map(({ name }) => name)
  if (row.protocol === 'oauth2' && row.clientId === null) broken.push({ field: 'clientId', reason: 'client-id-needed' })
  if (row.protocol === 'cas' && row.proxy && row.proxyCallbackUrls.length === 0) {
    broken.push({ field: 'proxyCallbackUrls', reason: 'proxy-needs-callback' })
  }
  const doubled = names.findIndex((name, at) => names.indexOf(name) !== at)
  if (doubled >= 0) broken.push({ field: `attributes.${doubled}`, reason: 'attribute-twice' })
  const unknown = row.attributes.findIndex((one) => 'from' in one && isUnknownField(one.from, custom))
  if (unknown >= 0) broken.push({ field: `attributes.${unknown}`, reason: 'unknown-field' })
  return broken
}

const isUnknownField = (source: string, custom: readonly CustomField[]): boolean =>
  isCustomName(source) && !custom.some(({ key }) => customName(key) === source)

/** The violations in the caller's language, for the form; empty if the application is valid. */
const translateViolations = async (ctx: Context, row: ApplicationRow): Promise<RuleViolation[]> =>
  findRuleViolations(row, await customFields(ctx)).map(({ field, reason }) => ({
    field,
    reason: ctx.translate(ctx.client.language, `application-rule.${reason}`),
  }))

/**
 * Checks across fields: combinations, names already taken, an existing category.
 * @throws Refusal `request.invalid` with the fields, `application.code-taken`, `application.client-id-taken`,
 *   `application-category.not-found`.
 */
export async function assertValidApplication(
  ctx: Context,
  row: ApplicationRow,
  field = (name: string) => name,
): Promise<void> {
  const fields = (await translateViolations(ctx, row)).map((one) => ({ ...one, field: field(one.field) }))
  const [first] = fields
  if (first) throw platformErrors['request.invalid']({ params: first, data: { fields } })
  const clientIds = row.clientId === null ? [] : [row.clientId]
  const taken = await findTakenNames(ctx.db, { exceptId: row.id, appIds: [row.appId], clientIds })
  if (taken.some(({ appId }) => appId === row.appId)) throw errors['application.code-taken']()
  if (taken.length > 0) throw errors['application.client-id-taken']()
  if (row.categoryId !== null && !(await categoryExists(ctx.db, row.categoryId))) {
    throw errors['application-category.not-found']()
  }
}

const CONCURRENT_WRITE_CODES = {
  appId: 'application.code-taken',
  clientId: 'application.client-id-taken',
  categoryId: 'application-category.not-found',
} as const satisfies Record<ConcurrentWriteError, keyof typeof errors>

/** Writes applications that `assertValidApplication` accepted. @throws Refusal as that does, if somebody else was faster. */
export async function writeApplications(ctx: Context, rows: readonly ApplicationRow[]): Promise<void> {
  const overtaken = await saveApplications(ctx.db, rows, ctx.now())
  if (overtaken) throw errors[CONCURRENT_WRITE_CODES[overtaken]]()
}
