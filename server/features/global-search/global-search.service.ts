import type { z } from 'zod'
import { MAX_FOUND, type searchEverywhere } from '#shared/contract/global-search.ts'
import { escapeLike, forceCustomPlan } from '../../platform/list.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { inScope, seesEverything } from '../access/index.ts'
import { peopleInSmallScope } from '../organizations/index.ts'
import { exactPredicatesFor } from '../people-list/index.ts'
import {
  findBestApplications,
  findBestOrganizations,
  findBestPeople,
  type PeopleScope,
  type SearchTerms,
} from './global-search.store.ts'

/** The best few people, organisations and applications; of the first two only those that the caller administers. */
export async function findEverywhere(ctx: Context, search: string): Promise<z.infer<typeof searchEverywhere.output>> {
  const text = search.normalize('NFKC').toLowerCase()
  const wanted: SearchTerms = {
    text,
    beginning: `${escapeLike(text)}%`,
    part: `%${escapeLike(text)}%`,
    // Pinyin contains no spaces and punctuation.
    latin: text.replace(/[^a-z0-9]/g, ''),
    language: ctx.client.language,
  }
  return await transaction(ctx, async (inner) => {
    await forceCustomPlan(inner.db)
    const isUnlimited = seesEverything(inner)
    const among: PeopleScope = isUnlimited
      ? null
      : ((await peopleInSmallScope(inner)) ?? { visible: inScope(inner, inner.db`u.organization_id`) })
    const people = await findBestPeople(inner.db, wanted, among, exactPredicatesFor(inner, { search }))
    const organizations = await findBestOrganizations(inner.db, wanted, inScope(inner, inner.db`o.id`))
    const applications = isUnlimited ? await findBestApplications(inner.db, wanted) : []
    const first = <T>(found: readonly T[]): T[] => found.slice(0, MAX_FOUND)
    const isMore = ({ length }: readonly unknown[]): boolean => length > MAX_FOUND
    return {
      ...{ people: first(people), organizations: first(organizations), applications: first(applications) },
      more: { people: isMore(people), organizations: isMore(organizations), applications: isMore(applications) },
    }
  })
}
