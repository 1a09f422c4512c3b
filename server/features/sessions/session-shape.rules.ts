import { isCustomName } from '#shared/contract/field-rules.ts'
import type { Db } from '../../platform/db.ts'
import { toFragment } from '../../platform/statement.ts'
import {
  ACCOUNT_FACT_COLUMNS,
  demandsText,
  isReachedByRole,
  REQUIRABLE_FIELDS,
  type RequiredField,
  ROLE_CODES,
  type RuleShape,
  type RulesInForce,
  ruleFactColumns,
  ruleParameters,
  ruleShape,
} from '../access/index.ts'
import { type Application, type ReleaseNeeds, releaseNeeds } from '../applications/index.ts'

/** The columns about an application if none was given. */
export const NO_APPLICATION_COLUMNS =
  'null::boolean as application_enabled, null::boolean as granted, null as user_name'

/** What a statement about a session reads besides the session and the account. */
export type SessionShape = ReleaseNeeds &
  RuleShape & {
    roleGrants: boolean
    requiredFields: readonly RequiredField[]
    /** Parameters of the statement for the rules. */
    parameters: ReturnType<typeof ruleParameters>
  }

/** The minimum for the rules in force and the attributes released to the application. */
export const sessionShape = (
  { hopNeeds, requiredFields }: Pick<RulesInForce, 'hopNeeds' | 'requiredFields'>,
  application: Application | null,
  needs = application ? releaseNeeds(application) : NOTHING_RELEASED,
): SessionShape => ({
  ...needs,
  ...ruleShape(hopNeeds),
  roleGrants: application !== null && isReachedByRole(application.id),
  requiredFields,
  parameters: ruleParameters(hopNeeds),
})

export const NOTHING_RELEASED: ReleaseNeeds = { affiliation: false, roles: false, custom: false }

/** Bounded, because custom fields come and go. */
const MAX_BUILT = 500

/** Statements of one kind, each built when its shape is first needed. */
export function byShape<T>(build: (shape: SessionShape) => T): (shape: SessionShape) => T {
  const built = new Map<string, T>()
  return (shape) => {
    const { affiliation, roles, custom, administers, category, roleGrants, ruleOrganizations, ruleRoles } = shape
    const fields = REQUIRABLE_FIELDS.map((field) => shape.requiredFields.includes(field))
    const parts = [affiliation, roles, custom, administers, category, roleGrants, ...fields]
    const bits = parts.reduce((sum, isRead, at) => (isRead ? sum | (1 << at) : sum), 0)
    const key = [bits, ruleOrganizations, ruleRoles, ...shape.requiredFields.filter(isCustomName)].join(' ')
    const known = built.get(key)
    if (known !== undefined) return known
    if (built.size >= MAX_BUILT) built.clear()
    const made = build(shape)
    built.set(key, made)
    return made
  }
}

/** Columns of `SessionRow` from `sso_sessions s` and `users u` (SQL, with `:now` and the shape's parameters). */
export const sessionColumns = (shape: SessionShape): string => `
  s.id, s.user_id, s.auth_type, s.remembered, s.warn, s.limited,
  ${shape.requiredFields.length > 0 ? `s.profile_due and ${demandsText(shape.requiredFields)}` : 'false'} as lacks_fields,
  s.authenticated_at, s.opened_at, s.last_seen_at,
  s.expires_at, s.ended_at, s.second_factor, s.second_factor_at,
  u.is_super_user, ${ruleFactColumns(shape)}, ${ACCOUNT_FACT_COLUMNS}`

/**
 * Columns of `PersonAttributes` besides the user id (SQL), from `users u`, `organizations o` and the tables of `personJoins`; null for what
 * is not needed.
 */
export const personColumns = ({ affiliation, roles, custom }: ReleaseNeeds): string => `
  ${OWN_COLUMNS}, ${custom ? 'u.custom_values' : 'null::jsonb'} as custom_values, ${affiliation ? AFFILIATION_COLUMNS : NO_AFFILIATION_COLUMNS}, ${roles ? ROLE_CODES : "'{}'::text[]"} as roles`

const OWN_COLUMNS = 'u.account, u.name, u.nickname, u.alias, u.phone, u.mailbox, u.gender, u.birthday::text as birthday'

const AFFILIATION_COLUMNS = `o.name as organization, o.code as organization_code, c.name as category, c.code as category_code,
  n.name as personnel_type, n.code as personnel_type_code`
const NO_AFFILIATION_COLUMNS = `null as organization, null as organization_code, null as category, null as category_code,
  null as personnel_type, null as personnel_type_code`

export const personJoins = ({ affiliation }: ReleaseNeeds): string =>
  affiliation
    ? 'left join user_categories c on c.id = u.category_id left join personnel_types n on n.id = u.personnel_type_id'
    : ''

/** Few applications receive the roles, and reading them costs more than the rest. */
const ROLES_IF_RELEASED = `
  case when a.attributes @> '[{"from": "roles"}]' or 'roles' = any(a.scopes) then ${ROLE_CODES} else '{}' end`

const RELEASED_COLUMNS = `${OWN_COLUMNS}, u.custom_values, ${AFFILIATION_COLUMNS}, ${ROLES_IF_RELEASED} as roles`

/** As `personColumns`, limited to what may be released to the application `a`, as a part of a larger query. */
export const releasedPersonColumns = (db: Db) => toFragment(db, RELEASED_COLUMNS, {})
