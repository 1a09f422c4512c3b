import type { GrantState } from '#shared/contract/application-grants.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { listPage, type Page, type PageQuery } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import { grantState } from './grants.store.ts'
import type { Member } from './member.store.ts'
import { applicationMatches, applicationName } from './selectable-applications.store.ts'

export type MemberGrantRow = {
  appId: string
  name: string
  description: string
  picture: string | null
  url: string
  state: 0 | 1
  categoryId: string | null
  categoryName: string | null
  grantState: GrantState
  validFrom: Date | null
  validUntil: Date | null
  grantedAt: Date | null
  grantedBy: string | null
  openToAll: boolean
  version: number
}

export type MemberGrantsFilter = {
  member: Pick<Member, 'memberId' | 'kind'>
  search: string
  categoryId: string | null
  /** A category with those below it. */
  pcategoryId: string | null
}

const authorised = (db: Db, { member, search, categoryId, pcategoryId }: MemberGrantsFilter) => db`
  from application_grants g join applications a on a.id = g.application_id
    left join application_categories c on c.id = a.category_id
  where g.subject_kind = ${member.kind} and g.subject_id = ${member.memberId} and not a.built_in and a.deleted_at is null
    and ${applicationMatches(db, search)}
    ${categoryId ? db`and a.category_id = ${categoryId}` : db``}
    ${pcategoryId ? db`and ${pcategoryId} in (c.id, c.parent_id)` : db``}`

export function pageOfMemberGrants(
  db: Db,
  filter: MemberGrantsFilter,
  { now, language }: { now: Date; language: Language },
  query: PageQuery,
): Promise<Page<MemberGrantRow>> {
  const from = authorised(db, filter)
  return listPage(
    db,
    query,
    from,
    ({ asc, bounds }) => db<MemberGrantRow[]>`
      select a.app_id, ${applicationName(db, language)} as name,
        coalesce(a.descriptions->>${language}, a.description) as description, a.picture, coalesce(a.url, '') as url,
        a.enabled::int as state, a.category_id, ${localized(db, 'c', language)} as category_name,
        ${grantState(db, now)} as grant_state, g.valid_from, g.valid_until,
        g.granted_at, (select b.name from users b where b.id = g.granted_by) as granted_by,
        a.type = 'whitelist' as open_to_all, g.version
      ${from}
      order by coalesce(c.position, 2147483647) ${asc}, coalesce(c.code, '') ${asc}, a.position ${asc}, a.app_id ${asc}
      ${bounds}`,
  )
}
