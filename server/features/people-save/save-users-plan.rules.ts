import { v7 } from 'uuid'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import type { FieldProblem, PersonField } from '#shared/contract/users.ts'
import { toE164 } from '#shared/rules/phone.ts'
import { openIfReadable, type SecretBox } from '../../platform/crypto.ts'
import { type ValidatedPerson, validateAccount, validateFields } from './person-fields.rules.ts'
import type { ExistingPerson } from './save-users.store.ts'
import type { PersonFields, PersonInput, PersonValues, SaveOptions, ValueField } from './save-users.types.ts'

/** One row in progress: the current state, the wanted one, and the problems. */
export type PlannedRow = {
  account: string
  id: string
  existing: ExistingPerson | null
  after: PersonValues
  changed: ValueField[]
  problems: FieldProblem[]
  code: string | null
}

const EMPTY_PERSON: PersonValues = {
  name: '',
  nickname: null,
  gender: 'unknown',
  birthday: null,
  idNumber: null,
  organizationId: null,
  secondaryOrganizationIds: [],
  categoryId: null,
  personnelTypeId: null,
  phone: null,
  mailbox: null,
  alias: null,
  enabled: true,
  validFrom: null,
  validUntil: null,
}

/** Input with valid syntax; nothing has been looked up yet. */
export type ValidatedInput = ValidatedPerson & { input: PersonInput; account: string }

export function validateInput(input: PersonInput, now: Date, custom: readonly CustomField[]): ValidatedInput {
  const { fields, problems } = validateFields(input, now, custom)
  const checked: ReturnType<typeof validateAccount> =
    input.id === undefined ? validateAccount(input.account) : { value: input.account }
  if ('problem' in checked) problems.unshift({ field: 'account', problem: checked.problem })
  return { input, fields, problems, account: 'value' in checked ? checked.value : input.account.trim() }
}

type KnownPeople = {
  byId: ReadonlyMap<string, ExistingPerson>
  /** Those whom the caller may see. */
  byAccount: ReadonlyMap<string, ExistingPerson>
  /** Accounts of others, where that may be revealed. */
  taken: ReadonlySet<string>
  secrets: SecretBox
}

/** The wanted state of a row, from the current one; references and login names are checked afterwards. */
export function planRow(
  { input, fields, problems, account }: ValidatedInput,
  known: KnownPeople,
  mode: SaveOptions['mode'],
): PlannedRow {
  const existing = input.id === undefined ? known.byAccount.get(account) : known.byId.get(input.id)
  const before = existing?.values ?? EMPTY_PERSON
  const after = mergeValues(before, fields, known.secrets)
  const changed = (Object.keys(after) as ValueField[]).filter(
    (field) => !isSame(before[field] ?? null, after[field] ?? null),
  )
  const row: PlannedRow = {
    account: existing?.account ?? account,
    id: existing?.id ?? v7(),
    existing: existing ?? null,
    after,
    changed,
    problems: problems.filter(({ field }) => !isUntouched(existing, field, input)),
    code: refusalCode(input, existing, mode),
  }
  if (!existing && known.taken.has(account)) addProblem(row, 'account', 'taken')
  checkPlannedRow(row, fields, mode)
  return row
}

/**
 * Sending back the stored value is no change, so newer rules don't reject it. Not for a caller who may not read the stored value: they
 * could guess it.
 */
function isUntouched(existing: ExistingPerson | undefined, field: PersonField, input: PersonInput): boolean {
  if (!existing?.mayChange || !existing.isOpen || field === 'account') return false
  const given = input[field]
  const stored = existing.values[field]
  if (typeof given !== 'string' || typeof stored !== 'string') return false
  return given === stored || (field === 'phone' && toE164(given) === stored)
}

function checkPlannedRow(row: PlannedRow, fields: PersonFields, mode: SaveOptions['mode']): void {
  const { existing, after } = row
  if (existing) {
    if (mode === 'create') addProblem(row, 'account', 'taken')
    if (mode === 'upsert' && !existing.mayChange) addProblem(row, 'account', 'out-of-scope')
  } else if (fields.name === undefined && !row.problems.some(({ field }) => field === 'name')) {
    addProblem(row, 'name', 'missing')
  }
  if (after.validFrom && after.validUntil && after.validFrom >= after.validUntil) {
    addProblem(row, 'validUntil', 'before-from')
  }
}

export function addProblem(
  row: PlannedRow,
  field: PersonField,
  problem: FieldProblem['problem'],
  params?: FieldProblem['params'],
): void {
  row.problems.push({ field, problem, ...(params && { params }) })
}

export const isValid = ({ problems, code }: PlannedRow): boolean => problems.length === 0 && code === null
export const needsWrite = (row: PlannedRow): boolean => isValid(row) && (!row.existing || row.changed.length > 0)

function refusalCode(
  input: PersonInput,
  existing: ExistingPerson | undefined,
  mode: SaveOptions['mode'],
): string | null {
  if (mode === 'update' && !existing?.mayChange) return 'user.not-found'
  if (existing && input.version !== undefined && input.version !== existing.version) return 'version.conflict'
  return null
}

const isSame = (one: unknown, other: unknown) => one === other || JSON.stringify(one) === JSON.stringify(other)

function mergeValues(before: PersonValues, fields: PersonFields, secrets: SecretBox): PersonValues {
  const { idNumber, secondaryOrganizationIds, ...rest } = fields
  const after: PersonValues = { ...before, ...rest }
  // A number that can't be read is written again.
  if (idNumber !== undefined && idNumber !== openIfReadable(secrets, before.idNumber)) {
    after.idNumber = idNumber === null ? null : secrets.seal(idNumber)
  }
  const others = new Set(secondaryOrganizationIds ?? before.secondaryOrganizationIds)
  // The first department can't also be a secondary one.
  if (after.organizationId !== null) others.delete(after.organizationId)
  after.secondaryOrganizationIds = [...others].sort()
  return after
}
