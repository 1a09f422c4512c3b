import type {
  listOrganizationChildren,
  OrganizationDetails,
  OrganizationField,
  OrganizationFound,
  OrganizationNode,
  searchOrganizations,
} from '#shared/contract/organizations.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Page, pageWindow } from '../../platform/list.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { seesEverything } from '../access/index.ts'
import { listOrganizationOwners } from '../field-authority/index.ts'
import { errors } from './organizations.errors.ts'
import { isTop, isVisible, mayChange, mayHold } from './organizations-scope.store.ts'
import {
  countChildren,
  findOrganization,
  listPathNodes,
  type OrganizationRow,
  pageOfChildren,
  pageOfSearchResults,
  type UnplacedNode,
  type ViewConditions,
} from './tree.store.ts'

const viewConditionsOf = (ctx: Context): ViewConditions => ({
  language: ctx.client.language,
  visible: isVisible(ctx),
  top: isTop(ctx),
  mayChange: mayChange(ctx),
  mayHold: mayHold(ctx),
  ownTask: seesEverything(ctx) ? ctx.db`true` : ctx.db`t.owner_id = ${callerOf(ctx).userId}`,
})

/** The organisation as the caller sees it. @throws Refusal `organization.not-found`, also for one outside their scope. */
export async function getVisibleOrganization(ctx: Context, id: string): Promise<OrganizationRow> {
  const row = await findOrganization(ctx.db, viewConditionsOf(ctx), id)
  if (!row) throw errors['organization.not-found']()
  return row
}

/** With the syncs that own its fields. */
export async function toDetails(
  { db }: Context,
  { ancestorIds: _, ...row }: OrganizationRow,
): Promise<OrganizationDetails> {
  const owners = (await listOrganizationOwners(db, { ids: [row.id] })).get(row.id) ?? []
  return {
    ...row,
    fieldOwners: owners.map(({ since, ...owner }) => ({ ...owner, since: toIso(since) })),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export const getDetails = async (ctx: Context, id: string) =>
  await toDetails(ctx, await getVisibleOrganization(ctx, id))

/** With the sources that own the places of those that the caller may change: the tree doesn't offer what a move would refuse. */
async function addPlaces<Node extends UnplacedNode>({ db }: Context, nodes: readonly Node[]) {
  const ids = nodes.flatMap(({ id, may }) => (may.change ? [id] : []))
  const owners = ids.length > 0 ? await listOrganizationOwners(db, { ids }) : null
  return nodes.map((node) => {
    const sourceOf = (field: OrganizationField) =>
      owners?.get(node.id)?.find((owner) => owner.field === field)?.source ?? null
    const placedBy = { parentId: sourceOf('parentId'), position: sourceOf('position') }
    // Each move gives a new position, also one to another parent.
    return { ...node, may: { ...node.may, move: node.may.change && placedBy.position === null }, placedBy }
  })
}

/** @throws Refusal `organization.not-found` for a parent, or a sibling to continue after, that is not visible. */
export async function childrenPage(
  ctx: Context,
  query: Input<typeof listOrganizationChildren>['query'],
): Promise<Page<OrganizationNode>> {
  const { parentId = null, after = null } = query
  const view = viewConditionsOf(ctx)
  if (parentId !== null) await getVisibleOrganization(ctx, parentId)
  if (after !== null) await getVisibleOrganization(ctx, after)
  const total = await countChildren(ctx.db, view, parentId)
  const window = after === null ? pageWindow(query, total) : { limit: query.pageSize, offset: 0, reverse: false }
  const nodes = await pageOfChildren(ctx.db, view, parentId, { ...window, after })
  return { records: await addPlaces(ctx, nodes), ...total }
}

export async function searchPage(
  ctx: Context,
  query: Input<typeof searchOrganizations>['query'],
): Promise<Page<OrganizationFound>> {
  const { attribute = null, outside = null } = query
  const filter = { search: query.search.normalize('NFKC'), choosable: query.for === 'edit', attribute, outside }
  const view = viewConditionsOf(ctx)
  const page = await pageOfSearchResults(ctx.db, view, filter, query)
  return { ...page, records: await addPlaces(ctx, page.records) }
}

/** @throws Refusal `organization.not-found`. */
export async function getPath(ctx: Context, id: string): Promise<{ nodes: OrganizationNode[] }> {
  const nodes = await listPathNodes(ctx.db, viewConditionsOf(ctx), id)
  if (nodes.length === 0) throw errors['organization.not-found']()
  return { nodes: await addPlaces(ctx, nodes) }
}
