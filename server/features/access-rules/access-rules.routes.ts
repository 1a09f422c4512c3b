import {
  accessRuleState,
  accessRules,
  countRuleOutcomes,
  listRuleOutcomes,
  testAccessRules,
} from '#shared/contract/access-rules.ts'
import { rulesNaming } from '#shared/contract/rules-naming.ts'
import type { Api } from '../../platform/http/mount.ts'
import { accessSettings, rulesService } from './access-rules.service.ts'
import { listRulesNaming } from './named-by-rules.service.ts'
import { findOutcomes } from './outcomes.service.ts'
import { countRules } from './rule-counts.service.ts'
import { testRules } from './rule-test.service.ts'

export function mountAccessRules(api: Api): void {
  api.mount(accessRules.list, (ctx, { query }) => rulesService.page(ctx, query))
  api.mount(accessRules.details, (ctx, { query }) => rulesService.get(ctx, query.id))
  api.mount(accessRules.create, (ctx, { body: { force, ...fields } }) => rulesService.create(ctx, fields, { force }))
  api.mount(accessRules.update, (ctx, { query, body: { force, ...fields } }) =>
    rulesService.update(ctx, query.id, fields, { force }),
  )
  api.mount(accessRules.remove, (ctx, { query, body }) => rulesService.remove(ctx, query.id, body.version))
  api.mount(accessRuleState, (ctx) => accessSettings(ctx))
  api.mount(countRuleOutcomes, (ctx) => countRules(ctx))
  api.mount(rulesNaming, (ctx, { body }) => listRulesNaming(ctx, body))
  api.mount(testAccessRules, (ctx, { body }) => testRules(ctx, body))
  api.mount(listRuleOutcomes, (ctx, { query }) => findOutcomes(ctx, query))
}
