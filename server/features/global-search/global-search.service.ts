import type { z } from 'zod'
import type { searchEverywhere } from '#shared/contract/global-search.ts'
import { likeLiteral } from '../../platform/list.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { inScope } from '../administrators/index.ts'
import { bestApplications, bestOrganizations, bestPeople, type Wanted } from './global-search.store.ts'

/** The best few people, organisations and applications; of the first two only what the caller administers. */
export async function findEverywhere(ctx: Context, search: string): Promise<z.infer<typeof searchEverywhere.output>> {
  const { db } = ctx
  const text = search.normalize('NFKC').toLowerCase()
  const wanted: Wanted = {
    text,
    beginning: `${likeLiteral(text)}%`,
    part: `%${likeLiteral(text)}%`,
    // Spaces and signs stand in no pinyin.
    latin: text.replace(/[^a-z0-9]/g, ''),
    language: ctx.client.language,
  }
  const [people, organizations, applications] = await Promise.all([
    bestPeople(db, wanted, inScope(ctx, db`u.organization_id`)),
    bestOrganizations(db, wanted, inScope(ctx, db`o.id`)),
    callerOf(ctx).isSuperUser ? bestApplications(db, wanted) : [],
  ])
  return { people, organizations, applications }
}
