import { localized } from '../../platform/localized.ts'
import type { Context } from '../../platform/platform.ts'
import { inScope, mayManage } from '../access/index.ts'

export type ExportedRow = {
  account: string
  name: string
  nickname: string | null
  gender: string
  birthday: string | null
  phone: string | null
  mailbox: string | null
  alias: string | null
  enabled: boolean
  validFrom: Date | null
  validUntil: Date | null
  category: string | null
  personnelType: string | null
  /** Names from the root down, separated by `/`; for a scoped caller from the highest visible organisation. */
  organization: string | null
  /** Empty if the caller may not see all: importing the visible ones would remove the others. */
  secondaryOrganizations: string[]
  roles: string[]
  customValues: Record<string, string> | null
  /** May the caller change this person? Then nothing is masked. */
  isOpen: boolean
}

/** The exported values of these people, as far as the caller may export them; in the order of the ids. */
export function listExportedPeople(ctx: Context, ids: string[]) {
  const { db } = ctx
  const { language } = ctx.client
  return db<ExportedRow[]>`
    select u.account, u.name, u.nickname, u.gender, u.birthday::text, u.phone, u.mailbox, u.alias, u.enabled,
      u.valid_from, u.valid_until, ${localized(db, 'c', language)} as category,
      ${localized(db, 'n', language)} as personnel_type,
      (select string_agg(${localized(db, 'a', language)}, '/' order by cardinality(a.ancestor_ids))
        from organizations a where a.id = any(o.ancestor_ids) and ${inScope(ctx, db`a.id`, 'import')}) as organization,
      case when exists (select from user_organizations uo
          where uo.user_id = u.id and not (${inScope(ctx, db`uo.organization_id`, 'import')})) then '{}'
        else array(select so.code from user_organizations uo join organizations so on so.id = uo.organization_id
          where uo.user_id = u.id order by so.code) end as secondary_organizations,
      array(select r.code from role_members m join roles r on r.id = m.role_id where m.user_id = u.id order by r.code) as roles,
      u.custom_values, ${mayManage(ctx, 'edit')} as is_open
    from users u left join organizations o on o.id = u.organization_id left join user_categories c on c.id = u.category_id
      left join personnel_types n on n.id = u.personnel_type_id
    where u.id = any(${ids}::uuid[]) and ${inScope(ctx, db`u.organization_id`, 'import')} order by u.id`
}
