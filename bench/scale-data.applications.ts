import type { Database } from '../server/platform/db.ts'

const ROLES = 50
/** One in this many people is a member of a role. */
const ONE_OF = 251

/**
 * Two of three use CAS; each is granted to a role, an organisation or a category, and one in thirty people has a
 * personal grant.
 */
export async function writeApplications(sql: Database, count: number, at: Date): Promise<void> {
  await sql`
    insert into application_categories (id, code, name, position)
    select gen_random_uuid(), 'category-' || n, '类别' || n, n from generate_series(1, 12) n`
  await sql`
    insert into roles (id, code, name) select gen_random_uuid(), 'role-' || n, '角色' || n from generate_series(1, ${ROLES}::int) n`
  await sql`
    insert into role_members (role_id, user_id)
    select r.id, u.id
    from (select id, row_number() over (order by code) as n from roles) r
    join (select id, abs(hashtext(account)) as chance from users) u
      on u.chance % ${ONE_OF}::int = r.n % ${ONE_OF}::int`
  await sql`
    insert into applications (id, app_id, name, name_pinyin, name_initials, category_id, protocol, type, url, service_urls, attributes,
      client_id, redirect_uris, created_at, updated_at)
    select gen_random_uuid(), 'app-' || n, '应用' || n, 'yingyong' || n, 'yy' || n,
      (select id from application_categories where code = 'category-' || (1 + n % 12)), case when n % 3 = 0 then 'oauth2' else 'cas' end,
      case when n % 10 = 0 then 'whitelist' else 'system' end, 'https://app-' || n || '.example.edu/',
      case when n % 3 = 0 then '{}' else array['https://app-' || n || '.example.edu/**'] end, '[{"name": "account", "from": "account"}, {"name": "name", "from": "name"}]'::jsonb,
      case when n % 3 = 0 then 'client-' || n end,
      case when n % 3 = 0 then array['https://app-' || n || '.example.edu/callback'] else '{}' end, ${at}, ${at}
    from generate_series(1, ${count}::int) n`
  await sql`
    insert into application_grants (application_id, subject_kind, subject_id)
    select a.id, 'role', r.id from (select id, row_number() over (order by app_id) as n from applications where not built_in) a
    join (select id, row_number() over (order by code) as n from roles) r on r.n = 1 + a.n % ${ROLES}::int
    union all
    select a.id, 'organization', o.id from (select id, row_number() over (order by app_id) as n from applications where not built_in) a
    join (select id, row_number() over (order by code) as n from organizations where code ~ '^faculty-') o on o.n = 1 + a.n % 20
    union all
    select a.id, 'category', c.id from (select id, row_number() over (order by app_id) as n from applications where not built_in) a
    join (select id, row_number() over (order by code) as n from user_categories) c on c.n = 1 + a.n % 6 where a.n % 4 = 0
    union all
    select a.id, 'user', u.id from (select id, row_number() over (order by app_id) as n from applications where not built_in) a
    join (select id, abs(hashtext(account)) as chance from users) u on u.chance % 30 = 0 and a.n = 1 + u.chance % ${count}::int`
}
