import type { FreezeCause } from '#shared/contract/users.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { isLoginHold } from '../attempts/index.ts'
import { type ExemptionColumns, exemptionColumns, freezeStart } from '../people-list/index.ts'
import type { LoginNameKind } from '../user-accounts/index.ts'

/** A person whom a verb is applied to, with the facts that verbs change. */
export type VerbTarget = Record<LoginNameKind, string | null> &
  ExemptionColumns & {
    id: string
    account: string
    name: string
    nickname: string | null
    /** Sealed. */
    idNumber: string | null
    mayManage: boolean
    isSuperUser: boolean
    enabled: boolean
    lockedAt: Date | null
    lockedUntil: Date | null
    /** Have failed logins been counted against them, locked out or not? */
    hasFailures: boolean
    frozenFrom: Date | null
    /** The start to be shown. */
    frozenSince: Date | null
    frozenUntil: Date | null
    freezeCause: FreezeCause | null
    dormantSince: Date | null
    deletedAt: Date | null
    customValues: Record<string, string> | null
  }

/** These people with their rows locked until the end of the transaction, in a fixed order. */
export async function lockTargets(db: Db, ids: readonly string[], mayManage: SqlFragment, now: Date) {
  await db`select from users where id = any(${ids as string[]}::uuid[]) order by id for no key update`
  return await db<VerbTarget[]>`
    select u.id, u.account, u.name, u.nickname, u.id_number, u.alias, u.phone, u.mailbox, ${mayManage} as may_manage, u.is_super_user,
      u.enabled, u.locked_at, u.locked_until, u.frozen_from, ${freezeStart(db)} as frozen_since,
      u.frozen_until, u.freeze_cause, u.deleted_at,
      u.custom_values, u.dormant_since, ${exemptionColumns(db, now)},
      exists (select from attempt_counters c where c.user_id = u.id and ${isLoginHold(db)}) as has_failures
    from users u where u.id = any(${ids as string[]}::uuid[]) order by u.id`
}

/** The people with these folded accounts among the people `u` for whom `mayManage` is true; by folded account. */
export async function findIdsByAccount(db: Db, accounts: readonly string[], mayManage: SqlFragment) {
  const rows = await db<{ account: string; id: string }[]>`
    select t.account, u.id from unnest(${accounts as string[]}::text[]) t(account)
      join users u on lower(u.account) = lower(t.account)
    where u.deleted_at is null and ${mayManage}`
  return new Map(rows.map(({ account, id }) => [account, id]))
}

type GrantSubjects = { id: string; subjects: string[] }

/** Of these people, those for whom `isExempt` (a condition on `u`) is false: all grant subjects that they would belong to. */
export const listGrantSubjects = (db: Db, ids: readonly string[], isExempt: SqlFragment) => db<GrantSubjects[]>`
  select u.id, array_remove(array[u.id, u.category_id], null) || coalesce(o.ancestor_ids, '{}') || array(
    select unnest(so.ancestor_ids) from user_organizations uo join organizations so on so.id = uo.organization_id
    where uo.user_id = u.id) as subjects
  from users u left join organizations o on o.id = u.organization_id
  where u.id = any(${ids as string[]}::uuid[]) and not ${isExempt}`

/** Which of these sessions (without ids: all) are open and belong to this person. */
export async function listOpenSessionIds(
  db: Db,
  userId: string,
  ids: readonly string[] | undefined,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from sso_sessions where user_id = ${userId} and ended_at is null
      ${ids ? db`and id = any(${ids as string[]}::uuid[])` : db``} limit 10000`
  return rows.map(({ id }) => id)
}
