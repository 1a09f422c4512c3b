import { deleteOrganization, mergeOrganization, organizationEffects } from '#shared/contract/organization-endings.ts'
import { organizationMoveEffects } from '#shared/contract/organization-moves.ts'
import {
  createOrganization,
  listOrganizationChildren,
  moveOrganization,
  organizationDetails,
  organizationPath,
  searchOrganizations,
  updateOrganization,
} from '#shared/contract/organizations.ts'
import type { Api } from '../../platform/http/mount.ts'
import { moveEffects } from './move-effects.ts'
import { create, update } from './organizations.changes.ts'
import { effectsOf } from './organizations.effects.ts'
import { merge, remove } from './organizations.endings.ts'
import { move } from './organizations.moves.ts'
import { childrenOf, detailsOf, pathOf, search } from './organizations.service.ts'

export function mountOrganizations(api: Api): void {
  api.mount(listOrganizationChildren, (ctx, { query }) => childrenOf(ctx, query))
  api.mount(searchOrganizations, (ctx, { query }) => search(ctx, query))
  api.mount(organizationPath, (ctx, { query }) => pathOf(ctx, query.id))
  api.mount(organizationDetails, (ctx, { query }) => detailsOf(ctx, query.id))
  api.mount(organizationEffects, (ctx, { query }) => effectsOf(ctx, query.id))
  api.mount(organizationMoveEffects, (ctx, { query }) => moveEffects(ctx, query))
  api.mount(createOrganization, (ctx, { body }) => create(ctx, body))
  api.mount(updateOrganization, (ctx, { query, body }) => update(ctx, query.id, body))
  api.mount(moveOrganization, (ctx, { query, body }) => move(ctx, query.id, body))
  api.mount(mergeOrganization, (ctx, { query, body }) => merge(ctx, query.id, body))
  api.mount(deleteOrganization, (ctx, { query, body }) => remove(ctx, query.id, body))
}
