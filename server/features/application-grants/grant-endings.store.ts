import type { Db } from '../../platform/db.ts'

/** The target's own grants stay; a longer or earlier period of the source's extends them. */
export async function moveGrants(db: Db, from: string, to: string): Promise<void> {
  await db`
    insert into application_grants as g (application_id, subject_kind, subject_id, valid_from, valid_until, granted_at, granted_by)
    select application_id, subject_kind, ${to}, valid_from, valid_until, granted_at, granted_by
    from application_grants where subject_kind = 'organization' and subject_id = ${from}
    on conflict (application_id, subject_kind, subject_id) do update set
      valid_from = case when g.valid_from is null or excluded.valid_from is null then null else least(g.valid_from, excluded.valid_from) end,
      valid_until = case when g.valid_until is null or excluded.valid_until is null then null else greatest(g.valid_until, excluded.valid_until) end,
      version = g.version + 1`
}
