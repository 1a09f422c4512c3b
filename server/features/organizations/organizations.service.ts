import type { z } from 'zod'
import type {
  listOrganizationChildren,
  OrganizationDetails,
  OrganizationFound,
  OrganizationNode,
  searchOrganizations,
} from '#shared/contract/organizations.ts'
import type { Input } from '../../platform/http/mount.ts'
import { stretchOf, type Total } from '../../platform/list.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { errors } from './organizations.errors.ts'
import { isTop, isVisible, mayChange, mayHold } from './organizations.scope.ts'
import {
  countChildren,
  countFound,
  type DetailsRow,
  findOrganization,
  nodesOnPath,
  pageOfChildren,
  pageOfFound,
  type Sight,
} from './tree.store.ts'

const sightOf = (ctx: Context): Sight => ({
  language: ctx.client.language,
  visible: isVisible(ctx),
  top: isTop(ctx),
  mayChange: mayChange(ctx),
  mayHold: mayHold(ctx),
  ownTask: callerOf(ctx).isSuperUser ? ctx.db`true` : ctx.db`t.owner_id = ${callerOf(ctx).userId}`,
})

/** The organisation as the caller sees it. @throws Refusal `organization.not-found`, also for what lies outside their scope. */
export async function seenOrganization(ctx: Context, id: string): Promise<DetailsRow> {
  const row = await findOrganization(ctx.db, sightOf(ctx), id)
  if (!row) throw errors['organization.not-found']()
  return row
}

export const shownDetails = ({ ancestorIds: _, ...row }: DetailsRow): z.infer<typeof OrganizationDetails> => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const detailsOf = async (ctx: Context, id: string) => shownDetails(await seenOrganization(ctx, id))

type Page<Row> = { records: Row[] } & Total

/** @throws Refusal `organization.not-found` for a parent, or a sibling to go on behind, that is not seen. */
export async function childrenOf(
  ctx: Context,
  query: Input<typeof listOrganizationChildren>['query'],
): Promise<Page<OrganizationNode>> {
  const { parentId = null, after = null } = query
  const sight = sightOf(ctx)
  if (parentId !== null) await seenOrganization(ctx, parentId)
  if (after !== null) await seenOrganization(ctx, after)
  const total = await countChildren(ctx.db, sight, parentId)
  const stretch = after === null ? stretchOf(query, total) : { limit: query.pageSize, offset: 0, reverse: false }
  return { records: await pageOfChildren(ctx.db, sight, parentId, { ...stretch, after }), ...total }
}

export async function search(
  ctx: Context,
  query: Input<typeof searchOrganizations>['query'],
): Promise<Page<OrganizationFound>> {
  const { attribute = null, outside = null } = query
  const wanted = { search: query.search.normalize('NFKC'), choosable: query.for === 'edit', attribute, outside }
  const sight = sightOf(ctx)
  const total = await countFound(ctx.db, sight, wanted)
  return { records: await pageOfFound(ctx.db, sight, wanted, stretchOf(query, total)), ...total }
}

/** @throws Refusal `organization.not-found`. */
export async function pathOf(ctx: Context, id: string): Promise<{ nodes: OrganizationNode[] }> {
  const nodes = await nodesOnPath(ctx.db, sightOf(ctx), id)
  if (nodes.length === 0) throw errors['organization.not-found']()
  return { nodes }
}
