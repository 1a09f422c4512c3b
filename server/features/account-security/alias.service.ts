import type { AccountSecurity, MalformedAliasData } from '#shared/contract/account-security.ts'
import { brokenAliasRules, isReservedAlias } from '#shared/rules/alias.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { notifyPerson } from '../messages/index.ts'
import { recordAudit } from '../records/index.ts'
import { takeLoginName } from '../users/index.ts'
import { errors } from './account-security.errors.ts'
import { accountSecurity, boundNow, requireOwner } from './account-security.service.ts'
import { countAliasChanges, isAliasReserved, saveBound, saveHoldings } from './account-security.store.ts'
import {
  ALIAS_CHANGES_WITHIN_DAYS,
  aliasChangesSince,
  aliasReservedSince,
  MOST_ALIAS_CHANGES,
  MOST_ALIAS_TRIES_AN_HOUR,
} from './alias-limits.ts'

type Choice = { id: string; typed: string; version: number | undefined }

/**
 * Gives the caller a login alias in place of the former one. That it is taken says not by whom, nor as what: account, alias, phone and
 * mailbox share one space of names.
 * @throws Refusal as the contract lists them.
 */
export async function bindAlias(ctx: Context, choice: Choice): Promise<AccountSecurity> {
  const userId = await requireOwner(ctx, choice.id)
  const alias = canonicalLoginName(choice.typed)
  refuseMalformed(ctx, alias)
  if ((await boundNow(ctx, userId, choice.version)).alias === alias) throw errors['alias.unchanged']()
  await countTry(ctx, userId)
  await transaction(ctx, (inner) => changeAlias(inner, { userId, alias, version: choice.version }))
  return await accountSecurity(ctx)
}

/** In the caller's transaction. */
export async function changeAlias(
  ctx: Context,
  { userId, alias, version }: { userId: string; alias: string | null; version: number | undefined },
): Promise<void> {
  const at = ctx.now()
  const { alias: former } = await boundNow(ctx, userId, version)
  if (alias !== null) await refuseUnfree(ctx, userId, alias)
  if (!(await takeLoginName(ctx.db, { userId, kind: 'alias', name: alias }))) throw errors['alias.taken']()
  await saveHoldings(ctx.db, { userId, former: former && canonicalLoginName(former), taken: alias, at })
  await saveBound(ctx.db, { userId, kind: 'alias', value: alias, at })
  await recordAudit(ctx, {
    action: 'account.alias-changed',
    targetKind: 'user',
    targetId: userId,
    before: { alias: former },
    after: { alias },
  })
  await notifyPerson(ctx, { userId, template: 'notice.alias-changed' })
}

function refuseMalformed(ctx: Context, alias: string): void {
  const rules = brokenAliasRules(alias)
  if (rules.length === 0) return
  const { language } = ctx.client
  const reasons = rules.map((rule) => ctx.translate(language, `alias.rule.${rule}`))
  const data: MalformedAliasData = { rules }
  throw errors['alias.malformed']({ params: { reasons: reasons.join(ctx.translate(language, 'password.and')) }, data })
}

/** Counted whatever comes of it: "taken" is an answer about other people's names. */
async function countTry(ctx: Context, userId: string): Promise<void> {
  const tries = await ctx.state.count('alias-tries', userId, 3600)
  if (tries > MOST_ALIAS_TRIES_AN_HOUR) throw errors['alias.too-many-tries']({ retryAfter: 3600 })
}

async function refuseUnfree(ctx: Context, userId: string, canonical: string): Promise<void> {
  const changes = await countAliasChanges(ctx.db, userId, aliasChangesSince(ctx))
  if (changes >= MOST_ALIAS_CHANGES) {
    throw errors['alias.too-many-changes']({ params: { count: MOST_ALIAS_CHANGES, days: ALIAS_CHANGES_WITHIN_DAYS } })
  }
  const since = aliasReservedSince(ctx)
  if (isReservedAlias(canonical) || (await isAliasReserved(ctx.db, { canonical, userId, since }))) {
    throw errors['alias.taken']()
  }
}
