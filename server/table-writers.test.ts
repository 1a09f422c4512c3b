import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/**
 * Each table is written by one feature; the others call a function of that feature inside their transaction. What triggers of the
 * migrations write belongs to the schema and isn't looked at, nor are tests.
 */

const root = fileURLToPath(new URL('..', import.meta.url))

/** Rows come only from migrations or triggers, or go into a partition of another table. */
const NOBODY = null

const WRITERS: Readonly<Record<string, string | null>> = {
  access_rules: 'features/access-rules',
  access_changes: 'features/sessions',
  activation_codes: 'features/activation',
  activation_flows: 'features/activation',
  alias_holdings: 'features/account-security',
  api_call_hours: 'features/statistics',
  api_call_records: 'features/api-registry',
  api_call_records_other: 'features/api-registry',
  application_categories: 'features/application-manage',
  application_grants: 'features/application-grants',
  application_hours: 'features/statistics',
  application_interfaces: 'features/api-registry',
  application_keys: 'features/api-registry',
  applications: 'features/applications',
  announcements: 'features/home-page',
  attempt_counters: 'features/attempts',
  appointments: 'features/administrators',
  audit_records: 'features/records',
  audit_records_other: NOBODY,
  background_tasks: 'features/background-tasks',
  consents: 'features/consents',
  corporate_mailbox: 'features/corporate-mailbox',
  data_source_chunks: 'features/data-sources',
  data_sources: 'features/data-sources',
  source_callbacks: 'features/source-events',
  source_events: 'features/source-events',
  day_figures: 'features/statistics',
  day_people: 'features/statistics',
  book_links: 'features/address-books',
  book_rows: 'features/address-books',
  book_runs: 'features/sync-runs',
  book_syncs: 'features/address-books',
  directory_department_links: 'features/directory-syncs',
  directory_links: 'features/directory-syncs',
  directory_matches: 'features/directory-syncs',
  directory_sync_rows: 'features/directory-syncs',
  directory_sync_runs: 'features/sync-runs',
  directory_syncs: 'features/directory-syncs',
  dormancy_notices: 'features/dormancy',
  dormancy_runs: 'features/dormancy',
  figures: 'features/statistics',
  files: 'features/files',
  former_passwords: 'features/passwords',
  home_page_choices: 'features/home-page',
  ephemeral_state: 'platform',
  interfaces: 'features/api-registry',
  ip_ranges: 'features/ip-ranges',
  job_runs: 'platform',
  known_devices: 'features/sign-in',
  languages: 'features/languages',
  log_days: 'features/statistics',
  log_export_parts: 'features/log-exports',
  log_exports: 'features/log-exports',
  log_hours: 'features/statistics',
  log_insight_progress: 'features/log-insights',
  log_insights: 'features/log-insights',
  log_stream_cursors: 'features/log-streams',
  log_streams: 'features/log-streams',
  login_hours: 'features/statistics',
  login_locks: 'features/attempts',
  login_names: 'features/user-accounts',
  login_records: 'features/records',
  login_records_other: NOBODY,
  logout_deliveries: 'features/single-logout',
  message_gateways: 'features/messages',
  message_usage: 'features/messages',
  messages: 'features/messages',
  oidc_access_tokens: 'features/oidc-tokens',
  oidc_codes: 'protocols/oidc',
  oidc_refresh_tokens: 'features/oidc-tokens',
  oidc_revoked_grants: 'features/oidc-tokens',
  organization_attributes: 'features/reference-data',
  organization_endings: 'features/organizations',
  organizations: 'features/organizations',
  outbox_messages: 'features/messages',
  passkeys: 'features/second-factors',
  passwords: 'features/passwords',
  people_count_changes: 'features/organizations',
  people_counts: 'features/organizations',
  personnel_types: 'features/reference-data',
  portal_sessions: 'features/sessions',
  proxy_granting_tickets: 'features/sessions',
  recovery_codes: 'features/second-factors',
  reauthentications: 'features/reauthentication',
  record_chain: 'features/record-evidence',
  replay_marks: 'features/api-signature',
  role_member_groups: 'features/roles',
  role_members: 'features/roles',
  roles: 'features/roles',
  second_factors: 'features/second-factors',
  scim_changes: 'features/scim-clients',
  scim_clients: 'features/scim-clients',
  scim_group_links: 'features/scim-provisioning',
  scim_tokens: 'features/scim-clients',
  scim_user_links: 'features/scim-provisioning',
  security_answers: 'features/security-questions',
  session_clients: 'features/sessions',
  session_services: 'features/sessions',
  settings: 'platform',
  signing_keys: 'features/signing-keys',
  sso_sessions: 'features/sessions',
  statistics_progress: 'features/statistics',
  table_choices: 'features/table-choices',
  themes: 'features/themes',
  text_overrides: 'features/languages',
  third_party_accounts: 'features/third-party-accounts',
  third_party_unlinked: 'features/third-party-accounts',
  third_party_providers: 'features/third-party-providers',
  trusted_devices: 'features/second-factors',
  unconfirmed_changes: 'features/unconfirmed-changes',
  user_categories: 'features/reference-data',
  user_import_columns: 'features/user-imports',
  user_import_rows: 'features/user-imports',
  user_imports: 'features/user-imports',
  user_organizations: 'features/user-accounts',
  users: 'features/user-accounts',
  verification_code_limits: 'features/verification-codes',
  verification_codes: 'features/verification-codes',
  visit_records: 'features/records',
  visit_records_other: NOBODY,
}

