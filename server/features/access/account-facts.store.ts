import type { Db } from '../../platform/db.ts'
import { toFragment } from '../../platform/statement.ts'

/** Columns of `AccountFacts` from `users u`. */
export const ACCOUNT_FACT_COLUMNS = `
  u.enabled, u.activated, u.deleted_at as "deletedAt", u.locked_at as "lockedAt", u.locked_until as "lockedUntil",
  u.frozen_from as "frozenFrom", u.frozen_until as "frozenUntil", u.valid_from as "validFrom", u.valid_until as "validUntil",
  u.must_change_password as "mustChangePassword"`

/** `ACCOUNT_FACT_COLUMNS` as a fragment. */
export const accountFactColumns = (db: Db) => toFragment(db, ACCOUNT_FACT_COLUMNS, {})
