import type { UnbindableContact } from '#shared/contract/account-security.ts'

/** The dialog that is open. */
export type OpenDialogKind = 'password' | 'questions' | UnbindableContact | `remove-${UnbindableContact}`
