import { fieldRulesDetails, updateFieldRules } from '#shared/contract/account-fields.ts'
import type { Api } from '../../platform/http/mount.ts'
import { changeFieldRules, describeFieldRules } from './account-fields.service.ts'

export function mountAccountFields(api: Api): void {
  api.mount(fieldRulesDetails, (ctx) => describeFieldRules(ctx))
  api.mount(updateFieldRules, (ctx, { body }) => changeFieldRules(ctx, body))
}
