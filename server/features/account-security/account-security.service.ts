import type { AccountSecurity, UnbindableContact } from '#shared/contract/account-security.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import { passwordRulesFor } from '#shared/rules/password-demands.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { ownFields } from '../account-fields/index.ts'
import { requireFreshProof } from '../identity-proofs/index.ts'
import { findReadyChannels } from '../messages/index.ts'
import { passwordDueAt, toHolder } from '../password-demands/index.ts'
import { listQuestions } from '../security-questions/index.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { errors } from './account-security.errors.ts'
import {
  type BoundContactsRow,
  findAccountSecurity,
  findBindingOfLogin,
  lockBoundContacts,
} from './account-security.store.ts'
import { aliasChangeWindowStart, MAX_ALIAS_CHANGES } from './alias-limits.rules.ts'

/** How the caller's account is protected. */
export async function getAccountSecurity(ctx: Context): Promise<AccountSecurity> {
  const { userId } = callerOf(ctx)
  const row = await findAccountSecurity(ctx.db, userId, { changesSince: aliasChangeWindowStart(ctx), now: ctx.now() })
  if (!row) throw platformErrors['session.required']()
  const rules = passwordRulesFor(await signInPolicy(ctx), toHolder(row))
  const dueAt = passwordDueAt(rules, row.passwordChangedAt, ctx.now())
  const fields = await ownFields(ctx)
  const isShown = (kind: 'phone' | 'mailbox') => !fields.hidden.includes(kind)
  return {
    version: row.version,
    password: { isSet: row.hasPassword, changedAt: toIso(row.passwordChangedAt), dueAt: toIso(dueAt) },
    securityQuestions: row.hasAnswers ? await listQuestions(ctx, { userId, name: row.account }) : [],
    phone: isShown('phone') && row.phone ? maskPhone(row.phone) : null,
    mailbox: isShown('mailbox') && row.mailbox ? maskMailbox(row.mailbox) : null,
    alias: row.alias,
    aliasChangesLeft: Math.max(0, MAX_ALIAS_CHANGES - row.aliasChanges),
    fields,
    channels: await findReadyChannels(ctx),
  }
}

/**
 * Stands before every change of this feature: it is the caller's own account, and they have proved lately who they are.
 * @throws Refusal `account-security.not-yours`, `identity-proof.required`
 */
export async function requireOwner(ctx: Context, id: string): Promise<string> {
  const { userId } = callerOf(ctx)
  if (id !== userId) throw errors['account-security.not-yours']()
  await requireFreshProof(ctx)
  return userId
}

/** As good as a proof for what nobody had before: some people have no way to prove anything but their login. */
const MAX_LOGIN_AGE_MINUTES = 10

/**
 * As `requireOwner`, before something is bound: who completes a profile binds what is missing, after a login of a moment ago without
 * another proof, and changes nothing.
 * @throws Refusal `session.profile-incomplete` as well.
 */
export async function requireBinder(ctx: Context, id: string, kind: UnbindableContact): Promise<string> {
  const { userId, ssoSessionId, lacksFields } = callerOf(ctx)
  if (id !== userId || !lacksFields) return await requireOwner(ctx, id)
  const since = new Date(ctx.now().getTime() - MAX_LOGIN_AGE_MINUTES * 60_000)
  const row = await findBindingOfLogin(ctx.db, ssoSessionId, since)
  if (!row || row[kind] !== null) throw platformErrors['session.profile-incomplete']()
  return row.isRecent ? userId : await requireOwner(ctx, id)
}

/** What is bound by now, locked for this transaction. @throws Refusal `version.conflict` when the page has seen something older. */
export async function requireBoundContacts(
  ctx: Context,
  userId: string,
  version: number | undefined,
): Promise<BoundContactsRow> {
  const bound = await lockBoundContacts(ctx.db, userId)
  if (!bound) throw platformErrors['session.required']()
  if (version !== undefined && version !== bound.version) throw platformErrors['version.conflict']()
  return bound
}
