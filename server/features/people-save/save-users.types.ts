import type { CustomFieldName } from '#shared/contract/field-rules.ts'
import type { FieldProblem } from '#shared/contract/users.ts'

/** What can be set of a person; absent leaves it unchanged (for a new person: empty), null clears it. */
export type PersonFields = {
  name?: string
  nickname?: string | null
  gender?: 'male' | 'female' | 'unknown'
  /** YYYY-MM-DD. */
  birthday?: string | null
  /** As typed; stored sealed. */
  idNumber?: string | null
  organizationId?: string | null
  secondaryOrganizationIds?: readonly string[]
  categoryId?: string | null
  personnelTypeId?: string | null
  /** As typed; stored as E.164. */
  phone?: string | null
  mailbox?: string | null
  alias?: string | null
  enabled?: boolean
  /** ISO timestamps. */
  validFrom?: string | null
  validUntil?: string | null
  /** Custom fields. */
  [custom: CustomFieldName]: string | null
}

/** An existing person is identified by `id`, or else by `account`, which never changes; others are created (see `SaveOptions`). */
export type PersonInput = PersonFields & {
  account: string
  id?: string
  /** Absent: any. */
  version?: number
}

/** Values that a save replaced or wrote, by field, as stored (the ID number sealed): what an undo needs. */
export type PersonValues = Required<PersonFields>

export type SaveOptions = {
  /** `upsert`: create missing people and change existing ones. */
  mode: 'create' | 'update' | 'upsert'
  /** Only report what would happen. */
  dryRun?: boolean
  /**
   * Asked which rows to write, when everything is known of them and those who exist are locked. One of them is still refused if its login
   * name stays with somebody who is not written.
   */
  writesOnly?: (outcomes: readonly SaveOutcome[]) => Promise<readonly boolean[]>
  /** With `dryRun`: reveal nothing that the caller may not read. */
  preventEnumeration?: boolean
  /** A data source writes, which field rules may name as the only editor. */
  isSource?: boolean
  /** The caller has left out what other sources own; otherwise such changes are refused. */
  leavesOwned?: boolean
  /** For the audit records. */
  reason?: string
  /** The permission that a caller who is no super user needs; by default `edit`. */
  permission?: 'edit' | 'import'
  /** Notify people whose bound phone or mailbox changes; for a form, not for thousands at once. */
  notify?: boolean
  /** True: new people may log in with credentials they are given later; false (default): they must activate first. */
  activated?: boolean
}

/** The result of a row, in the order of the rows. */
export type SaveOutcome = {
  status: 'created' | 'updated' | 'unchanged' | 'refused'
  /** Null if creation was rejected. */
  id: string | null
  account: string
  /** Why it was rejected, field by field. */
  problems: FieldProblem[]
  /** Why it was rejected as a whole: an error code such as `version.conflict` or `user.last-super-user`. */
  code: string | null
  /** Of an update: the changed fields only, before and after. Of a creation: everything, after only. */
  before: Partial<PersonValues> | null
  after: Partial<PersonValues> | null
}

/** A field of `PersonValues`. */
export type ValueField = keyof PersonValues
