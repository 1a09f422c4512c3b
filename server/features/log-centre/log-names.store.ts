import { localized } from '../../platform/localized.ts'
import type { Context } from '../../platform/platform.ts'
import { inScope } from '../access/index.ts'

/** What ids refer to, by name. People and organisations only in the caller's scope, access rules only for super users. */
export function findNamesOfIds(ctx: Context, ids: string[]) {
  const { db, client } = ctx
  const name = (table: string) => localized(db, table, client.language)
  return db<{ id: string; name: string }[]>`
    select u.id, u.name || ' ' || u.account as name from users u
    where u.id = any(${ids}::uuid[]) and ${inScope(ctx, db`u.organization_id`)}
    union all select o.id, ${name('o')} from organizations o where o.id = any(${ids}::uuid[]) and ${inScope(ctx, db`o.id`)}
    union all select c.id, ${name('c')} from user_categories c where c.id = any(${ids}::uuid[])
    union all select a.id, ${name('a')} from applications a where a.id = any(${ids}::uuid[]) and not a.built_in
    union all select r.id, ${name('r')} from access_rules r where r.id = any(${ids}::uuid[]) and ${ctx.caller?.isSuperUser ?? false}`
}
