import { errors, type Refusal } from '../../platform/errors.ts'

/** Somebody else was faster: with how it stands now. */
export const versionConflict = (current: unknown): Refusal => errors['version.conflict']({ data: { current } })
