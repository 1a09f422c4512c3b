import type { Db } from '../../platform/db.ts'

export type SwitchRow = { apiId: string; enabled: boolean; version: number }

export const listSwitches = (db: Db) => db<SwitchRow[]>`
  select api_id, enabled, version from interfaces order by api_id limit 1000`

/** Enables or disables an interface, if nobody did since `version` (0: nobody ever did). @returns false otherwise. */
export async function upsertSwitch(
  db: Db,
  { apiId, enabled, version, at, by }: SwitchRow & { at: Date; by: string },
): Promise<boolean> {
  const saved = await db`
    insert into interfaces as i (api_id, enabled, version, updated_at, updated_by)
    select ${apiId}, ${enabled}, 1, ${at}, ${by} where ${version} = 0 or exists (select from interfaces where api_id = ${apiId})
    on conflict (api_id) do update set enabled = excluded.enabled, version = i.version + 1,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by
    where i.version = ${version}`
  return saved.count > 0
}

export type UsageRow = { apiId: string; calls: number; failures: number }

/** Calls since a moment by interface; of one application, or of all. */
export const countUsageSince = (db: Db, since: Date, applicationId: string | null) => db<UsageRow[]>`
  select api_id, sum(calls)::int as calls, sum(failures)::int as failures from api_call_hours
  where hour > ${since} ${applicationId ? db`and application_id = ${applicationId}` : db``} group by api_id`

export const countGrants = (db: Db) => db<{ apiId: string; applications: number }[]>`
  select g.api_id, count(*)::int as applications
  from application_interfaces g join applications a on a.id = g.application_id
  where a.deleted_at is null group by 1`

export type GrantRow = {
  apiId: string
  callsPerMinute: number | null
  grantedAt: Date
  grantedBy: string | null
  version: number
}

export const grantsOf = (db: Db, applicationId: string) => db<GrantRow[]>`
  select g.api_id, g.calls_per_minute, g.granted_at, u.name as granted_by,
    g.version
  from application_interfaces g left join users u on u.id = g.granted_by
  where g.application_id = ${applicationId} order by g.api_id limit 1000`

type InterfaceGrantInput = { applicationId: string; apiIds: string[]; at: Date; by: string }

/** @returns how many were not granted before. */
export async function insertGrants(db: Db, { applicationId, apiIds, at, by }: InterfaceGrantInput): Promise<number> {
  const inserted = await db`
    insert into application_interfaces (application_id, api_id, granted_at, granted_by)
    select ${applicationId}, api_id, ${at}, ${by} from unnest(${apiIds}::text[]) as api_id
    on conflict do nothing`
  return inserted.count
}

export async function deleteGrants(db: Db, applicationId: string, apiIds: string[]): Promise<number> {
  const deleted = await db`
    delete from application_interfaces where application_id = ${applicationId} and api_id = any(${apiIds})`
  return deleted.count
}

type InterfaceLimitInput = { applicationId: string; apiId: string; callsPerMinute: number | null; version: number }

export async function updateLimit(
  db: Db,
  { applicationId, apiId, callsPerMinute, version }: InterfaceLimitInput,
): Promise<boolean> {
  const saved = await db`
    update application_interfaces set calls_per_minute = ${callsPerMinute}, version = version + 1
    where application_id = ${applicationId} and api_id = ${apiId} and version = ${version}`
  return saved.count > 0
}

/** The application with an id, except the portal itself; its row locked if `lock`. */
export async function findApplication(db: Db, id: string, lock = false) {
  const [row] = await db<{ id: string; appId: string }[]>`
    select id, app_id from applications where id = ${id} and not built_in ${lock ? db`for update` : db``}`
  return row ?? null
}
