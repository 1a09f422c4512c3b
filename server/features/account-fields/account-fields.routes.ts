import { fieldRulesDetails, updateFieldRules } from '#shared/contract/account-fields.ts'
import { customFieldUse, listPersonFields } from '#shared/contract/custom-fields.ts'
import { deleteFieldValues } from '#shared/contract/field-values.ts'
import type { Api } from '../../platform/http/mount.ts'
import { changeFieldRules, describeFieldRules } from './account-fields.service.ts'
import { countUse, describePersonFields } from './custom-fields.service.ts'
import { startDeletingValues } from './value-deletion.service.ts'

export function mountAccountFields(api: Api): void {
  api.mount(fieldRulesDetails, (ctx) => describeFieldRules(ctx))
  api.mount(customFieldUse, (ctx, { query }) => countUse(ctx, query.key))
  api.mount(deleteFieldValues, (ctx, { body }) => startDeletingValues(ctx, body.key))
  api.mount(listPersonFields, (ctx) => describePersonFields(ctx))
  api.mount(updateFieldRules, (ctx, { body }) => changeFieldRules(ctx, body))
}
