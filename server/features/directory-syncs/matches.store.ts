import type { MatchKind } from '#shared/contract/sync-matches.ts'
import type { Db } from '../../platform/db.ts'

/** Decisions that later runs follow. */
export type KeptDecision = 'new' | 'keep' | 'ignore'

export type MatchRow = {
  externalId: string
  kind: MatchKind
  account: string
  fields: string
  userIds: string[]
  seenAt: Date
  decision: KeptDecision | null
  decidedBy: string | null
}

export type NewMatch = Pick<MatchRow, 'externalId' | 'kind' | 'account' | 'fields' | 'userIds'>

/** Saves conflicts; an earlier decision about another number or other people expires. */
export async function saveMatches(db: Db, syncId: string, matches: readonly NewMatch[], at: Date): Promise<void> {
  await db`
    insert into directory_matches as m (sync_id, external_id, kind, account, fields, user_ids, seen_at)
    select ${syncId}, g."externalId", g.kind, g.account, g.fields, array(select jsonb_array_elements_text(g."userIds")::uuid), ${at}
    from jsonb_to_recordset(${JSON.stringify(matches)}::text::jsonb)
      as g("externalId" text, kind text, account text, fields text, "userIds" jsonb)
    on conflict (sync_id, external_id) do update set kind = excluded.kind, account = excluded.account, fields = excluded.fields,
      user_ids = excluded.user_ids, seen_at = excluded.seen_at, decision = null, decided_by = null, decided_at = null`
}

/** Deletes undecided conflicts that are resolved. */
export const deleteOpenMatches = (db: Db, syncId: string, externalIds: readonly string[]) => db`
  delete from directory_matches
  where sync_id = ${syncId} and external_id = any(${externalIds as string[]}) and decision is null`

/** Deletes decisions for new people who have been created. */
export const deleteCarriedOut = (db: Db, syncId: string, externalIds: readonly string[]) => db`
  delete from directory_matches
  where sync_id = ${syncId} and external_id = any(${externalIds as string[]}) and decision = 'new'`

export const deleteMatches = (db: Db, syncId: string, externalIds: readonly string[]) => db`
  delete from directory_matches where sync_id = ${syncId} and external_id = any(${externalIds as string[]})`

/** After a complete run: deletes conflicts about people whom the source no longer has. */
export const deleteGoneMatches = (db: Db, syncId: string, runId: string) => db`
  delete from directory_matches m where m.sync_id = ${syncId} and not exists (select from directory_sync_rows r
    where r.run_id = ${runId} and r.external_id = m.external_id)`

/**
 * Deletes undecided conflicts that only this run has found: its plan was discarded, and nothing else says that they exist. Those that the
 * last applied run with this row left open stay.
 */
export const deleteMatchesOf = (db: Db, syncId: string, runId: string) => db`
  delete from directory_matches m using directory_sync_rows r
  where r.run_id = ${runId} and r.outcome = 'conflict' and m.sync_id = ${syncId} and m.external_id = r.external_id and m.decision is null
    and 'conflict' is distinct from (select o.outcome from directory_sync_runs d
      join directory_sync_rows o on o.run_id = d.id and o.external_id = r.external_id
      where d.sync_id = ${syncId} and d.objects = 'people' and d.state = 'done' order by d.started_at desc limit 1)`

export type Decided = { externalId: string; decision: KeptDecision; account: string }

export const listDecisions = (db: Db, syncId: string, externalIds: readonly string[]) => db<Decided[]>`
  select external_id, decision, account from directory_matches
  where sync_id = ${syncId} and external_id = any(${externalIds as string[]}) and decision is not null`

const columns = (db: Db) => db`
  m.external_id, m.kind, m.account, m.fields, m.user_ids, m.seen_at, m.decision,
  d.name as decided_by`

export const pageOfMatches = (db: Db, syncId: string, after: string, most: number) => db<MatchRow[]>`
  select ${columns(db)} from directory_matches m left join users d on d.id = m.decided_by
  where m.sync_id = ${syncId} and m.external_id > ${after} order by m.external_id limit ${most}`

export async function countOpenMatches(db: Db, syncId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from directory_matches where sync_id = ${syncId} and decision is null`
  return row?.count ?? 0
}

export async function lockMatch(db: Db, syncId: string, externalId: string): Promise<MatchRow | null> {
  const [row] = await db<MatchRow[]>`
    select ${columns(db)} from directory_matches m left join users d on d.id = m.decided_by
    where m.sync_id = ${syncId} and m.external_id = ${externalId} for update of m`
  return row ?? null
}

type Decision = { decision: KeptDecision | null; decidedBy: string; at: Date }

export const setDecision = (db: Db, syncId: string, externalId: string, { decision, decidedBy, at }: Decision) => db`
  update directory_matches set decision = ${decision}, decided_by = ${decision && decidedBy}, decided_at = ${decision && at}
  where sync_id = ${syncId} and external_id = ${externalId}`

/** A person here, with the fields that a source may fill; the ID number is sealed. */
export type MatchPerson = {
  id: string
  account: string
  name: string
  nickname: string | null
  gender: string
  birthday: string | null
  phone: string | null
  mailbox: string | null
  alias: string | null
  idNumber: string | null
  organizationId: string | null
  secondaryOrganizationIds: string[]
  categoryId: string | null
  personnelTypeId: string | null
  enabled: boolean
  validFrom: Date | null
  validUntil: Date | null
  customValues: Record<string, string> | null
}

export const listMatchPeople = (db: Db, ids: readonly string[]) => db<MatchPerson[]>`
  select u.id, u.account, u.name, u.nickname, u.gender, u.birthday::text as birthday, u.phone, u.mailbox, u.alias, u.id_number,
    u.organization_id, u.category_id, u.personnel_type_id, u.enabled, u.valid_from, u.valid_until, u.custom_values,
    array(select s.organization_id from user_organizations s where s.user_id = u.id order by s.organization_id)
      as secondary_organization_ids
  from users u where u.id = any(${ids as string[]}::uuid[])`
