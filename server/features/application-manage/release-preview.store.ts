import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Db } from '../../platform/db.ts'
import { toFragment } from '../../platform/statement.ts'
import { type AccountFacts, accountFactColumns, demandsText, grantHolds, type RulesInForce } from '../access/index.ts'
import type { PersonAttributes } from '../applications/index.ts'
import { type LoginHolds, loginHoldColumns } from '../attempts/index.ts'
import { isPasswordTooOld } from '../password-demands/index.ts'
import { releasedPersonColumns } from '../sessions/index.ts'

export type PreviewPerson = AccountFacts &
  LoginHolds &
  PersonAttributes & {
    granted: boolean
    /** It must be changed at the next login. */
    passwordTooOld: boolean
    /** A field that is asked for after login is missing. */
    profileDue: boolean
  }

/** What decides whether somebody who logs in must first change the password or complete the profile. */
export type PreviewRules = { policy: SignInPolicy; requiredFields: RulesInForce['requiredFields'] }

/** A person as a login to the application would find them, without a session. */
export async function findPreviewPerson(
  db: Db,
  userId: string,
  applicationId: string,
  { now, policy, requiredFields }: PreviewRules & { now: Date },
): Promise<PreviewPerson | null> {
  const isTooOld = isPasswordTooOld(db, policy, now)
  const [row] = await db<PreviewPerson[]>`
    select ${accountFactColumns(db)}, ${loginHoldColumns(db, now)}, ${releasedPersonColumns(db)}, u.id as "userId",
      ${grantHolds(db, now)} as granted,
      ${isTooOld ? db`coalesce((select ${isTooOld} from passwords p where p.user_id = u.id), false)` : db`false`} as "passwordTooOld",
      ${requiredFields.length > 0 ? toFragment(db, demandsText(requiredFields), {}) : db`false`} as "profileDue"
    from users u left join organizations o on o.id = u.organization_id
      left join user_categories c on c.id = u.category_id left join personnel_natures n on n.id = u.personnel_nature_id
      join applications a on a.id = ${applicationId}
    where u.id = ${userId}`
  return row ?? null
}
