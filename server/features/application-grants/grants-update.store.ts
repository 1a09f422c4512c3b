import type { SubjectKind } from '#shared/contract/application-grants.ts'
import type { Db } from '../../platform/db.ts'
import { isSelectable } from './selectable-applications.store.ts'

export type NewGrantsInput = {
  member: { memberId: string; kind: SubjectKind }
  validFrom: Date | null
  validUntil: Date | null
  at: Date
  by: string
}

export type ChangedGrantRow = {
  applicationId: string
  appId: string
  name: string
  validFrom: Date | null
  validUntil: Date | null
}

/** Grants what can still be granted: of `appIds`, or with null everything. @returns what was newly granted. */
export const insertGrants = (db: Db, { member, ...wanted }: NewGrantsInput, appIds: readonly string[] | null) => db<
  ChangedGrantRow[]
>`
  with given as (
    insert into application_grants (application_id, subject_kind, subject_id, valid_from, valid_until, granted_at, granted_by)
    select a.id, ${member.kind}, ${member.memberId}, ${wanted.validFrom}, ${wanted.validUntil}, ${wanted.at}, ${wanted.by}
    from applications a
    where ${isSelectable(db, member)} ${appIds ? db`and a.app_id = any(${appIds as string[]})` : db``}
    order by a.id
    on conflict do nothing
    returning application_id, valid_from, valid_until)
  select g.application_id, a.app_id, a.name, g.valid_from,
    g.valid_until
  from given g join applications a on a.id = g.application_id order by a.app_id`

/** Withdraws grants: of `appIds`, or with null everything. @returns what was withdrawn. */
export const deleteGrants = (
  db: Db,
  { memberId, kind }: NewGrantsInput['member'],
  appIds: readonly string[] | null,
) => db<ChangedGrantRow[]>`
  delete from application_grants g using applications a
  where a.id = g.application_id and not a.built_in and a.deleted_at is null
    and g.subject_kind = ${kind} and g.subject_id = ${memberId}
    ${appIds ? db`and a.app_id = any(${appIds as string[]})` : db``}
  returning a.id as application_id, a.app_id, a.name, g.valid_from, g.valid_until`

type ApplicationTypeRow = { appId: string; type: 'system' | 'whitelist' }

/** Those of these applications that exist. */
export const findApplicationTypes = (db: Db, appIds: readonly string[]) => db<ApplicationTypeRow[]>`
  select app_id, type from applications
  where app_id = any(${appIds as string[]}) and not built_in and deleted_at is null`

type GrantDatesInput = { applicationId: string; validFrom: Date | null; validUntil: Date | null; at: Date; by: string }

export const updateGrantRow = (db: Db, { memberId, kind }: NewGrantsInput['member'], dates: GrantDatesInput) => db`
  update application_grants set valid_from = ${dates.validFrom}, valid_until = ${dates.validUntil},
    granted_at = ${dates.at}, granted_by = ${dates.by}, version = version + 1
  where application_id = ${dates.applicationId} and subject_kind = ${kind} and subject_id = ${memberId}`

/** Locks a grant until the transaction ends. */
export async function lockGrant(db: Db, { memberId, kind }: NewGrantsInput['member'], appId: string) {
  const [row] = await db<(ChangedGrantRow & { version: number })[]>`
    select a.id as application_id, a.app_id, a.name, g.valid_from,
      g.valid_until, g.version
    from application_grants g join applications a on a.id = g.application_id
    where a.app_id = ${appId} and not a.built_in and g.subject_kind = ${kind} and g.subject_id = ${memberId}
    for update of g`
  return row ?? null
}

export type GrantRow = { applicationId: string; kind: SubjectKind; subjectId: string }

const grantRows = (db: Db, rows: readonly GrantRow[]) => db`
  jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r("applicationId" uuid, kind text, "subjectId" uuid)`

/** Grants without dates, and without saying who gave them: for what a file says. */
export async function insertGrantRows(db: Db, rows: readonly GrantRow[]): Promise<void> {
  if (rows.length === 0) return
  await db`
    insert into application_grants (application_id, subject_kind, subject_id)
    select r."applicationId", r.kind, r."subjectId" from ${grantRows(db, rows)}`
}

/** Withdraws such grants. */
export async function deleteGrantRows(db: Db, rows: readonly GrantRow[]): Promise<void> {
  if (rows.length === 0) return
  await db`
    delete from application_grants g using ${grantRows(db, rows)}
    where g.application_id = r."applicationId" and g.subject_kind = r.kind and g.subject_id = r."subjectId"`
}
