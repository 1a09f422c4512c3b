import type { Context } from '../../platform/platform.ts'
import type { PersonInput, SaveOptions, SaveOutcome } from './save-users.types.ts'

/** The rows of one call; more go in several. */
export const MOST_ROWS = 5000

/**
 * Creates and changes people, all rows in a few statements: one way for the form, for many at once and for an import. Each row is
 * checked by itself (formats, login names within the rows and against everybody, scope of the caller, the last super user); the good
 * ones are written in one transaction with their audit lines, an unchanged one writes nothing.
 * Without a caller (a job) every organisation is in scope: pass the context of whoever started it.
 */
export async function saveUsers(
  _ctx: Context,
  _rows: readonly PersonInput[],
  _options: SaveOptions,
): Promise<SaveOutcome[]> {
  throw new Error('not there yet')
}
