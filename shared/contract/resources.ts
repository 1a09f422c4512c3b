/**
 * The back-office resources, by their kind in the change history: one declaration each, read by the choices of columns
 * (`tables.ts`), the audit actions (`audit-actions.ts`) and the change history (`change-history.ts`). No schemas here:
 * pages outside the back office load this too. The recipe is in docs/developing.md.
 */
type Resource = {
  /** Key of its list and of its page. */
  table: string
  /** Of the list, in order. */
  columns: readonly string[]
  /** Of its audit records; those not ending in `.delete` keep the complete state before and after. */
  actions: readonly string[]
}

/** The three lists of reference data share their actions. */
const referenceData = <const Table extends string>(table: Table) =>
  ({
    table,
    columns: ['shownName', 'code', 'names', 'uses'],
    actions: ['reference-data.create', 'reference-data.update', 'reference-data.delete'],
  }) as const

export const RESOURCES = {
  'organization-attribute': referenceData('org-attribute'),
  'user-category': referenceData('user-category'),
  'user-feature': referenceData('user-feature'),
  'ip-range': {
    table: 'net-strategy',
    columns: ['name', 'kind', 'networks', 'enabled', 'note', 'source', 'updatedAt'],
    actions: ['ip-range.create', 'ip-range.update', 'ip-range.delete'],
  },
  'access-rule': {
    table: 'access-rule',
    columns: ['name', 'rule', 'mode', 'lastWeek', 'updatedAt'],
    actions: ['access-rule.create', 'access-rule.update', 'access-rule.delete'],
  },
  announcement: {
    table: 'announcement',
    columns: ['name', 'state', 'audience', 'shownFrom', 'shownUntil', 'updatedAt'],
    actions: ['announcement.create', 'announcement.update', 'announcement.delete'],
  },
  theme: {
    table: 'login-topic',
    columns: ['name'],
    actions: ['theme.create', 'theme.update', 'theme.publish', 'theme.delete'],
  },
  'directory-sync': {
    table: 'org-sync',
    columns: ['name', 'source', 'linked', 'lastRun', 'lastAt', 'nextAt', 'note', 'updatedAt'],
    actions: ['directory-sync.create', 'directory-sync.update', 'directory-sync.delete'],
  },
  'book-sync': {
    table: 'exterPhone-sync',
    columns: ['name', 'vendor', 'roots', 'linked', 'lastRun', 'lastAt', 'nextAt', 'note', 'updatedAt'],
    actions: ['book-sync.create', 'book-sync.update', 'book-sync.delete'],
  },
  'data-source': {
    table: 'external-data-source',
    columns: ['name', 'kind', 'place', 'state', 'checkedAt', 'note', 'updatedAt'],
    actions: ['data-source.create', 'data-source.update', 'data-source.delete'],
  },
  'log-stream': {
    table: 'log-streams',
    columns: ['name', 'place', 'logs', 'state', 'waiting', 'sentAt', 'note', 'updatedAt'],
    actions: ['log-stream.create', 'log-stream.update', 'log-stream.delete'],
  },
  'scim-client': {
    table: 'scim-clients',
    columns: ['name', 'scopes', 'enabled', 'tokens', 'lastUsedAt', 'changedLastDay', 'note', 'updatedAt'],
    actions: ['scim-client.create', 'scim-client.update', 'scim-client.delete'],
  },
  /** A text in one language: `<language>/<key>`. */
  text: {
    table: 'language-list',
    columns: ['key', 'texts', 'group'],
    actions: ['text.change'],
  },
} as const satisfies Readonly<Record<string, Resource>>

export type ResourceKind = keyof typeof RESOURCES
type Declared = (typeof RESOURCES)[ResourceKind]

export const RESOURCE_KINDS = Object.keys(RESOURCES) as ResourceKind[]
const declared: readonly Declared[] = Object.values(RESOURCES)

/** The columns of each resource's list, by table key. */
export const RESOURCE_TABLES = Object.fromEntries(declared.map(({ table, columns }) => [table, columns])) as {
  [One in Declared as One['table']]: One['columns']
}

/** None concerns a person's account. */
export const RESOURCE_ACTIONS = Object.fromEntries(
  declared.flatMap(({ actions }) => actions.map((action) => [action, 'system'])),
) as Record<Declared['actions'][number], 'system'>
