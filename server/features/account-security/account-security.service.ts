import type { AccountSecurity, UnbindableContact } from '#shared/contract/account-security.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import { passwordRulesFor } from '#shared/rules/password-demands.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { ownFields } from '../account-fields/index.ts'
import { findReadyChannels } from '../messages/index.ts'
import { passwordDueAt, toPasswordOwner } from '../password-demands/index.ts'
import { requireReauthentication } from '../reauthentication/index.ts'
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

/** Which security settings the caller's account has. */
export async function getAccountSecurity(ctx: Context): Promise<AccountSecurity> {
  const { userId } = callerOf(ctx)
  const row = await findAccountSecurity(ctx.db, userId, { changesSince: aliasChangeWindowStart(ctx), now: ctx.now() })
  if (!row) throw platformErrors['session.required']()
  const rules = passwordRulesFor(await signInPolicy(ctx), toPasswordOwner(row))
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
 * Called before every change of this feature: the account must be the caller's own, and they must have reauthenticated recently.
 * @throws Refusal `account-security.not-yours`, `reauthentication.required`
 */
export async function requireOwner(ctx: Context, id: string): Promise<string> {
  const { userId } = callerOf(ctx)
  if (id !== userId) throw errors['account-security.not-yours']()
  await requireReauthentication(ctx)
  return userId
}

/** A recent login is accepted for a first binding: some people have no other authenticator. */
const MAX_LOGIN_AGE_MINUTES = 10

/**
 * As `requireOwner`, before something is bound. During profile completion, missing contacts can be bound after a recent login without
 * reauthentication, but nothing can be changed.
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

/** What is bound now, locked for this transaction. @throws Refusal `version.conflict` if the page shows something older. */
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
