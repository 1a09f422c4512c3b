import type { SqlFragment } from '../../platform/db.ts'
import type { Context } from '../../platform/platform.ts'
import { inScope, organizationsInScope, seesEverything } from '../access/index.ts'

/** SQL condition: does the caller see the organisation `o`? */
export const isVisible = (ctx: Context): SqlFragment => inScope(ctx, ctx.db`o.id`)

/** SQL condition: is `o` a top of the tree that the caller sees? */
export const isTop = (ctx: Context): SqlFragment =>
  seesEverything(ctx)
    ? ctx.db`o.parent_id is null`
    : ctx.db`(${isVisible(ctx)} and (o.parent_id is null or o.parent_id not in ${organizationsInScope(ctx, null)}))`

/** SQL condition: may the caller change the organisation `o` itself? Only strictly below the tops of their edit scope. */
export const mayChange = (ctx: Context): SqlFragment =>
  seesEverything(ctx) ? ctx.db`true` : ctx.db`coalesce(o.parent_id in ${organizationsInScope(ctx, 'edit')}, false)`

/** SQL condition: may the caller put organisations and people into the organisation `o`? */
export const mayHold = (ctx: Context): SqlFragment => inScope(ctx, ctx.db`o.id`, 'edit')
