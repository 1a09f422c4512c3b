import type { Db } from '../../platform/db.ts'
import type { AccountFacts } from '../account-status/index.ts'
import { grantHolds, type Person } from '../applications/index.ts'
import { personColumns, sessionColumns } from '../sessions/index.ts'

export type Candidate = AccountFacts & Person & { granted: boolean }

/** A person as a login to the application would find them, without a session. */
export async function candidateFor(
  db: Db,
  userId: string,
  applicationId: string,
  now: Date,
): Promise<Candidate | null> {
  const [row] = await db<Candidate[]>`
    select ${sessionColumns(db, now, db`c.code`)}, ${personColumns(db)}, u.id as "userId", ${grantHolds(db, now)} as granted
    from users u left join sso_sessions s on false left join organizations o on o.id = u.organization_id
      left join user_categories c on c.id = u.category_id left join personnel_natures n on n.id = u.personnel_nature_id
      join applications a on a.id = ${applicationId}
    where u.id = ${userId}`
  return row ?? null
}
