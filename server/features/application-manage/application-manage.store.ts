import type { Db } from '../../platform/db.ts'

/** Which of these codes and client ids other applications have; deleted ones count, since they can be restored. */
export const findTakenNames = (db: Db, names: { exceptId: string | null; appIds: string[]; clientIds: string[] }) => db<
  { appId: string; clientId: string | null }[]
>`
  select app_id, client_id from applications
  where id is distinct from ${names.exceptId}::uuid
    and (app_id = any(${names.appIds}) or client_id = any(${names.clientIds})) limit 1000`

/** What disabling an application would affect. */
export async function countImpact(db: Db, id: string, now: Date) {
  const since = new Date(now.getTime() - 30 * 24 * 3_600_000)
  const [row] = await db<{ inside: number; grants: number; consents: number; visits: number }[]>`
    select
      (select count(distinct s.user_id)::int from (
        select id, user_id from sso_sessions where ended_at is null and expires_at > ${now} order by opened_at desc limit 50000
      ) s where exists (select from session_clients v where v.sso_session_id = s.id and v.application_id = ${id})
        or exists (
          select from session_services v
          where v.sso_session_id = s.id and v.application_id = ${id} and v.ticket is not null)) as inside,
      (select count(*)::int from application_grants where application_id = ${id}) as grants,
      (select count(*)::int from (select 1 from consents where application_id = ${id} limit 10001) c) as consents,
      (select count(*)::int from (
        select 1 from visit_records where application_id = ${id} and at > ${since} and refusal is null limit 10001) c) as visits`
  return row ?? { inside: 0, grants: 0, consents: 0, visits: 0 }
}
