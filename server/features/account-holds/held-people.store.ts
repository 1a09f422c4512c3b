import type { Language } from '#shared/contract/endpoint.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { namedJson } from '../people-list/index.ts'

/** SQL columns that identify a person, from `heldPersonJoins`. */
export const heldPersonColumns = (db: Db, language: Language): SqlFragment => db`
  u.id, u.account, u.name, ${namedJson(db, 'o', language)} as organization, ${namedJson(db, 'c', language)} as category`

/** SQL: the people `u` of these ids, each with its `position`, organisation `o` and category `c`. */
export const heldPersonJoins = (db: Db, ids: readonly string[]): SqlFragment => db`
  from unnest(${ids as string[]}::uuid[]) with ordinality p(id, position) join users u on u.id = p.id
    left join organizations o on o.id = u.organization_id left join user_categories c on c.id = u.category_id`
