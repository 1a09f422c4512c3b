import { AccessRuleFields, SETTINGS_RULES, type SettingsRuleKey } from '#shared/contract/access-rules.ts'
import { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { readableByKey } from '../../platform/settings.ts'
import type { StoredRule } from './access-rules.types.ts'

/** A stored login configuration with defaults; a key that can't be parsed takes its default, so that everybody can still log in. */
export const ReadablePolicy = readableByKey(SignInPolicy)

/** The keys of the login configuration that are rules, as rules; a key that is false or empty gives an inactive rule. */
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
    // The rule schema limits applications to fewer than the settings may hold.
    { ...toRule('secondFactorApplications', applications.length > 0, {}), applications },
  ]
}
