import type { CustomFieldName } from '#shared/contract/field-rules.ts'
import type { FieldProblem } from '#shared/contract/users.ts'

/** What may be set of a person; absent stays as it is (of somebody new: is empty), null takes a value away. */
export type PersonFields = {
  name?: string
  nickname?: string | null
  gender?: 'male' | 'female' | 'unknown'
  /** YYYY-MM-DD. */
  birthday?: string | null
  /** As typed; kept sealed. */
  idNumber?: string | null
  organizationId?: string | null
  secondaryOrganizationIds?: readonly string[]
  categoryId?: string | null
  personnelNatureId?: string | null
  /** As typed; kept as E.164. */
  phone?: string | null
  mailbox?: string | null
  alias?: string | null
  enabled?: boolean
  /** ISO moments. */
  validFrom?: string | null
  validUntil?: string | null
  /** Of the fields that the institution defined. */
  [custom: CustomFieldName]: string | null
}

/** Somebody known goes by `id` or else by `account`, which never changes; whoever isn't found is created (see `SaveOptions`). */
export type PersonInput = PersonFields & {
  account: string
  id?: string
  /** Absent: whatever it is now. */
  version?: number
}

/** Values that a save replaced or wrote, by field, as they stand in the database (the ID number sealed): what an undo needs. */
export type PersonValues = Required<PersonFields>

export type SaveOptions = {
  /** `upsert`: create who is not there and change who is. */
  mode: 'create' | 'update' | 'upsert'
  /** Only tell what would happen. */
  dryRun?: boolean
  /** With `dryRun`: tell nobody what they may not read. */
  preventEnumeration?: boolean
  /** A source of people writes, which rules of fields may name as the only one that does. */
  isSource?: boolean
  /** Of the audit lines. */
  reason?: string
  /** Which power the caller has to have where they are no super user; `edit`. */
  power?: 'edit' | 'import'
  /** Tell people whose bound phone or mailbox changes; for a form, not for thousands at once. */
  notify?: boolean
  /** New people may log in with what they are given later, or (false, the default) have to activate first. */
  activated?: boolean
}

/** What became of a row, in the order of the rows. */
export type SaveOutcome = {
  status: 'created' | 'updated' | 'unchanged' | 'refused'
  /** Null of somebody who was refused before there was anybody. */
  id: string | null
  account: string
  /** Why it was refused, field by field. */
  problems: FieldProblem[]
  /** Why it was refused as a whole: an error code such as `version.conflict` or `user.last-super-user`. */
  code: string | null
  /** Of an update: the changed fields only, before and after. Of a creation: everything, after only. */
  before: Partial<PersonValues> | null
  after: Partial<PersonValues> | null
}

/** A field of `PersonValues`. */
export type ValueField = keyof PersonValues
