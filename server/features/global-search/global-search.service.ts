import type { z } from 'zod'
import { MOST_FOUND, type searchEverywhere } from '#shared/contract/global-search.ts'
import { likeLiteral, planEachAnew } from '../../platform/list.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { inScope } from '../administrators/index.ts'
import { ownPeople } from '../organizations/index.ts'
import { type Among, bestApplications, bestOrganizations, bestPeople, type Wanted } from './global-search.store.ts'

/** The best few people, organisations and applications; of the first two only what the caller administers. */
export async function findEverywhere(ctx: Context, search: string): Promise<z.infer<typeof searchEverywhere.output>> {
  const text = search.normalize('NFKC').toLowerCase()
  const wanted: Wanted = {
    text,
    beginning: `${likeLiteral(text)}%`,
    part: `%${likeLiteral(text)}%`,
    // Spaces and signs stand in no pinyin.
    latin: text.replace(/[^a-z0-9]/g, ''),
    language: ctx.client.language,
  }
  return await transaction(ctx, async (inner) => {
    await planEachAnew(inner.db)
    const { isSuperUser } = callerOf(inner)
    const among: Among = isSuperUser
      ? null
      : ((await ownPeople(inner)) ?? { visible: inScope(inner, inner.db`u.organization_id`) })
    const people = await bestPeople(inner.db, wanted, among)
    const organizations = await bestOrganizations(inner.db, wanted, inScope(inner, inner.db`o.id`))
    const applications = isSuperUser ? await bestApplications(inner.db, wanted) : []
    const first = <T>(found: readonly T[]): T[] => found.slice(0, MOST_FOUND)
    const isMore = ({ length }: readonly unknown[]): boolean => length > MOST_FOUND
    return {
      ...{ people: first(people), organizations: first(organizations), applications: first(applications) },
      more: { people: isMore(people), organizations: isMore(organizations), applications: isMore(applications) },
    }
  })
}
