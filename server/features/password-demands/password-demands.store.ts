import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { type PasswordOwner, passwordRulesFor } from '#shared/rules/password-demands.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { type RuleFactsRow, ruleFacts } from '../access/index.ts'
import { oldestPasswordAt } from './password-age.rules.ts'

const NEEDS = { place: false, administers: true, category: true, organizations: [], roles: [] }

/** Columns of `OwnerFactsRow` for the person `u`. */
export const ownerFactsColumns = (db: Db, now: Date): SqlFragment => ruleFacts(db, NEEDS, now)
export type OwnerFactsRow = Pick<RuleFactsRow, 'ruleCategory' | 'administers'>

export const toPasswordOwner = ({ ruleCategory, administers }: OwnerFactsRow): PasswordOwner => ({
  category: ruleCategory,
  administers,
})

/**
 * SQL condition: is the password `p` of the person `u` too old to log in with? Null if nobody's is. When that is and for whom,
 * `passwordRulesFor` defines, evaluated once for each kind of person that the password rules distinguish.
 */
export function isPasswordTooOld(db: Db, policy: SignInPolicy, now: Date): SqlFragment | null {
  const named = [...new Set(policy.passwordRules.flatMap(({ categories }) => categories))]
  const kinds = [null, ...named].flatMap((category) =>
    [false, true].map((administers) => ({
      category,
      administers,
      oldest: oldestPasswordAt(passwordRulesFor(policy, { category, administers }), now),
    })),
  )
  const [any] = kinds
  if (kinds.every(({ oldest }) => oldest === null)) return null
  if (policy.passwordRules.length === 0) return db`p.changed_at <= ${any?.oldest ?? null}`
  return db`coalesce(p.changed_at <= (
    select k.oldest from jsonb_to_recordset(${JSON.stringify(kinds)}::text::jsonb) as k (category text, administers boolean, oldest timestamptz)
      cross join (select ${ownerFactsColumns(db, now)}) as f
    where k.administers = f.administers
      and k.category is not distinct from case when f.rule_category = any(${named}::text[]) then f.rule_category end), false)`
}

/** Null if there is no such person. */
export async function findPasswordOwner(db: Db, userId: string, now: Date): Promise<PasswordOwner | null> {
  const [row] = await db<
    OwnerFactsRow[]
  >`select ${ownerFactsColumns(db, now)} from users u where u.id = ${userId} and u.deleted_at is null`
  return row ? toPasswordOwner(row) : null
}
