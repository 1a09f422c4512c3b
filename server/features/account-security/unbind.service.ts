import type { AccountSecurity, UnbindableContact } from '#shared/contract/account-security.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { requireOwnEdit } from '../account-fields/index.ts'
import { notifyPerson } from '../messages/index.ts'
import { recordAudit } from '../records/index.ts'
import { hasAnswers } from '../security-questions/index.ts'
import { setContact, setLoginName } from '../user-accounts/index.ts'
import { errors } from './account-security.errors.ts'
import { getAccountSecurity, requireBoundContacts, requireOwner } from './account-security.service.ts'
import type { BoundContactsRow } from './account-security.store.ts'
import { changeAlias } from './alias.service.ts'
import { maskContact } from './contact.service.ts'

type UnbindInput = { id: string; kind: UnbindableContact; lastMethod: boolean; version: number | undefined }

/** Removes a phone, a mailbox or the alias from the caller's account. @throws Refusal as the contract lists them. */
export async function unbind(ctx: Context, { id, kind, lastMethod, version }: UnbindInput): Promise<AccountSecurity> {
  const userId = await requireOwner(ctx, id)
  await transaction(ctx, async (inner) => {
    const bound = await requireBoundContacts(inner, userId, version)
    if (bound[kind] === null) throw errors['account-security.nothing-bound']()
    await requireOwnEdit(inner, kind, null)
    if (kind === 'alias') return await changeAlias(inner, { userId, alias: null, version })
    if (!lastMethod && (await isLastRecoveryMethod(inner, userId, kind, bound)))
      throw errors['account-security.last-method']()
    await removeContact(inner, userId, kind, bound[kind])
  })
  return await getAccountSecurity(ctx)
}

/** Without it the person could not recover a forgotten password. */
async function isLastRecoveryMethod(
  ctx: Context,
  userId: string,
  kind: 'phone' | 'mailbox',
  bound: BoundContactsRow,
): Promise<boolean> {
  const other = kind === 'phone' ? bound.mailbox : bound.phone
  return other === null && !(await hasAnswers(ctx.db, userId))
}

async function removeContact(ctx: Context, userId: string, kind: 'phone' | 'mailbox', former: string | null) {
  // Before the change: the notice also goes to what is being removed.
  await notifyPerson(ctx, { userId, template: `notice.${kind}-changed` })
  await setLoginName(ctx.db, { userId, kind, name: null })
  await setContact(ctx.db, { userId, kind, value: null, at: ctx.now() })
  await recordAudit(ctx, {
    action: `account.${kind}-changed`,
    targetKind: 'user',
    targetId: userId,
    before: { [kind]: maskContact(kind, former) },
    after: { [kind]: null },
  })
}
