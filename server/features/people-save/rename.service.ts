import type { Context } from '../../platform/platform.ts'
import { recordAudit } from '../records/index.ts'
import { setAccount, setLoginName } from '../user-accounts/index.ts'
import { validateAccount } from './person-fields.rules.ts'

/**
 * Gives somebody another number, in the caller's transaction: a person has decided that the institution calls them so now.
 * @returns false when it is no number, or somebody else's: roll the transaction back.
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
