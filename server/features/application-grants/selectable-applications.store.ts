import type { AppOption } from '#shared/contract/application-grants.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { escapeLike } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import type { Member } from './member.store.ts'

/** More than any institution has; the registry holds no more. */
const MAX_SELECTABLE = 5000

type GrantSubject = Pick<Member, 'memberId' | 'kind'>

/** SQL condition: can the application `a` still be granted to this member? One that is open to all needs no grant. */
export const isSelectable = (db: Db, { kind, memberId }: GrantSubject) => db`
  (a.type = 'system' and not a.built_in and a.deleted_at is null and not exists (
    select from application_grants g
    where g.application_id = a.id and g.subject_kind = ${kind} and g.subject_id = ${memberId}))`

export const applicationName = (db: Db, language: Language) => localized(db, 'a', language)

/** SQL condition: does the application `a` match the search? */
export function applicationMatches(db: Db, search: string) {
  if (search === '') return db`true`
  const part = `%${escapeLike(search)}%`
  const lower = `%${escapeLike(search.toLowerCase())}%`
  return db`(a.name ilike ${part} or a.app_id ilike ${part} or a.name_pinyin like ${lower} or a.name_initials like ${lower}
    or exists (select from jsonb_each_text(a.names) n where n.value ilike ${part}))`
}

export const listSelectableApplications = (db: Db, member: GrantSubject, search: string, language: Language) => db<
  AppOption[]
>`
  select a.app_id, ${applicationName(db, language)} as name, a.picture, a.enabled::int as state,
    a.category_id
  from applications a where ${isSelectable(db, member)} and ${applicationMatches(db, search)}
  order by a.position, a.name, a.app_id limit ${MAX_SELECTABLE}`

type Category = { id: string; name: string; parentId: string | null }

export const listCategories = (db: Db, language: Language) => db<Category[]>`
  select c.id, ${localized(db, 'c', language)} as name, c.parent_id
  from application_categories c order by c.position, c.code limit ${MAX_SELECTABLE}`

type MemberApplicationCounts = { selectable: number; authorised: number; openToAll: number }

export async function countMemberApplications(db: Db, member: GrantSubject): Promise<MemberApplicationCounts> {
  const [row] = await db<MemberApplicationCounts[]>`
    select count(*) filter (where ${isSelectable(db, member)})::int as selectable,
      count(*) filter (where a.type = 'whitelist')::int as open_to_all,
      (select count(*)::int from application_grants g join applications b on b.id = g.application_id
        where g.subject_kind = ${member.kind} and g.subject_id = ${member.memberId} and not b.built_in and b.deleted_at is null) as authorised
    from applications a where not a.built_in and a.deleted_at is null`
  return row ?? { selectable: 0, authorised: 0, openToAll: 0 }
}