/** Statements whose table is a parameter, by file: the tables it may be. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  'server/features/reference-data/reference-data.store.ts': [
    'organization_attributes',
    'personnel_types',
    'user_categories',
  ],
  'server/features/sync-runs/runs.store.ts': ['book_runs', 'directory_sync_runs'],
}

function tablesOf(migrations: readonly string[]): Set<string> {
  const tables = new Set<string>()
  for (const file of migrations) {
    const sql = readFileSync(`${root}${file}`, 'utf8')
    for (const [, verb, name = ''] of sql.matchAll(
      /^\s*(create(?: unlogged)?|drop) table (?:if (?:not )?exists )?(\w+)/gim,
    )) {
      if (verb?.toLowerCase() === 'drop') tables.delete(name)
      else tables.add(name)
    }
  }
  return tables
}

/** `features/sessions`, `protocols/oidc`, `platform`. */
const featureOf = (file: string): string =>
  /^server\/((?:features|protocols|connectors|demo-apps)\/[^/]+|[^/]+)/.exec(file)?.[1] ?? file

const WRITES =
  /\b(?:insert\s+into|update|delete\s+from|copy|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?(\$\{|\w+)/gi

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')

type Write = { table: string; feature: string; file: string }

function writesIn(file: string, tables: ReadonlySet<string>): Write[] {
  const feature = featureOf(file)
  const found = [...withoutComments(readFileSync(`${root}${file}`, 'utf8')).matchAll(WRITES)].flatMap(
    ([, name = '']) => {
      if (name === '${') return PARAMETERS[file] ?? ['a parameter']
      return tables.has(name.toLowerCase()) ? [name.toLowerCase()] : []
    },
  )
  return [...new Set(found)].map((table) => ({ table, feature, file }))
}

const tables = tablesOf(globSync('migrations/*.sql', { cwd: root }).toSorted())
const sources = globSync('server/**/*.ts', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('server/testing/'))
const writes = sources.toSorted().flatMap((file) => writesIn(file, tables))

test('every table of the schema has one writer on the list', () => {
  expect(Object.keys(WRITERS).toSorted()).toEqual([...tables].toSorted())
})

test('a table is written only by its own feature', () => {
  const strangers = writes.filter(({ table, feature }) => WRITERS[table] !== feature)
  expect(strangers).toEqual([])
})

test('nothing on the list is outdated', () => {
  const isWritten = (table: string, feature: string) =>
    writes.some((one) => one.table === table && one.feature === feature)
  const idle = Object.entries(WRITERS).filter(([table, feature]) => feature !== NOBODY && !isWritten(table, feature))
  expect(idle).toEqual([])
})

test.each([
  ['db`\n  insert into users (id) values (1)`', 'users'],
  ['db`with x as (delete from only users where true) select`', 'users'],
  ['db`\n  UPDATE\n    users u set name = 1`', 'users'],
  ['db`copy users (id) from stdin`', 'users'],
])('%j is a write', (text, table) => {
  expect([...text.matchAll(WRITES)].map(([, name]) => name)).toEqual([table])
})
