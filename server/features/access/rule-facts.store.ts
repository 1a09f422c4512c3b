import type { Db, SqlFragment } from '../../platform/db.ts'
import { toFragment } from '../../platform/statement.ts'
import type { NamedPeople, RuleNeeds } from './access-decision.rules.ts'
import type { AccessPerson } from './access-rules.types.ts'
import { IS_ADMINISTRATOR } from './administrator-scope.store.ts'
import { roleText, withinText } from './role-membership.store.ts'

/** What a statement reads about a person for the access rules, and how many organisations and roles it checks. */
export type RuleShape = { administers: boolean; category: boolean; ruleOrganizations: number; ruleRoles: number }

/** Columns of `ruleFactColumns`. */
export type RuleFactsRow = {
  /** Is a super user, or administers an organisation. */
  administers: boolean
  /** Code of the person's category. */
  ruleCategory: string | null
  /** Those that the rules name. */
  ruleOrganizations: string[]
  ruleRoles: string[]
}

/**
 * Those of the ids in `parameter` for which a condition on the person `u` and their department `o` holds (SQL). Their number is part of the
 * text: without it PostgreSQL estimates a generic plan as dearer than a custom one and plans anew at each request.
 */
const idsWhere = (parameter: string, count: number, condition: string) => `array(
  select x.id::text from (select id from unnest(:${parameter}::text[]::uuid[]) as ids (id) limit ${count}) x
    left join organizations o on o.id = u.organization_id
  where ${condition})`

/** What access rules need about the person `u` (SQL, with `:now` and the parameters of `ruleParameters`); empty for what none needs. */
export const ruleFactColumns = (shape: RuleShape): string => `
  ${shape.category ? '(select g.code from user_categories g where g.id = u.category_id)' : 'null'} as rule_category,
  ${shape.administers ? IS_ADMINISTRATOR : 'false'} as administers,
  ${shape.ruleOrganizations > 0 ? idsWhere('ruleOrganizations', shape.ruleOrganizations, withinText('x.id')) : "'{}'::text[]"} as rule_organizations,
  ${shape.ruleRoles > 0 ? idsWhere('ruleRoles', shape.ruleRoles, roleText('x.id')) : "'{}'::text[]"} as rule_roles`

export const ruleShape = ({ administers, category, organizations, roles }: RuleNeeds): RuleShape => ({
  administers,
  category,
  ruleOrganizations: organizations.length,
  ruleRoles: roles.length,
})

export const ruleParameters = ({ organizations, roles }: RuleNeeds) => ({
  ruleOrganizations: organizations,
  ruleRoles: roles,
})

/** `ruleFactColumns` as a fragment. */
export const ruleFacts = (db: Db, needs: RuleNeeds, now: Date): SqlFragment =>
  toFragment(db, ruleFactColumns(ruleShape(needs)), { now, ...ruleParameters(needs) })

/**
 * SQL value of the person `u`: rules that need no more than this treat everybody with the same key alike. Whoever has something individual,
 * such as a secondary department, a role by name or an appointment, has a key of their own.
 */
export function factsKey(db: Db, { administers, category, organizations, roles }: RuleNeeds): SqlFragment {
  const hasGroups = organizations.length + roles.length > 0
  const isAlone = [
    db`false`,
    ...(administers ? [db`u.is_super_user or exists (select from appointments a where a.user_id = u.id)`] : []),
    ...(hasGroups ? [db`exists (select from user_organizations uo where uo.user_id = u.id)`] : []),
    ...(roles.length > 0
      ? [
          db`exists (select from role_members rm
            where rm.user_id = u.id and rm.role_id = any(${roles as string[]}::text[]::uuid[]))`,
        ]
      : []),
  ].reduce((all, one) => db`${all} or ${one}`)
  const ofCategory = category || roles.length > 0 ? db`u.category_id::text` : db`''`
  const ofDepartment = hasGroups ? db`u.organization_id::text` : db`''`
  return db`case when ${isAlone} then u.id::text else concat_ws('/', coalesce(${ofCategory}, ''), coalesce(${ofDepartment}, '')) end`
}

