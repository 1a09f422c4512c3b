import type { AccountSecurity, MalformedAliasData } from '#shared/contract/account-security.ts'
import { brokenAliasRules, isReservedAlias } from '#shared/rules/alias.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { requireOwnEdit } from '../account-fields/index.ts'
import { notifyPerson } from '../messages/index.ts'
import { recordAudit } from '../records/index.ts'
import { setContact, setLoginName } from '../user-accounts/index.ts'
import { errors } from './account-security.errors.ts'
import { getAccountSecurity, requireBinder, requireBoundContacts } from './account-security.service.ts'
import { countAliasChanges, isAliasReserved, saveAliasHoldings } from './account-security.store.ts'
import {
  ALIAS_CHANGE_WINDOW_DAYS,
  aliasChangeWindowStart,
  aliasReservationStart,
  MAX_ALIAS_CHANGES,
  MAX_ALIAS_TRIES_PER_HOUR,
} from './alias-limits.rules.ts'

type BindAliasInput = { id: string; typed: string; version: number | undefined }

/**
 * Gives the caller a login alias in place of the former one. A taken alias is reported without its owner or kind: account, alias, phone and
 * mailbox share one namespace.
 * @throws Refusal as the contract lists them.
 */
export async function bindAlias(ctx: Context, choice: BindAliasInput): Promise<AccountSecurity> {
  const userId = await requireBinder(ctx, choice.id, 'alias')
  const alias = canonicalLoginName(choice.typed)
  if ((await requireBoundContacts(ctx, userId, choice.version)).alias === alias) throw errors['alias.unchanged']()
  await checkNewAlias(ctx, userId, alias)
  await transaction(ctx, (inner) => changeAlias(inner, { userId, alias, version: choice.version }))
  return await getAccountSecurity(ctx)
}

/**
 * Whether somebody may have this alias, as far as it takes no look at what others have.
 * @returns as it is kept.
 * @throws Refusal `alias.malformed`, `alias.too-many-tries`, `account-field.…`.
 */
export async function checkNewAlias(ctx: Context, userId: string, typed: string): Promise<string> {
  const alias = canonicalLoginName(typed)
  assertWellFormed(ctx, alias)
  await requireOwnEdit(ctx, 'alias', alias, userId)
  await rateLimitTries(ctx, userId)
  return alias
}

type AliasChange = { userId: string; alias: string | null; version: number | undefined; actor?: string }

/** In the caller's transaction. @param actor of the audit line; absent: the caller */
export async function changeAlias(ctx: Context, { userId, alias, version, actor }: AliasChange): Promise<void> {
  const at = ctx.now()
  const { alias: former } = await requireBoundContacts(ctx, userId, version)
  if (alias !== null) await assertAliasFree(ctx, userId, alias)
  if (!(await setLoginName(ctx.db, { userId, kind: 'alias', name: alias }))) throw errors['alias.taken']()
  await saveAliasHoldings(ctx.db, { userId, former: former && canonicalLoginName(former), taken: alias, at })
  await setContact(ctx.db, { userId, kind: 'alias', value: alias, at })
  await recordAudit(ctx, {
    action: 'account.alias-changed',
    targetKind: 'user',
    targetId: userId,
    ...(actor !== undefined && { actor }),
    before: { alias: former },
    after: { alias },
  })
  await notifyPerson(ctx, { userId, template: 'notice.alias-changed' })
}

function assertWellFormed(ctx: Context, alias: string): void {
  const rules = brokenAliasRules(alias)
  if (rules.length === 0) return
  const { language } = ctx.client
  const reasons = rules.map((rule) => ctx.translate(language, `alias.rule.${rule}`))
  const data: MalformedAliasData = { rules }
  throw errors['alias.malformed']({ params: { reasons: reasons.join(ctx.translate(language, 'password.and')) }, data })
}

/** Counted whatever the result: "taken" reveals something about other people's names. */
async function rateLimitTries(ctx: Context, userId: string): Promise<void> {
  const tries = await ctx.state.increment('alias-tries', userId, 3600)
  if (tries > MAX_ALIAS_TRIES_PER_HOUR) throw errors['alias.too-many-tries']({ retryAfter: 3600 })
}

async function assertAliasFree(ctx: Context, userId: string, canonical: string): Promise<void> {
  const changes = await countAliasChanges(ctx.db, userId, aliasChangeWindowStart(ctx))
  if (changes >= MAX_ALIAS_CHANGES) {
    throw errors['alias.too-many-changes']({ params: { count: MAX_ALIAS_CHANGES, days: ALIAS_CHANGE_WINDOW_DAYS } })
  }
  const since = aliasReservationStart(ctx)
  if (isReservedAlias(canonical) || (await isAliasReserved(ctx.db, { canonical, userId, since }))) {
    throw errors['alias.taken']()
  }
}
