import type { SubjectKind } from '#shared/contract/application-grants.ts'
import type { Db } from '../../platform/db.ts'

type GrantKey = { applicationId: string; memberId: string }

type GrantStateRow = {
  applicationId: string
  appId: string
  application: string
  member: { id: string; kind: SubjectKind; code: string; name: string }
  /** Null: not granted. */
  grant: { validFrom: Date | null; validUntil: Date | null; version: number } | null
}

/** The current grants of these pairs; a pair whose application or member is deleted is missing. */
export async function findGrantStates(db: Db, pairs: readonly GrantKey[]): Promise<GrantStateRow[]> {
  const rows = await db<
    (Omit<GrantStateRow, 'grant'> & { validFrom: Date | null; validUntil: Date | null; version: number | null })[]
  >`
    with members as (
      select p.application_id, m.* from unnest(${pairs.map((one) => one.applicationId)}::uuid[],
          ${pairs.map((one) => one.memberId)}::uuid[]) as p(application_id, member_id)
        cross join lateral (
          select u.id, 'user' as kind, u.account as code, u.name from users u where u.id = p.member_id and u.deleted_at is null
          union all select o.id, 'organization', o.code, o.name from organizations o where o.id = p.member_id
          union all select r.id, 'role', r.code, r.name from roles r where r.id = p.member_id
          union all select c.id, 'category', c.code, c.name from user_categories c where c.id = p.member_id) m)
    select a.id as application_id, a.app_id, a.name as application,
      jsonb_build_object('id', m.id, 'kind', m.kind, 'code', m.code, 'name', m.name) as member,
      g.valid_from, g.valid_until, g.version
    from members m join applications a on a.id = m.application_id and not a.built_in and a.deleted_at is null
      left join application_grants g on g.application_id = a.id and g.subject_kind = m.kind and g.subject_id = m.id`
  return rows.map(({ validFrom, validUntil, version, ...row }) => ({
    ...row,
    grant: version === null ? null : { validFrom, validUntil, version },
  }))
}
