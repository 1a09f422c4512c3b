import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import { type Ranked, takesPrecedence } from '../field-authority/index.ts'

export type DepartmentLink = {
  externalId: string
  organizationId: string
  missingRuns: number
  missingSince: Date | null
  takenVersion: number | null
}

export const listDepartmentLinks = (db: Db, syncId: string) => db<DepartmentLink[]>`
  select external_id, organization_id, missing_runs,
    missing_since, taken_version
  from directory_department_links where sync_id = ${syncId}`

export async function countDepartmentLinks(db: Db, syncId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from directory_department_links where sync_id = ${syncId}`
  return row?.count ?? 0
}

/** Linked departments without a row in the run. */
export const listGoneDepartments = (db: Db, { runId, syncId }: { runId: string; syncId: string }) => db<
  DepartmentLink[]
>`
  select external_id, organization_id, missing_runs, missing_since, taken_version from directory_department_links l
  where sync_id = ${syncId}
    and not exists (select from directory_sync_rows r where r.run_id = ${runId} and r.external_id = l.external_id)
  order by external_id`

/** Those of these departments that another sync currently has. */
export async function listElsewhere(db: Db, syncId: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ organizationId: string }[]>`
    select organization_id from directory_department_links
    where organization_id = any(${ids as string[]}::uuid[]) and sync_id <> ${syncId} and missing_since is null`
  return new Set(rows.map(({ organizationId }) => organizationId))
}

/** Hash of all that a plan compares with rows: the departments here, the links of the sync, and whose fields they are. */
export async function stampDepartments(db: Db, sync: Ranked): Promise<string> {
  const [row] = await db<{ stamp: string }[]>`
    select concat_ws(' ',
      (select sum(hash_record_extended(row(id, code, name, attribute, parent_id, position, enabled), 0)) from organizations),
      (select sum(hash_record_extended(row(external_id, organization_id, taken_version), 0))
        from directory_department_links where sync_id = ${sync.id}),
      (select sum(hash_record_extended(row(l.organization_id, y.id, y.rank, y.objects, y.departments -> 'mapping'), 0))
        from directory_department_links l join directory_syncs y on y.id = l.sync_id
        where l.missing_since is null and ${takesPrecedence(db, sync)})) as stamp`
  return row?.stamp ?? ''
}

type NewLink = { externalId: string; organizationId: string }

export async function saveDepartmentLinks(
  db: Db,
  { syncId, runId, at }: { syncId: string; runId: string; at: Date },
  links: readonly NewLink[],
): Promise<void> {
  await db`
    insert into directory_department_links (sync_id, external_id, organization_id, run_id, linked_at)
    select ${syncId}, g."externalId", g."organizationId", ${runId}, ${at}
    from jsonb_to_recordset(${JSON.stringify(links)}::text::jsonb) as g("externalId" text, "organizationId" uuid)
    on conflict (sync_id, external_id) do update set missing_runs = 0, missing_since = null, taken_version = null`
}

/** Records what the sync disabled, with the version after it: a later change belongs to whoever made it. */
export const markDepartmentsTaken = (db: Db, syncId: string, ids: readonly string[]) => db`
  update directory_department_links l set taken_version = o.version from organizations o
  where l.sync_id = ${syncId} and o.id = l.organization_id and o.id = any(${ids as string[]}::uuid[])`

export const unmarkDepartmentsTaken = (db: Db, syncId: string, ids: readonly string[]) => db`
  update directory_department_links set taken_version = null
  where sync_id = ${syncId} and organization_id = any(${ids as string[]}::uuid[])`

/** Updates the links of rows that an applied run didn't have to write. */
export async function settleDepartmentLinks(
  db: Db,
  { runId, syncId, at }: { runId: string; syncId: string; at: Date },
): Promise<void> {
  await db`
    update directory_department_links l set missing_runs = 0, missing_since = null
    from directory_sync_rows r
    where l.sync_id = ${syncId} and (l.missing_runs > 0 or l.missing_since is not null) and r.run_id = ${runId}
      and r.external_id = l.external_id and r.cells is not null`
  await db`
    update directory_department_links l set missing_runs = l.missing_runs + 1, missing_since = coalesce(l.missing_since, ${at})
    from directory_sync_rows r
    where l.sync_id = ${syncId} and r.run_id = ${runId} and r.external_id = l.external_id and r.cells is null`
}

/** Are there unchanged departments that are not linked yet, or from which something was taken? */
export async function hasUnlinkedDepartments(
  db: Db,
  { runId, syncId }: { runId: string; syncId: string },
): Promise<boolean> {
  const [row] = await db`
    select from directory_sync_rows r
    left join directory_department_links l on l.sync_id = ${syncId} and l.external_id = r.external_id
    where r.run_id = ${runId} and r.outcome = 'unchanged' and (l.sync_id is null or l.taken_version is not null) limit 1`
  return row !== undefined
}

/** This source's departments by key, which rows of people refer to. */
export const listDepartmentKeys = (db: Db, sourceId: string) => db<{ externalId: string; organizationId: string }[]>`
  select external_id, organization_id
  from directory_department_links where sync_id in (select id from directory_syncs where source_id = ${sourceId})`

export async function listAttributes(db: Db): Promise<Set<string>> {
  const rows = await db<{ code: string }[]>`select code from organization_attributes`
  return new Set(rows.map(({ code }) => code))
}

/** The names of attributes, by code. */
export async function listAttributeNames(
  db: Db,
  codes: readonly string[],
  language: Language,
): Promise<Map<unknown, string>> {
  const rows = await db<{ code: string; name: string }[]>`
    select v.code, ${localized(db, 'v', language)} as name from organization_attributes v
    where v.code = any(${codes as string[]})`
  return new Map(rows.map(({ code, name }) => [code, name]))
}
