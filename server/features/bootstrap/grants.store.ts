import type { Db } from '../../platform/db.ts'
import type { GrantRow } from '../application-grants/index.ts'

const MAX_GRANTS = 1_000_000

export const listGrants = (db: Db, applicationIds: readonly string[]) => db<GrantRow[]>`
  select application_id, subject_kind as kind, subject_id
  from application_grants where application_id = any(${applicationIds as string[]}::uuid[]) limit ${MAX_GRANTS}`
