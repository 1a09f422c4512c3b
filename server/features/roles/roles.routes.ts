import {
  addRoleMembers,
  createRole,
  deleteRole,
  listRoleMembers,
  listRoles,
  removeRoleMembers,
  roleDetails,
  roleImpact,
  roleOptions,
  rolesOfPerson,
  updateRole,
} from '#shared/contract/roles.ts'
import type { Api } from '../../platform/http/mount.ts'
import { addMembers, membersPage, removeMembers } from './members.service.ts'
import {
  changeRole,
  createNewRole,
  getRole,
  getRoleImpact,
  personRolesPage,
  removeRole,
  roleOptionsPage,
  rolesPage,
} from './roles.service.ts'

export function mountRoles(api: Api): void {
  api.mount(listRoles, (ctx, { query }) => rolesPage(ctx, query))
  api.mount(roleOptions, (ctx, { query }) => roleOptionsPage(ctx, query))
  api.mount(roleDetails, (ctx, { query }) => getRole(ctx, query.id))
  api.mount(createRole, (ctx, { body }) => createNewRole(ctx, body))
  api.mount(updateRole, (ctx, { query, body }) => changeRole(ctx, query.id, body))
  api.mount(roleImpact, (ctx, { query }) => getRoleImpact(ctx, query.id))
  api.mount(deleteRole, async (ctx, { query, body }) => {
    await removeRole(ctx, query.id, body.version)
    return null
  })
  api.mount(listRoleMembers, (ctx, { query }) => membersPage(ctx, query))
  api.mount(addRoleMembers, (ctx, { query, body }) => addMembers(ctx, query.id, body))
  api.mount(removeRoleMembers, (ctx, { query, body }) => removeMembers(ctx, query.id, body))
  api.mount(rolesOfPerson, (ctx, { query }) => personRolesPage(ctx, query))
}
