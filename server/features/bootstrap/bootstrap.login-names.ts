import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { Db } from '../../platform/db.ts'
import type { Problems } from './bootstrap.problems.ts'
import { type LoginNameRow, ownersOfLoginNames, type UserRow } from './users.store.ts'

/** People whose login names change, with all names they will have. */
export type LoginNamePlan = { userIds: string[]; rows: LoginNameRow[] }

const KINDS = ['account', 'alias', 'phone', 'mailbox'] as const

type Named = Pick<UserRow, 'id' | (typeof KINDS)[number]>

/** The names that lead to a person; one that says the same twice (an account that is the phone number) counts once. */
function loginNamesOf(person: Named): LoginNameRow[] {
  const names = new Map<string, LoginNameRow>()
  for (const kind of KINDS) {
    const name = person[kind]
    const canonical = name === null ? '' : canonicalLoginName(name)
    if (canonical && !names.has(canonical)) names.set(canonical, { canonical, userId: person.id, kind })
  }
  return [...names.values()]
}

/** Plans the login names of a document's people and refuses a name that is somebody else's, in the document or outside. */
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
    const names = loginNamesOf(person)
    for (const { canonical, kind, userId } of names) {
      const owner = owners.get(canonical)
      if (owner !== undefined)
        problems.add(`users[${index}].${kind}`, `the login name is already that of users[${at.get(owner)}]`)
      else owners.set(canonical, userId)
    }
    const existing = before.get(person.account)
    if (existing && KINDS.every((kind) => existing[kind] === person[kind])) continue
    plan.userIds.push(person.id)
    plan.rows.push(...names)
  }
  await refuseNamesOfOthers(db, plan, at, problems)
  return plan
}

async function refuseNamesOfOthers(
  db: Db,
  plan: LoginNamePlan,
  at: ReadonlyMap<string, number>,
  problems: Problems,
): Promise<void> {
  if (plan.rows.length === 0) return
  const wanted = new Map(plan.rows.map((row) => [row.canonical, row]))
  const givingUp = new Set(plan.userIds)
  for (const { canonical, userId, account } of await ownersOfLoginNames(db, [...wanted.keys()])) {
    const row = wanted.get(canonical)
    // Whoever is in the plan gives all former names up; who keeps one was compared above.
    if (!row || row.userId === userId || givingUp.has(userId)) continue
    problems.add(
      `users[${at.get(row.userId)}].${row.kind}`,
      `the login name already belongs to the account "${account}"`,
    )
  }
}
