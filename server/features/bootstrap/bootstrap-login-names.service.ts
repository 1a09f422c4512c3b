import type { Db } from '../../platform/db.ts'
import { LOGIN_NAME_KINDS, type LoginNameRow, toLoginNames } from '../user-accounts/index.ts'
import type { Problems } from './bootstrap-problems.errors.ts'
import { findLoginNameOwners, type UserRow } from './users.store.ts'

/** People whose login names change, with all their future names. */
export type LoginNamePlan = { userIds: string[]; rows: LoginNameRow[] }

/** Plans the login names of a document's people; reports a name that somebody else has, in the document or outside. */
export async function planLoginNames(
  db: Db,
  people: readonly UserRow[],
  before: ReadonlyMap<string, UserRow>,
  problems: Problems,
): Promise<LoginNamePlan> {
  const plan: LoginNamePlan = { userIds: [], rows: [] }
  const owners = new Map<string, string>()
  const at = new Map(people.map((person, index) => [person.id, index]))
  for (const [index, person] of people.entries()) {
    const names = toLoginNames(person)
    for (const { canonical, kind, userId } of names) {
      const owner = owners.get(canonical)
      if (owner !== undefined)
        problems.add(`users[${index}].${kind}`, `the login name is already that of users[${at.get(owner)}]`)
      else owners.set(canonical, userId)
    }
    const existing = before.get(person.account)
    if (existing && LOGIN_NAME_KINDS.every((kind) => existing[kind] === person[kind])) continue
    plan.userIds.push(person.id)
    plan.rows.push(...names)
  }
  await reportTakenNames(db, plan, at, problems)
  return plan
}

async function reportTakenNames(
  db: Db,
  plan: LoginNamePlan,
  at: ReadonlyMap<string, number>,
  problems: Problems,
): Promise<void> {
  if (plan.rows.length === 0) return
  const wanted = new Map(plan.rows.map((row) => [row.canonical, row]))
  const givingUp = new Set(plan.userIds)
  for (const { canonical, userId, account } of await findLoginNameOwners(db, [...wanted.keys()])) {
    const row = wanted.get(canonical)
    // Whoever is in the plan gives up all former names; names that are kept were compared above.
    if (!row || row.userId === userId || givingUp.has(userId)) continue
    problems.add(
      `users[${at.get(row.userId)}].${row.kind}`,
      `the login name already belongs to the account "${account}"`,
    )
  }
}
