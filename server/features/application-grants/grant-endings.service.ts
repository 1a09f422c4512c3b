import type { EndingHandler } from '../organizations/index.ts'
import { moveGrants } from './grant-endings.store.ts'

/** What becomes of grants to an organisation that ends. */
export const grantEndings: EndingHandler = { merge: (ctx, from, into) => moveGrants(ctx.db, from.id, into.id) }
