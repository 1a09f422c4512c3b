import { type AccessRule, AccessRuleFields, MAX_ACCESS_RULES } from '#shared/contract/access-rules.ts'
import { AccessSettings } from '#shared/contract/policy-switch.ts'
import type { Context } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { findReferences, invalidateAccessRules, isZone, referenceKey, referencesOf } from '../access/index.ts'
import { countNamed, resourceService } from '../resources/index.ts'
import { errors } from './access-rules.errors.ts'
import { type RuleInput, type RuleQuery, refuseSettingsRule, rulesStore } from './access-rules.store.ts'
import { refuseOrTryOut } from './lockout.service.ts'

export const rulesService = resourceService<RuleInput, AccessRule, RuleQuery>({
  kind: 'access-rule',
  fields: AccessRuleFields,
  store: rulesStore,
  async check(ctx, fields, id) {
    refuseSettingsRule(id)
    if (ctx.caller) refuseContradictions(fields)
    const { count, isTaken } = await countNamed(ctx.db, 'access_rules', fields.name, id)
    if (isTaken) throw errors['access-rule.name-taken']({ params: { name: fields.name }, data: { fields: ['name'] } })
    if (id === null && count >= MAX_ACCESS_RULES)
      throw errors['access-rule.too-many']({ params: { most: MAX_ACCESS_RULES } })
    // An automatic reversal restores what was there before: what it names may have been deleted since, and that is no reason to stay locked
    // out.
    if (ctx.caller) await refuseUnknown(ctx, fields, id)
    return fields
  },
  async changed(ctx, change) {
    await invalidateAccessRules(ctx, ctx.db)
    await refuseOrTryOut(ctx, { kind: 'access-rule', change, fields: DECIDING_FIELDS, off: { mode: 'off' } })
  },
})

/** The fields that decide whom a rule applies to and what it does. */
const DECIDING_FIELDS = ['mode', 'outcome', 'who', 'where', 'when', 'applications']

export const accessRuleRestorer = rulesService.restorer

function refuseContradictions({ outcome, who, when }: RuleInput): void {
  const isForSome =
    who.administrators || [who.categories, who.organizations, who.roles].some(({ length }) => length > 0)
  if (outcome === 'captcha' && isForSome) throw errors['access-rule.captcha-who']({ data: { fields: ['who'] } })
  if ((when.from === null) !== (when.to === null) || (when.from !== null && when.from === when.to))
    throw errors['access-rule.times']({ data: { fields: ['when.from', 'when.to'] } })
  if (!isZone(when.zone))
    throw errors['access-rule.zone-unknown']({ params: { zone: when.zone }, data: { fields: ['when.zone'] } })
}

/** A rule keeps and shows references deleted since; nobody can add a reference to something that doesn't exist. */
async function refuseUnknown(ctx: Context, fields: RuleInput, id: string | null): Promise<void> {
  const named = referencesOf({ ...fields, id: id ?? '', settingsKey: null })
  const found = new Set((await findReferences(ctx.db, named, ctx.client.language)).map(referenceKey))
  const [before] = id === null ? [] : await rulesStore.find(ctx, [id])
  const kept = new Set(before?.references.map(referenceKey))
  const unknown = named.find((one) => !found.has(referenceKey(one)) && !kept.has(referenceKey(one)))
  if (unknown)
    throw errors['access-rule.unknown-reference']({
      params: { value: unknown.value },
      data: { fields: [unknown.field] },
    })
}

/** Settings document `access`. */
export const accessSettings = (ctx: Context): Promise<AccessSettings> => readSettings(ctx, 'access', AccessSettings)
