import { v7 } from 'uuid'
import { AccessRuleFields } from '#shared/contract/access-rules.ts'
import type { accessRuleImpact } from '#shared/contract/policy-impact.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { findSettingsDocument } from '../../platform/settings.ts'
import { isZone, judgeRules, listStoredRules, ReadablePolicy, type StoredRule, settingsRules } from '../access/index.ts'
import { FIGURE_OF, toFigures } from './access-figures.service.ts'
import { withPrediction } from './look-back.service.ts'
import { placesAsTheyAre } from './places.service.ts'
import { errors } from './policy-impact.errors.ts'
import { replayLogins } from './replay.service.ts'

type ImpactInput = Input<typeof accessRuleImpact>['body']

/** The rules in the login configuration. */
export async function listSettingsRules({ db }: Context): Promise<StoredRule[]> {
  const { value } = await findSettingsDocument(db, 'login')
  return settingsRules(ReadablePolicy.parse(value))
}

/** A rule is compared by its effect; its name doesn't matter. */
const toStored = (id: string | undefined, rule: NonNullable<ImpactInput['rule']>): StoredRule => ({
  ...AccessRuleFields.parse({ ...rule, name: 'draft' }),
  id: id ?? v7(),
  settingsKey: null,
})

/**
 * Predicts the effect of an unsaved change of an access rule. While all rules are suspended they are evaluated as if active.
 * @throws Refusal `service.busy`, `resource.not-found`, `access-rule.zone-unknown`.
 */
export async function predictAccessRule(
  ctx: Context,
  { id, rule }: ImpactInput,
): Promise<Output<typeof accessRuleImpact>> {
  if (rule && !isZone(rule.when.zone))
    throw errors['access-rule.zone-unknown']({ params: { zone: rule.when.zone }, data: { fields: ['rule.when.zone'] } })
  const own = await listStoredRules(ctx.db)
  const before = own.find((one) => one.id === id)
  if (id && !before) throw errors['resource.not-found']()
  const isOnceOn = rule?.mode === 'report' && before?.mode !== 'on'
  const draft = rule ? [toStored(id, { ...rule, mode: isOnceOn ? 'on' : rule.mode })] : []
  const others = [...(await listSettingsRules(ctx)), ...own.filter((one) => one !== before)]
  const change = {
    before: await judgeRules(ctx.db, before ? [...others, before] : others),
    after: await judgeRules(ctx.db, [...others, ...draft]),
    placesOf: await placesAsTheyAre(ctx),
  }
  const likely = FIGURE_OF[(rule ?? before)?.outcome ?? 'refuse']
  return await withPrediction(async () => ({
    figures: await toFigures(ctx, await replayLogins(ctx, change), likely),
    isOnceOn,
  }))
}
