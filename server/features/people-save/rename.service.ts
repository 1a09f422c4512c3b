import type { Context } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { setAccount, setLoginName } from '../user-accounts/index.ts'
import { validateAccount } from './person-fields.rules.ts'

/**
 * Gives a person another account, in the caller's transaction: the institution now uses this one for them.
 * @returns false if it is invalid, or somebody else's: roll the transaction back.
 */
export async function renamePerson(
  ctx: Context,
  id: string,
  { account, reason }: { account: string; reason: string },
): Promise<boolean> {
  const checked = validateAccount(account)
  if ('problem' in checked) return false
  const former = await setAccount(ctx.db, id, checked.value, ctx.now())
  if (former === null) return false
  if (!(await setLoginName(ctx.db, { userId: id, kind: 'account', name: checked.value }))) return false
  await recordAudit(ctx, {
    action: 'account.rename',
    ...{ targetKind: 'user', targetId: id, reason },
    before: { account: former },
    after: { account: checked.value },
  })
  return true
}
