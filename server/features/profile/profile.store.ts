import type { Language } from '#shared/contract/endpoint.ts'
import type { PersonalData } from '#shared/contract/profile.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import type { Profile } from '../user-accounts/index.ts'

type PersonRow = Omit<PersonalData, 'picture' | 'fields' | 'custom'> & {
  avatarId: string | null
  customValues: Record<string, string> | null
}

/** SQL conditions: may the caller read the data of the person `u`, and the name of the organisation `a`? */
type ReadConditions = { person: SqlFragment; organization: SqlFragment }

export async function findPersonalData(
  db: Db,
  id: string,
  language: Language,
  conditions: ReadConditions,
): Promise<PersonRow | null> {
  const [row] = await db<PersonRow[]>`
    select u.id as user_id, u.account, u.name, u.nickname as nick, u.gender, u.birthday::text as birthday,
      u.avatar_id, u.custom_values, u.version, ${localized(db, 'c', language)} as category,
      array(
        select ${localized(db, 'a', language)} from organizations a
        where a.id = any(o.ancestor_ids) and ${conditions.organization} order by array_position(o.ancestor_ids, a.id)
      ) as organizations
    from users u
    left join organizations o on o.id = u.organization_id
    left join user_categories c on c.id = u.category_id
    where u.id = ${id} and u.deleted_at is null and ${conditions.person}`
  return row ?? null
}

export async function lockProfile(db: Db, id: string): Promise<(Profile & { version: number }) | null> {
  const [row] = await db<(Profile & { version: number })[]>`
    select nickname, birthday::text as birthday, gender, avatar_id, version
    from users where id = ${id} and deleted_at is null for update`
  return row ?? null
}

type CustomState = { customValues: Record<string, string> | null; version: number }

export async function lockCustomValues(db: Db, id: string): Promise<CustomState | null> {
  const [row] = await db<CustomState[]>`
    select custom_values, version from users where id = ${id} and deleted_at is null for update`
  return row ?? null
}
