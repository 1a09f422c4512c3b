import type { SyncOutcome } from '#shared/contract/directory-syncs.ts'

export type BookKind = 'department' | 'person'
export type BookProblem = { key: string; params?: Record<string, string> }

/** Of a department, or of somebody: what is compared and written. */
export type BookValues = {
  name?: string
  mobile?: string
  email?: string
  /** Where it stands there: the department's parent, or those of somebody that this sync looks after. */
  departments?: number[]
  /** Where it is to stand: our department. */
  place?: string
  /** Departments there that are not ours to take somebody out of. */
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
  /** Sealed: what was sent last. */
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
