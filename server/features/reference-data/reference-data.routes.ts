import {
  organizationAttributes,
  type ReferenceDataCalls,
  userCategories,
  userFeatures,
} from '#shared/contract/reference-data.ts'
import type { Api } from '../../platform/http/mount.ts'
import {
  createEntry,
  entriesPage,
  getEntry,
  listOptions,
  moveEntry,
  type ReferenceList,
  removeEntry,
  updateEntry,
} from './reference-data.service.ts'

export function mountReferenceData(api: Api): void {
  mountReferenceList(api, organizationAttributes, { table: 'organization_attributes', kind: 'organization-attribute' })
  mountReferenceList(api, userCategories, { table: 'user_categories', kind: 'user-category' })
  mountReferenceList(api, userFeatures, { table: 'personnel_types', kind: 'user-feature' })
}

function mountReferenceList(api: Api, calls: ReferenceDataCalls, which: ReferenceList): void {
  api.mount(calls.list, (ctx, { query }) => entriesPage(ctx, which, query))
  api.mount(calls.options, (ctx) => listOptions(ctx, which))
  api.mount(calls.details, (ctx, { query }) => getEntry(ctx, which, query.id))
  api.mount(calls.create, (ctx, { body }) => createEntry(ctx, which, body))
  api.mount(calls.update, (ctx, { query, body }) => updateEntry(ctx, which, query.id, body))
  api.mount(calls.move, (ctx, { query, body }) => moveEntry(ctx, which, query.id, body.after))
  api.mount(calls.remove, (ctx, { query, body }) => removeEntry(ctx, which, query.id, body.version))
}
