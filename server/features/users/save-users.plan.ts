import { v7 } from 'uuid'
import type { FieldProblem, PersonField } from '#shared/contract/users.ts'
import type { SecretBox } from '../../platform/crypto.ts'
import { type CheckedPerson, checkedAccount, checkedFields } from './person-fields.ts'
import type { Existing } from './save-users.store.ts'
import type { PersonFields, PersonInput, PersonValues, SaveOptions, ValueField } from './save-users.types.ts'

/** One row on its way: what is there, what is to be there, and what is in its way. */
export type Planned = {
  account: string
  id: string
  existing: Existing | null
  after: PersonValues
  changed: ValueField[]
  problems: FieldProblem[]
  code: string | null
}

const NOBODY: PersonValues = {
  name: '',
  nickname: null,
  gender: 'unknown',
  birthday: null,
  idNumber: null,
  organizationId: null,
  secondaryOrganizationIds: [],
  categoryId: null,
  personnelNatureId: null,
  phone: null,
  mailbox: null,
  alias: null,
  enabled: true,
  validFrom: null,
  validUntil: null,
}

/** Input whose form was judged; nothing was looked up yet. */
export type Judged = CheckedPerson & { input: PersonInput; account: string }

export function judged(input: PersonInput, now: Date): Judged {
  const { fields, problems } = checkedFields(input, now)
  const checked: ReturnType<typeof checkedAccount> =
    input.id === undefined ? checkedAccount(input.account) : { value: input.account }
  if ('problem' in checked) problems.unshift({ field: 'account', problem: checked.problem })
  return { input, fields, problems, account: 'value' in checked ? checked.value : input.account.trim() }
}

type Known = { byId: ReadonlyMap<string, Existing>; byAccount: ReadonlyMap<string, Existing>; secrets: SecretBox }

/** What a row is to become, from what is there; references and login names are looked at afterwards. */
export function planRow(
  { input, fields, problems, account }: Judged,
  known: Known,
  mode: SaveOptions['mode'],
): Planned {
  const existing = input.id === undefined ? known.byAccount.get(account) : known.byId.get(input.id)
  const before = existing?.values ?? NOBODY
  const after = merged(before, fields, known.secrets)
  const changed = (Object.keys(after) as ValueField[]).filter((field) => !isSame(before[field], after[field]))
  const row: Planned = {
    account: existing?.account ?? account,
    id: existing?.id ?? v7(),
    existing: existing ?? null,
    after,
    changed,
    problems: [...problems],
    code: codeOf(input, existing, mode),
  }
  checkWhole(row, fields, mode)
  return row
}

function checkWhole(row: Planned, fields: PersonFields, mode: SaveOptions['mode']): void {
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

export function addProblem(row: Planned, field: PersonField, problem: FieldProblem['problem']): void {
  row.problems.push({ field, problem })
}

export const isGood = ({ problems, code }: Planned): boolean => problems.length === 0 && code === null
export const isWritten = (row: Planned): boolean => isGood(row) && (!row.existing || row.changed.length > 0)

function codeOf(input: PersonInput, existing: Existing | undefined, mode: SaveOptions['mode']): string | null {
  if (mode === 'update' && !existing?.mayChange) return 'user.not-found'
  if (existing && input.version !== undefined && input.version !== existing.version) return 'version.conflict'
  return null
}

const isSame = (one: unknown, other: unknown) => one === other || JSON.stringify(one) === JSON.stringify(other)

function merged(before: PersonValues, fields: PersonFields, secrets: SecretBox): PersonValues {
  const { idNumber, secondaryOrganizationIds, ...rest } = fields
  const after: PersonValues = { ...before, ...rest }
  if (idNumber !== undefined && idNumber !== opened(secrets, before.idNumber)) {
    after.idNumber = idNumber === null ? null : secrets.seal(idNumber)
  }
  const others = new Set(secondaryOrganizationIds ?? before.secondaryOrganizationIds)
  // The first department is no further one.
  if (after.organizationId !== null) others.delete(after.organizationId)
  after.secondaryOrganizationIds = [...others].sort()
  return after
}

/** Null also for what was sealed with a key that is gone: then it is written anew. */
function opened(secrets: SecretBox, sealed: string | null): string | null {
  try {
    return sealed === null ? null : secrets.open(sealed)
  } catch {
    return null
  }
}
