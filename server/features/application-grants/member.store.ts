import type { SubjectKind } from '#shared/contract/application-grants.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'

export type Member = { memberId: string; kind: SubjectKind; code: string; name: string }

/** Which people (`u`) and organisations (`o`) the caller may refer to; roles and categories span organisations. */
export type MemberScope = { people: SqlFragment; organizations: SqlFragment; others: boolean }

const TABLES: Record<SubjectKind, string> = {
  role: 'roles',
  organization: 'organizations',
  category: 'user_categories',
  user: 'users',
}

/** Prevents its deletion until the transaction ends: a grant has no foreign key to its subject. @returns false if it is deleted. */
export async function lockMember(db: Db, { memberId, kind }: Pick<Member, 'memberId' | 'kind'>): Promise<boolean> {
  const rows = await db`select from ${db(TABLES[kind])} where id = ${memberId} for key share`
  return rows.length > 0
}

/** The roles, organisations, categories and people with these ids that the caller may refer to. */
export const findMembers = (db: Db, ids: readonly string[], allowed: MemberScope, language: Language) => db<Member[]>`
    select u.id as member_id, 'user' as kind, u.account as code, u.name
    from users u where u.id = any(${ids as string[]}::uuid[]) and u.deleted_at is null and ${allowed.people}
    union all
    select o.id, 'organization', o.code, ${localized(db, 'o', language)}
    from organizations o where o.id = any(${ids as string[]}::uuid[]) and ${allowed.organizations}
    union all
    select r.id, 'role', r.code, ${localized(db, 'r', language)} from roles r where r.id = any(${ids as string[]}::uuid[]) and ${allowed.others}
    union all
    select c.id, 'category', c.code, ${localized(db, 'c', language)}
    from user_categories c where c.id = any(${ids as string[]}::uuid[]) and ${allowed.others}
    limit 1000`
