import { errors, type Refusal } from '../../platform/errors.ts'

/** The error for a lost update, with the current state. */
export const versionConflict = (current: unknown): Refusal => errors['version.conflict']({ data: { current } })