/**
 * SQL condition: may the person `u` be one of these? For statements about everybody: each list is resolved once, not per person. It also
 * matches a few too many, whose appointment has ended or not begun.
 */
export function mayBeNamed(db: Db, named: NamedPeople): SqlFragment {
  if (named.everybody) return db`true`
  const roles = db`${named.roles}::text[]::uuid[]`
  const groups = (kind: 'category' | 'organization') => db`
    select rg.subject_id from role_member_groups rg where rg.kind = ${kind} and rg.role_id = any(${roles})`
  const organizations = db`
    select o.id from organizations o
    where o.ancestor_ids && (${named.organizations}::text[]::uuid[] || array(${groups('organization')}))`
  const hasGroups = named.organizations.length + named.roles.length > 0
  return [
    ...(named.administrators ? [db`u.is_super_user or u.id in (select a.user_id from appointments a)`] : []),
    ...(named.categories.length + named.roles.length > 0
      ? [
          db`u.category_id in (
            select c.id from user_categories c where c.code = any(${named.categories}) union all ${groups('category')})`,
        ]
      : []),
    ...(hasGroups
      ? [
          db`u.organization_id in (${organizations})
            or u.id in (select uo.user_id from user_organizations uo where uo.organization_id in (${organizations}))`,
        ]
      : []),
    ...(named.roles.length > 0
      ? [db`u.id in (select rm.user_id from role_members rm where rm.role_id = any(${roles}))`]
      : []),
  ].reduce((all, one) => db`${all} or ${one}`, db`false`)
}

/**
 * Departments in the same of the organisations that rules name, directly or by a role, are equivalent: there are a few kinds of them among
 * thousands of departments. @returns the key of equivalent people by `factsKey`, with the kind instead of the department.
 */
export async function peopleKeys(db: Db, { organizations, roles }: RuleNeeds): Promise<(key: string) => string> {
  const rows = await db<{ id: string; kind: string }[]>`
    with named as materialized (
      select id::uuid as id, id as what from unnest(${organizations as string[]}::text[]) id
      union all select rg.subject_id, 'r' || rg.role_id from role_member_groups rg
        where rg.role_id = any(${roles as string[]}::text[]::uuid[]) and rg.kind <> 'category')
    select o.id, string_agg(n.what, ' ' order by n.what) as kind
    from organizations o join named n on n.id = any(o.ancestor_ids) group by o.id`
  const kinds = new Map(rows.map(({ id, kind }) => [id, kind]))
  return (key) => {
    const at = key.indexOf('/')
    return at < 0 ? key : `${key.slice(0, at)}/${kinds.get(key.slice(at + 1)) ?? ''}`
  }
}

export const toAccessPerson = (row: RuleFactsRow): AccessPerson => ({
  administers: row.administers,
  category: row.ruleCategory,
  organizations: row.ruleOrganizations,
  roles: row.ruleRoles,
})

export async function findAccessPerson(
  db: Db,
  userId: string,
  needs: RuleNeeds,
  now: Date,
): Promise<AccessPerson | null> {
  const [row] = await db<RuleFactsRow[]>`
    select ${ruleFacts(db, needs, now)} from users u where u.id = ${userId} and u.deleted_at is null`
  return row ? toAccessPerson(row) : null
}

/** SQL condition: is the row `f`, read in this shape, a person in `NamedPeople`, whose parameters begin with `prefix`? */
export const namedCondition = (prefix: string, shape: RuleShape): string =>
  [
    `:${prefix}Everybody`,
    ...(shape.administers ? [`(:${prefix}Administrators and f.administers)`] : []),
    ...(shape.category ? [`coalesce(f.rule_category = any(:${prefix}Categories::text[]), false)`] : []),
    ...(shape.ruleOrganizations > 0 ? [`f.rule_organizations && :${prefix}Organizations::text[]`] : []),
    ...(shape.ruleRoles > 0 ? [`f.rule_roles && :${prefix}Roles::text[]`] : []),
  ].join(' or ')
