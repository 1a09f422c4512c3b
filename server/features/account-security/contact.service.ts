import type { AccountSecurity } from '#shared/contract/account-security.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { requireOwnEdit } from '../account-fields/index.ts'
import { notifyPerson } from '../messages/index.ts'
import { recordAudit } from '../records/index.ts'
import { setContact, setLoginName } from '../user-accounts/index.ts'
import { canonicalTarget, verifyCode } from '../verification-codes/index.ts'
import { errors } from './account-security.errors.ts'
import { getAccountSecurity, requireBinder, requireBoundContacts } from './account-security.service.ts'

type ContactKind = 'phone' | 'mailbox'
type BindContactInput = { id: string; kind: ContactKind; typed: string; code: string; version: number | undefined }

const CHANNELS = { phone: 'sms', mailbox: 'mail' } as const
const MASKS = { phone: maskPhone, mailbox: maskMailbox } as const

/** Masked for the records; null stays null. */
export const maskContact = (kind: ContactKind, value: string | null): string | null => value && MASKS[kind](value)

/**
 * Binds a phone or mailbox to the caller's account in place of the former one, once the code sent to it is entered. Only whoever holds it
 * is told that it belongs to somebody else.
 * @throws Refusal as the contract lists them.
 */
export async function bindContact(ctx: Context, binding: BindContactInput): Promise<AccountSecurity> {
  const { kind, code } = binding
  const userId = await requireBinder(ctx, binding.id, kind)
  const target = canonicalTarget({ channel: CHANNELS[kind], target: binding.typed })
  if (target === null) throw errors[`${kind}.malformed`]()
  if ((await requireBoundContacts(ctx, userId, binding.version))[kind] === target) throw errors[`${kind}.unchanged`]()
  await requireOwnEdit(ctx, kind, target)
  await verifyCode(ctx, { purpose: `bind-${kind}`, userId, target, code })
  await transaction(ctx, async (inner) => {
    const former = (await requireBoundContacts(inner, userId, binding.version))[kind]
    // Before the change: the notice goes to the former phone or mailbox, where the owner would notice an intruder.
    await notifyPerson(inner, { userId, template: `notice.${kind}-changed` })
    if (!(await setLoginName(inner.db, { userId, kind, name: target }))) throw errors[`${kind}.taken`]()
    await setContact(inner.db, { userId, kind, value: target, at: inner.now() })
    await recordAudit(inner, {
      action: `account.${kind}-changed`,
      targetKind: 'user',
      targetId: userId,
      before: { [kind]: maskContact(kind, former) },
      after: { [kind]: maskContact(kind, target) },
    })
  })
  return await getAccountSecurity(ctx)
}
