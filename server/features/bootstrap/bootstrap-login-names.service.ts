import type { Db } from '../../platform/db.ts'
import { LOGIN_NAME_KINDS, type LoginNameRow, toLoginNames } from '../user-accounts/index.ts'
import type { UserEntry } from './bootstrap-document.types.ts'
import type { Problems } from './bootstrap-problems.errors.ts'
import { findLoginNameOwners, type UserRow } from './users.store.ts'

/** People whose login names change, with all their future names. */
export type LoginNamePlan = { userIds: string[]; rows: LoginNameRow[] }

/** Plans the login names of a document's people; reports a name that somebody else has, in the document or outside. */
export async function planLoginNames(
  db: Db,
  entries: readonly UserEntry[],
  people: readonly UserRow[],
  before: ReadonlyMap<string, UserRow>,
  problems: Problems,
): Promise<LoginNamePlan> {
  reportRepeatedNames(entries, problems)
  const plan: LoginNamePlan = { userIds: [], rows: [] }
  for (const person of people) {
    const existing = before.get(person.account)
    if (existing && LOGIN_NAME_KINDS.every((kind) => existing[kind] === person[kind])) continue
    plan.userIds.push(person.id)
    plan.rows.push(...toLoginNames(person))
  }
  await reportTakenNames(db, plan, new Map(people.map(({ id }, at) => [id, at])), problems)
  return plan
}

/** Of what the document says itself: also of a field that a source owns, since it counts as soon as the source has lost the person. */
function reportRepeatedNames(entries: readonly UserEntry[], problems: Problems): void {
  const owners = new Map<string, number>()
  for (const [at, { account, alias = null, phone = null, mailbox = null }] of entries.entries()) {
    for (const { canonical, kind } of toLoginNames({ id: account, account, alias, phone, mailbox })) {
      const owner = owners.get(canonical)
      if (owner === undefined) owners.set(canonical, at)
      else problems.add(`users[${at}].${kind}`, `the login name is already that of users[${owner}]`)
    }
  }
}

/** A name that is not the document's is in the database: a person's own, or one that a source gave them. */
async function reportTakenNames(
  db: Db,
  plan: LoginNamePlan,
  at: ReadonlyMap<string, number>,
  problems: Problems,
): Promise<void> {
  if (plan.rows.length === 0) return
  const names = plan.rows.map(({ canonical }) => canonical)
  const owners = new Map((await findLoginNameOwners(db, names)).map((owner) => [owner.canonical, owner]))
  const planned = new Set(plan.userIds)
  const kept = new Set(plan.rows.map(({ userId, canonical }) => `${userId} ${canonical}`))
  for (const { canonical, kind, userId } of plan.rows) {
    const owner = owners.get(canonical)
    if (!owner || owner.userId === userId) continue
    // Whoever is in the plan gives up the names that they don't have there.
    if (planned.has(owner.userId) && !kept.has(`${owner.userId} ${canonical}`)) continue
    problems.add(`users[${at.get(userId)}].${kind}`, `the login name already belongs to the account "${owner.account}"`)
  }
}
