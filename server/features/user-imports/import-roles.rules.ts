import type { ImportField } from '#shared/contract/user-imports.ts'
import type { Context } from '../../platform/platform.ts'
import { seesEverything } from '../access/index.ts'
import { errors } from './user-imports.errors.ts'

type Mapping = readonly (ImportField | null)[]

/** Only super users import, export and undo roles. */
export const mayImport = (ctx: Context, field: ImportField): boolean => field !== 'roles' || seesEverything(ctx)

/** @throws Refusal `import.columns-not-allowed` for a column that the caller may not import, or no longer. */
export function requireColumnsAllowed(ctx: Context, mapping: Mapping): void {
  if (mapping.some((field) => field !== null && !mayImport(ctx, field))) throw errors['import.columns-not-allowed']()
}
