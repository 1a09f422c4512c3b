import {
  organizationAttributes,
  userCategories,
  userFeatures,
  type VocabularyCalls,
} from '#shared/contract/vocabularies.ts'
import type { Api } from '../../platform/http/mount.ts'
import { create, details, list, options, place, remove, rename, type Vocabulary } from './vocabularies.service.ts'

export function mountVocabularies(api: Api): void {
  mountOne(api, organizationAttributes, { table: 'organization_attributes', kind: 'organization-attribute' })
  mountOne(api, userCategories, { table: 'user_categories', kind: 'user-category' })
  mountOne(api, userFeatures, { table: 'personnel_natures', kind: 'user-feature' })
}

function mountOne(api: Api, calls: VocabularyCalls, which: Vocabulary): void {
  api.mount(calls.list, (ctx, { query }) => list(ctx, which, query))
  api.mount(calls.options, (ctx) => options(ctx, which))
  api.mount(calls.details, (ctx, { query }) => details(ctx, which, query.id))
  api.mount(calls.create, (ctx, { body }) => create(ctx, which, body))
  api.mount(calls.update, (ctx, { query, body }) => rename(ctx, which, query.id, body))
  api.mount(calls.move, (ctx, { query, body }) => place(ctx, which, query.id, body.after))
  api.mount(calls.remove, (ctx, { query, body }) => remove(ctx, which, query.id, body.version))
}
