import { isDeepStrictEqual } from 'node:util'
import {
  type FieldRulesDraft,
  type FieldRuleValues,
  type LoginNameField,
  loginNamesOf,
  rulesOf,
} from '#shared/contract/account-fields.ts'
import { IMPACT_ROWS, type ImpactFigure } from '#shared/contract/policy-impact.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { Context } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import { signInPolicy } from '../sign-in-policy/index.ts'
import { isViolable, peopleLacking, peopleMisformed, peopleSharing } from './field-violations.service.ts'
import { type Found, NOTHING, PASSWORD, toFigure, toRow } from './impact-figures.rules.ts'
import { type Look, lookBack, withPrediction } from './look-back.service.ts'
import { groupTypedNames, latestLogins, listNameKinds } from './policy-impact.store.ts'

/** The field rules that decide which login names are accepted. */
type Draft = { before: readonly LoginNameField[]; after: readonly LoginNameField[] }

/** Names checked one by one, at most: names typed exactly as stored are checked by the database. */
const MAX_NAMES = 50_000

/** Each name is canonicalised and looked up as in a login. */
async function loginsByName({ since, until, ask }: Look, { before, after }: Draft): Promise<Found> {
  const span = { since, until }
  const query = { type: PASSWORD, kinds: after, limit: MAX_NAMES }
  const groups = await ask((db) => groupTypedNames(db, span, query))
  if (groups.length === 0) return NOTHING
  const names = [...new Set(groups.map(({ typed }) => canonicalLoginName(typed)))]
  const kinds = new Map((await ask((db) => listNameKinds(db, names))).map(({ canonical, kind }) => [canonical, kind]))
  const refused = groups.filter(({ typed }) => {
    const kind = kinds.get(canonicalLoginName(typed))
    return kind !== undefined && before.includes(kind) && !after.includes(kind)
  })
  const typed = [...new Set(refused.map((one) => one.typed))].slice(0, IMPACT_ROWS * 10)
  const rows =
    typed.length > 0 ? await ask((db) => latestLogins(db, span, { types: [PASSWORD], typed, limit: IMPACT_ROWS })) : []
  return {
    count: refused.reduce((sum, { count }) => sum + count, 0),
    people: new Set(refused.map(({ userId }) => userId)).size,
    rows: rows.map(toRow),
    isCapped: groups.length === MAX_NAMES,
  }
}

/**
 * Predicts the effect of unsaved field rules from the records of the last days: only figures that depend on what changes. Answers within
 * three seconds, with less detail if there are too many records.
 * @throws Refusal `service.busy`.
 */
export async function predictFieldRules(
  ctx: Context,
  { changes, reset }: FieldRulesDraft,
): Promise<{ figures: ImpactFigure[] }> {
  const { value } = await findSettingsDocument(ctx.db, 'accountFields')
  const kept = Object.entries({ ...value, ...changes }).filter(([key]) => !(reset as string[]).includes(key))
  const allOf = (values: FieldRuleValues) => ({ ...rulesOf(values), custom: values.custom ?? [] })
  const rules = { before: allOf(value), after: allOf(Object.fromEntries(kept)) }
  const draft = { before: loginNamesOf(rules.before), after: loginNamesOf(rules.after) }
  const isAsked = (await signInPolicy(ctx)).loginTypes.includes(PASSWORD)
  const changesNames = isAsked && !isDeepStrictEqual(draft.before, draft.after)
  if (!changesNames && !isViolable(rules)) return { figures: [] }
  return await withPrediction(async () => {
    const byName = changesNames ? lookBack(ctx, (look) => loginsByName(look, draft)) : null
    const [looked, ...violations] = await Promise.all([
      byName,
      peopleLacking(ctx, rules),
      peopleMisformed(ctx, rules),
      peopleSharing(ctx, rules),
    ])
    const ofNames = changesNames ? [toFigure('logins-by-name', looked, ctx.now())] : []
    return { figures: [...ofNames, ...violations.flat()] }
  })
}
