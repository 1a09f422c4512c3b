import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'
import type { Context } from '../../platform/platform.ts'
import { inScope } from '../access/index.ts'

export type ReferenceRow = { id: string; code: string; name: string; names: Record<string, string> }

export const listReferenceRows = (db: Db, table: string) => db<ReferenceRow[]>`
  select id, code, name, names from ${db(table)} order by code limit 100000`

/** @param isEverywhere also outside of the caller's scope, and without a caller */
export const listImportOrganizations = ({ db, ...ctx }: Context, isEverywhere: boolean) => db<
  (ReferenceRow & { parentId: string | null })[]
>`
  select o.id, o.code, o.name, o.names, o.parent_id from organizations o
  where ${isEverywhere ? db`true` : inScope({ ...ctx, db }, db`o.id`, 'import')} order by o.code limit 200000`

/** For organisations, categories, personnel types and roles. */
export const listNamesById = (db: Db, ids: readonly string[], language: Language) => db<{ id: string; name: string }[]>`
  select named.id, ${localized(db, 'named', language)} as name from (
    select id, name, names from organizations union all select id, name, names from user_categories
    union all select id, name, names from personnel_types union all select id, name, names from roles) named
  where named.id = any(${ids as string[]}::uuid[])`
