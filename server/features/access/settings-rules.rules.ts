import { AccessRuleFields, SETTINGS_RULES, type SettingsRuleKey } from '#shared/contract/access-rules.ts'
import { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { readableByKey } from '../../platform/settings.ts'
import type { StoredRule } from './access-rules.types.ts'

/** A stored login configuration with its defaults; what of it can't be read has its default, so that everybody still gets in. */
export const ReadablePolicy = readableByKey(SignInPolicy)

/** The keys of the login configuration that are rules, as rules; one that is false or empty is off. */
export function settingsRules(policy: SignInPolicy): StoredRule[] {
  const toRule = (key: SettingsRuleKey, isOn: boolean, parts: object): StoredRule => ({
    ...AccessRuleFields.parse({ name: key, mode: isOn ? 'on' : 'off', outcome: 'second-factor', ...parts }),
    id: SETTINGS_RULES[key],
    settingsKey: key,
  })
  const { secondFactorCategories: categories, secondFactorApplications: applications } = policy
  return [
    toRule('secondFactorSuperUsers', policy.secondFactorSuperUsers, { who: { administrators: true } }),
    toRule('secondFactorOffCampus', policy.secondFactorOffCampus, { where: { kinds: ['campus'], place: 'outside' } }),
    toRule('secondFactorCategories', categories.length > 0, { who: { categories } }),
    // Of the applications field a rule holds fewer than the settings may.
    { ...toRule('secondFactorApplications', applications.length > 0, {}), applications },
  ]
}
