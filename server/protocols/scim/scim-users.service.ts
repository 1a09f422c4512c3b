import { validate as isUuid } from 'uuid'
import { requireScope } from '../../features/scim-clients/index.ts'
import {
  changePerson,
  countPeople,
  createPerson,
  getPerson,
  listGroupsOf,
  listPeople,
  type PersonGroup,
  provisioningErrors,
  readableKinds,
  removePerson,
  type ScimPerson,
} from '../../features/scim-provisioning/index.ts'
import { userCondition } from './scim-conditions.rules.ts'
import { readPage, renderList } from './scim-lists.rules.ts'
import { baseOf, groupLocation, userLocation } from './scim-locations.rules.ts'
import { isAsked, type Projection, project, readProjection } from './scim-projection.rules.ts'
import type { ScimAnswer, ScimRequest } from './scim-request.types.ts'
import { patchUser, readNewUser, readUser, renderUser, toEtag } from './scim-users.rules.ts'
import { type Given, readPatch } from './scim-values.rules.ts'

/** Answers requests to `/Users` and `/Users/{id}`. @throws Refusal */
export async function answerUsers(request: ScimRequest): Promise<ScimAnswer> {
  const { ctx, client, method, id, query } = request
  requireScope(client, method === 'GET' ? 'users.read' : 'users.write')
  const projection = readProjection(query)
  if (id === null) {
    if (method === 'GET') return await listUsers(request, projection)
    const person = await createPerson(ctx, client, readNewUser(request.body))
    return { ...(await answerWith(request, person, projection)), status: 201 }
  }
  if (!isUuid(id)) throw provisioningErrors['scim.not-found']({ params: { id: id.slice(0, 100) } })
  if (method === 'GET') {
    const person = await getPerson(ctx, client, id)
    if (request.ifNoneMatch === toEtag(person.version)) return { status: 304, etag: toEtag(person.version) }
    return await answerWith(request, person, projection)
  }
  const version = readVersion(request.ifMatch)
  if (method === 'DELETE') {
    await removePerson(ctx, client, id, { version })
    return { status: 204 }
  }
  const change =
    method === 'PATCH' ? patchUser(readPatch(request.body), await getPerson(ctx, client, id)) : readUser(request.body)
  return await answerWith(request, await changePerson(ctx, client, id, { change, version }), projection)
}

/** @throws Refusal `scim.version-mismatch` for a tag that is not one of our versions. */
function readVersion(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(ifMatch.trim()) ?? []
  if (version === undefined) throw provisioningErrors['scim.version-mismatch']()
  return Number(version)
}

/** The groups that the client may see, by person. */
async function groupsOf({ ctx, client }: ScimRequest, ids: readonly string[]): Promise<Map<string, PersonGroup[]>> {
  const kinds = readableKinds(client)
  const groups = kinds.length === 0 || ids.length === 0 ? [] : await listGroupsOf(ctx.db, ids)
  const byPerson = new Map<string, PersonGroup[]>()
  for (const group of groups)
    if (kinds.includes(group.kind)) byPerson.set(group.userId, [...(byPerson.get(group.userId) ?? []), group])
  return byPerson
}

async function render(request: ScimRequest, people: readonly ScimPerson[], projection: Projection): Promise<Given[]> {
  const base = baseOf(request.ctx)
  const ids = people.map(({ id }) => id)
  const groups = isAsked(projection, 'groups') ? await groupsOf(request, ids) : new Map<string, PersonGroup[]>()
  return people.map((person) => {
    const places = {
      location: userLocation(base, person.id),
      groups: groups.get(person.id) ?? [],
      groupLocation: (id: string) => groupLocation(base, id),
    }
    return project(renderUser(person, places), projection)
  })
}

async function answerWith(request: ScimRequest, person: ScimPerson, projection: Projection): Promise<ScimAnswer> {
  const [body] = await render(request, [person], projection)
  const location = userLocation(baseOf(request.ctx), person.id)
  return { status: 200, ...(body && { body }), location, etag: toEtag(person.version) }
}

async function listUsers(request: ScimRequest, projection: Projection): Promise<ScimAnswer> {
  const { ctx, client, query } = request
  const page = readPage(query)
  const filter = { clientId: client.id, condition: userCondition(String(query['filter'] ?? '')) }
  const total = await countPeople(ctx.db, filter)
  const slice =
    page.kind === 'cursor'
      ? { after: page.after, offset: 0, limit: page.count + 1 }
      : { after: null, offset: page.startIndex - 1, limit: page.count }
  const found = page.count === 0 ? [] : await listPeople(ctx.db, filter, slice)
  const people = found.slice(0, page.count)
  const resources = await render(request, people, projection)
  const place = { lastId: people.at(-1)?.id ?? null, isMore: found.length > people.length }
  return { status: 200, body: renderList(page, { total, resources, ...place }) }
}
