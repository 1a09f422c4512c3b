import type { SyncOutcome } from '#shared/contract/sync-runs.ts'

export type BookKind = 'department' | 'person'
export type BookProblem = { key: string; params?: Record<string, string> }

/** The values of a department or person that are compared and written. */
export type BookValues = {
  name?: string
  mobile?: string
  email?: string
  /** Vendor ids: the department's parent, or those departments of a person that this sync manages. */
  departments?: number[]
  /** Our department that it has to be in. */
  organizationId?: string
  /** The person's departments there that this sync doesn't manage and must not remove. */
  kept?: number[]
  isDisabled?: boolean
  isDeleted?: boolean
}

export type BookPlanRow = {
  kind: BookKind
  localId: string
  externalId: string | null
  outcome: SyncOutcome
  before: BookValues | null
  after: BookValues | null
  problem: BookProblem | null
}

export type BookLink = {
  kind: BookKind
  localId: string
  externalId: string
  /** The values sent last, encrypted. */
  sent: string | null
  isDisabled: boolean
  isMissing: boolean
}

export type LocalPerson = {
  id: string
  account: string
  name: string
  phone: string | null
  /** Null also at a mail provider: the address is the id there. */
  mailbox: string | null
  organizationId: string
  /** Who they are there once they are created: the account, or the address of their mailbox. */
  userid: string
  /** Why they can't be anybody there. */
  problem: BookProblem | null
}
