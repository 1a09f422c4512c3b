import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'

/** Applications granted to a role, whatever the dates. */
export const listGrantedApplications = (db: Db, roleId: string, language: Language, most: number) => db<
  { appId: string; name: string }[]
>`
  select a.app_id, ${localized(db, 'a', language)} as name
  from application_grants g join applications a on a.id = g.application_id and a.deleted_at is null
  where g.subject_kind = 'role' and g.subject_id = ${roleId}
  order by a.app_id limit ${most}`
