import type { Language } from '#shared/contract/endpoint.ts'
import type { PersonalData } from '#shared/contract/profile.ts'
import type { Db } from '../../platform/db.ts'

type PersonRow = Omit<PersonalData, 'picture'> & { avatarId: string | null }

export async function findPerson(db: Db, id: string, language: Language): Promise<PersonRow | null> {
  const [row] = await db<PersonRow[]>`
    select u.id as "userId", u.account, u.name, u.nickname as nick, u.gender, u.birthday::text as birthday,
      u.avatar_id as "avatarId", u.version, coalesce(c.names->>${language}, c.name) as category,
      array(
        select coalesce(a.names->>${language}, a.name) from organizations a
        where a.id = any(o.ancestor_ids) order by array_position(o.ancestor_ids, a.id)
      ) as organizations
    from users u
    left join organizations o on o.id = u.organization_id
    left join user_categories c on c.id = u.category_id
    where u.id = ${id} and u.deleted_at is null`
  return row ?? null
}

export type Editable = {
  nickname: string | null
  birthday: string | null
  gender: PersonalData['gender']
  avatarId: string | null
}

export async function lockEditable(db: Db, id: string): Promise<(Editable & { version: number }) | null> {
  const [row] = await db<(Editable & { version: number })[]>`
    select nickname, birthday::text as birthday, gender, avatar_id as "avatarId", version
    from users where id = ${id} and deleted_at is null for update`
  return row ?? null
}

export async function updateEditable(db: Db, id: string, state: Editable, at: Date): Promise<void> {
  await db`
    update users set nickname = ${state.nickname}, birthday = ${state.birthday}, gender = ${state.gender},
      avatar_id = ${state.avatarId}, version = version + 1, updated_at = ${at}
    where id = ${id}`
}
