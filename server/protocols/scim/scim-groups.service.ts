import { validate as isUuid } from 'uuid'
import { requireScope } from '../../features/scim-clients/index.ts'
import {
  changeGroup,
  countGroups,
  createGroup,
  type GroupMember,
  getGroup,
  listGroups,
  listMembers,
  MAX_GROUP_MEMBERS,
  provisioningErrors,
  readableKinds,
  removeGroup,
  type ScimGroup,
} from '../../features/scim-provisioning/index.ts'
import { groupCondition } from './scim-conditions.rules.ts'
import { patchGroup, readGroup, renderGroup } from './scim-groups.rules.ts'
import { readPage, renderList } from './scim-lists.rules.ts'
import { baseOf, groupLocation, userLocation } from './scim-locations.rules.ts'
import { isAsked, type Projection, project, readProjection } from './scim-projection.rules.ts'
import type { ScimAnswer, ScimRequest } from './scim-request.types.ts'
import { type Given, readPatch } from './scim-values.rules.ts'

/** Per group of a list. */
const MAX_LISTED_MEMBERS = 50

/** Answers requests to `/Groups` and `/Groups/{id}`. @throws Refusal */
export async function answerGroups(request: ScimRequest): Promise<ScimAnswer> {
  const { ctx, client, method, id, query, body } = request
  const projection = readProjection(query)
  if (readableKinds(client).length === 0) requireScope(client, 'roles.read')
  if (id === null) {
    if (method === 'GET') return await listOf(request, projection)
    const { kind, change } = readGroup(body)
    const group = await createGroup(ctx, client, kind ?? 'role', change)
    return { ...(await answerWith(request, group, projection)), status: 201 }
  }
  if (!isUuid(id)) throw provisioningErrors['scim.not-found']({ params: { id: id.slice(0, 100) } })
  if (method === 'GET') return await answerWith(request, await getGroup(ctx, client, id), projection)
  // Changes of members don't change the version of the group.
  if (request.ifMatch !== undefined && request.ifMatch.trim() !== '*')
    throw provisioningErrors['scim.version-mismatch']()
  if (method === 'DELETE') {
    await removeGroup(ctx, client, id)
    return { status: 204 }
  }
  const change = method === 'PATCH' ? patchGroup(readPatch(body)) : readGroup(body).change
  return await answerWith(request, await changeGroup(ctx, client, id, change), projection)
}

async function render(
  { ctx }: ScimRequest,
  groups: readonly ScimGroup[],
  { projection, most }: { projection: Projection; most: number },
): Promise<Given[]> {
  const base = baseOf(ctx)
  const isWithMembers = isAsked(projection, 'members') && groups.length > 0
  const ids = groups.map(({ id }) => id)
  const members = new Map<string, GroupMember[]>(ids.map((id) => [id, []]))
  for (const member of isWithMembers ? await listMembers(ctx.db, ids, most) : [])
    members.get(member.groupId)?.push(member)
  return groups.map((group) => {
    const own = members.get(group.id) ?? []
    const places = {
      location: groupLocation(base, group.id),
      members: isWithMembers && own.length <= most ? own : null,
      userLocation: (id: string) => userLocation(base, id),
      groupLocation: (id: string) => groupLocation(base, id),
    }
    return project(renderGroup(group, places), projection)
  })
}

async function answerWith(request: ScimRequest, group: ScimGroup, projection: Projection): Promise<ScimAnswer> {
  const [body] = await render(request, [group], { projection, most: MAX_GROUP_MEMBERS })
  return { status: 200, ...(body && { body }), location: groupLocation(baseOf(request.ctx), group.id) }
}

async function listOf(request: ScimRequest, projection: Projection): Promise<ScimAnswer> {
  const { ctx, client, query } = request
  const page = readPage(query)
  const condition = groupCondition(String(query['filter'] ?? ''))
  const filter = { clientId: client.id, kinds: readableKinds(client), condition }
  const total = await countGroups(ctx.db, filter)
  const slice =
    page.kind === 'cursor'
      ? { after: page.after, offset: 0, limit: page.count + 1 }
      : { after: null, offset: page.startIndex - 1, limit: page.count }
  const found = page.count === 0 ? [] : await listGroups(ctx.db, filter, slice)
  const groups = found.slice(0, page.count)
  const resources = await render(request, groups, { projection, most: MAX_LISTED_MEMBERS })
  const place = { lastId: groups.at(-1)?.id ?? null, isMore: found.length > groups.length }
  return { status: 200, body: renderList(page, { total, resources, ...place }) }
}
