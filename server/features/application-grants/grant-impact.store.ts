import type { GrantImpactChange } from '#shared/contract/application-grants.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { countUpTo10000, type Total } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import { grantHolds, grantHoldsWithout } from '../access/index.ts'
import { type ReachSubjects, reachedPeople } from '../roles/index.ts'
import type { MemberScope } from './member.store.ts'

/** Members whose grant for this application is in force, and whether the application exists. */
export async function findRunningSubjects(db: Db, appId: string, memberIds: readonly string[], now: Date) {
  const [row] = await db<{ running: string[] }[]>`
    select array(select g.subject_id from application_grants g
      where g.application_id = a.id and g.subject_id = any(${memberIds as string[]}::uuid[])
        and (g.valid_from is null or g.valid_from <= ${now}) and (g.valid_until is null or g.valid_until > ${now})
      limit 1000) as running
    from applications a where a.app_id = ${appId} and not a.built_in and a.deleted_at is null`
  return row?.running ?? null
}

type AffectedQuery = {
  appId: string
  change: GrantImpactChange
  subjects: ReachSubjects
  /** The ids of all subjects. */
  ids: readonly string[]
  now: Date
}

/** SQL: people `u`, whose department is `o`, whose access to the application `a` the change affects. */
const affected = (db: Db, { appId, change, subjects, ids, now }: AffectedQuery) => db`
  from (${reachedPeople(db, subjects)}) w join users u on u.id = w.id left join organizations o on o.id = u.organization_id
    cross join applications a
  where a.app_id = ${appId} and not ${change === 'give' ? grantHolds(db, now) : grantHoldsWithout(db, now, ids)}`

/** At most 10,001 people are read per path. */
export const countAffected = (db: Db, query: AffectedQuery): Promise<Total> =>
  countUpTo10000(db, db`select u.id ${affected(db, query)}`)

export type AffectedRow = { id: string; account: string; name: string; organization: string | null }

export const someAffected = (db: Db, query: AffectedQuery, visible: MemberScope['people'], language: Language) => db<
  AffectedRow[]
>`
  select u.id, u.account, u.name, ${localized(db, 'o', language)} as organization ${affected(db, query)} and ${visible}
  order by u.account limit 50`
