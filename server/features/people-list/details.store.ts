import type { Language } from '#shared/contract/endpoint.ts'
import type { UserDetails } from '#shared/contract/users.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import { namedJson, type PersonListRow } from './people-list.store.ts'
import { type ExemptionColumns, exemptionColumns, stateColumns } from './person-states.store.ts'

type Condition = SqlFragment

export type DetailsRow = Omit<PersonListRow, 'lastIp' | 'lastOnCampus'> &
  Pick<
    UserDetails,
    | 'nickname'
    | 'gender'
    | 'birthday'
    | 'hasIdNumber'
    | 'organizationPath'
    | 'secondaryOrganizations'
    | 'roles'
    | 'alias'
    | 'hasPassword'
  > &
  ExemptionColumns & {
    updatedAt: Date
    mayEdit: boolean
    mayUnlock: boolean
    mayReset: boolean
  }

type DetailsQuery = {
  id: string
  language: Language
  now: Date
  inScope: Condition
  /** For an organisation `a` above the person's. */
  ancestorInScope: Condition
  /** For a secondary department `s`. */
  secondaryInScope: Condition
  mayEdit: Condition
  mayUnlock: Condition
  mayReset: Condition
}

const namedListJson = (db: Db, alias: string, language: Language) =>
  db`json_build_object('id', ${db(alias)}.id, 'code', ${db(alias)}.code, 'name', ${localized(db, alias, language)})`

/** All details of a person, as far as they are in scope; also of a deleted one. */
export async function findDetails(db: Db, query: DetailsQuery): Promise<DetailsRow | null> {
  const { id, language, now } = query
  const [row] = await db<DetailsRow[]>`
    select u.id, u.account, u.name, u.nickname, u.gender, u.birthday::text as birthday, u.id_number is not null as has_id_number,
      u.phone, u.mailbox, u.alias, u.is_super_user, u.version, u.updated_at,
      u.custom_values,
      u.last_login_at, ${stateColumns(db, now)}, ${exemptionColumns(db, now)},
      exists (select from passwords p where p.user_id = u.id) as has_password,
      ${namedJson(db, 'o', language)} as organization, ${namedJson(db, 'c', language)} as category,
      ${namedJson(db, 'n', language)} as personnel_type,
      array(select ${localized(db, 'a', language)} from unnest(o.ancestor_ids) with ordinality p(id, position)
        join organizations a on a.id = p.id where ${query.ancestorInScope} order by p.position) as organization_path,
      (select coalesce(json_agg(${namedListJson(db, 's', language)} order by s.code), '[]') from user_organizations m
        join organizations s on s.id = m.organization_id where m.user_id = u.id and ${query.secondaryInScope}) as secondary_organizations,
      (select coalesce(json_agg(${namedListJson(db, 'r', language)} order by r.code), '[]') from role_members m
        join roles r on r.id = m.role_id where m.user_id = u.id) as roles,
      ${query.mayEdit} as may_edit, ${query.mayUnlock} as may_unlock, ${query.mayReset} as may_reset
    from users u left join organizations o on o.id = u.organization_id left join user_categories c on c.id = u.category_id
      left join personnel_types n on n.id = u.personnel_type_id
    where u.id = ${id} and ${query.inScope}`
  return row ?? null
}
