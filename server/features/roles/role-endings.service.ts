import type { EndingHandler } from '../organizations/index.ts'
import { moveGroupMemberships } from './members.store.ts'

/** What becomes of the roles of an organisation that ends. */
export const roleEndings: EndingHandler = {
  merge: (ctx, from, into) => moveGroupMemberships(ctx.db, from.id, into.id),
}
