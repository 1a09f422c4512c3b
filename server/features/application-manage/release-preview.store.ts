import type { Db } from '../../platform/db.ts'
import { type AccountFacts, accountFactColumns, grantHolds } from '../access/index.ts'
import type { PersonAttributes } from '../applications/index.ts'
import { type LoginHolds, loginHoldColumns } from '../attempts/index.ts'
import { releasedPersonColumns } from '../sessions/index.ts'

export type PreviewPerson = AccountFacts &
  LoginHolds &
  PersonAttributes & {
    granted: boolean
    hasPassword: boolean
  }

/** A person as a login to the application would find them, without a session. */
export async function findPreviewPerson(
  db: Db,
  userId: string,
  applicationId: string,
  now: Date,
): Promise<PreviewPerson | null> {
  const [row] = await db<PreviewPerson[]>`
    select ${accountFactColumns(db)}, ${loginHoldColumns(db, now)}, ${releasedPersonColumns(db)}, u.id as user_id,
      ${grantHolds(db, now)} as granted,
      exists(select from passwords w where w.user_id = u.id) as has_password
    from users u left join organizations o on o.id = u.organization_id
      left join user_categories c on c.id = u.category_id left join personnel_types n on n.id = u.personnel_type_id
      join applications a on a.id = ${applicationId}
    where u.id = ${userId}`
  return row ?? null
}
