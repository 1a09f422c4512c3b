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
import { getEffects } from './effects.service.ts'
import { merge, remove } from './endings.service.ts'
import type { EndingHandler } from './endings.types.ts'
import { getMoveEffects } from './move-effects.service.ts'
import { childrenPage, getDetails, getPath, searchPage } from './organizations.service.ts'
import { move } from './organizations-move.service.ts'
import { create, update } from './organizations-save.service.ts'

/** @param handlers of features that keep something about organisations */
export function mountOrganizations(api: Api, handlers: readonly EndingHandler[]): void {
  api.mount(listOrganizationChildren, (ctx, { query }) => childrenPage(ctx, query))
  api.mount(searchOrganizations, (ctx, { query }) => searchPage(ctx, query))
  api.mount(organizationPath, (ctx, { query }) => getPath(ctx, query.id))
  api.mount(organizationDetails, (ctx, { query }) => getDetails(ctx, query.id))
  api.mount(organizationEffects, (ctx, { query }) => getEffects(ctx, query.id))
  api.mount(organizationMoveEffects, (ctx, { query }) => getMoveEffects(ctx, query))
  api.mount(createOrganization, (ctx, { body }) => create(ctx, body))
  api.mount(updateOrganization, (ctx, { query, body }) => update(ctx, query.id, body))
  api.mount(moveOrganization, (ctx, { query, body }) => move(ctx, query.id, body))
  api.mount(mergeOrganization, (ctx, { query, body }) => merge(ctx, query.id, body, handlers))
  api.mount(deleteOrganization, (ctx, { query, body }) => remove(ctx, query.id, body, handlers))
}
