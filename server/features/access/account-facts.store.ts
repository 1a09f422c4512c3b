import type { Db } from '../../platform/db.ts'
import { toFragment } from '../../platform/statement.ts'

/** Columns of `AccountFacts` from `users u`. */
export const ACCOUNT_FACT_COLUMNS = `
  u.enabled, u.activated, u.deleted_at, u.locked_at, u.locked_until,
  u.frozen_from, u.frozen_until, u.valid_from, u.valid_until,
  u.must_change_password`

/** `ACCOUNT_FACT_COLUMNS` as a fragment. */
export const accountFactColumns = (db: Db) => toFragment(db, ACCOUNT_FACT_COLUMNS, {})
