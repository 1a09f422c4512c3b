import { z } from 'zod'
import { Done, get, post } from './endpoint.ts'
import { CustomFieldName } from './field-rules.ts'
import { RESOURCE_TABLES } from './resources.ts'

/**
 * The tables whose columns a person may choose, with their columns in order. Others have no choices: neither this call
 * nor `ListPage` accepts other names.
 */
export const TABLES = {
  'my-authentication': [
    'loginTime',
    'result',
    'authType',
    'device',
    'clientType',
    'place',
    'ip',
    'logoutTime',
    'account',
    'application',
  ],
  'my-password-maintenance': ['maintenanceTime', 'operation', 'maintainer', 'description', 'ip'],
  'my-account-maintenance': ['maintenanceTime', 'operation', 'maintainer', 'description', 'ip'],
  'my-visits': ['application', 'accessTime', 'entry', 'clientType', 'place', 'ip'],
  'current-login-manage': [
    'account',
    'name',
    'organization',
    'device',
    'place',
    'ip',
    'authType',
    'factor',
    'remembered',
    'loginTime',
    'lastSeen',
  ],
  'login-log': [
    'at',
    'result',
    'person',
    'account',
    'organization',
    'category',
    'authType',
    'factor',
    'application',
    'ip',
    'place',
    'device',
    'clientType',
    'rules',
    'logoutAt',
    'session',
    'requestId',
  ],
  'app-visit-log': [
    'at',
    'result',
    'person',
    'organization',
    'category',
    'application',
    'entry',
    'protocol',
    'ip',
    'place',
    'clientType',
    'session',
  ],
  'message-log': [
    'at',
    'state',
    'person',
    'organization',
    'category',
    'channel',
    'to',
    'purpose',
    'template',
    'attempts',
  ],
  people: [
    'account',
    'name',
    'category',
    'personnelType',
    'organization',
    'phone',
    'mailbox',
    'state',
    'lastLogin',
    'createdAt',
  ],
  'sleep-account': ['account', 'name', 'dormantSince', 'next', 'lastLogin', 'organization', 'category'],
  'lock-list': ['account', 'name', 'kind', 'until', 'since', 'reason', 'by', 'lastAddress', 'organization', 'category'],
  'freeze-account': [
    'account',
    'name',
    'phase',
    'cause',
    'from',
    'until',
    'reason',
    'note',
    'by',
    'organization',
    'category',
  ],
  'application-manage': ['name', 'appId', 'protocol', 'type', 'category', 'state', 'visits', 'updatedAt'],
  'administrator-manage': [
    'account',
    'name',
    'organization',
    'permissions',
    'state',
    'validFrom',
    'validUntil',
    'grantedBy',
    'grantedAt',
  ],
  'api-manage': ['apiId', 'apiPath', 'status', 'applications', 'calls'],
  'role-manage': ['name', 'code', 'description', 'people', 'organizations', 'categories', 'applications', 'updatedAt'],
  'application-grants': ['application', 'kind', 'member', 'validUntil', 'grantedAt', 'grantedBy'],
  ...RESOURCE_TABLES,
} as const satisfies Record<string, readonly string[]>

export type TableKey = keyof typeof TABLES

/** A column of the table; the list of people also has one for each custom field. */
export const isColumnOf = (tableKey: TableKey, name: string): boolean =>
  TABLES[tableKey].some((known) => known === name) || (tableKey === 'people' && CustomFieldName.safeParse(name).success)

/** Tables of the back office. */
export const MANAGE_TABLES: readonly TableKey[] = [
  'people',
  'sleep-account',
  'lock-list',
  'freeze-account',
  'api-manage',
  'current-login-manage',
  'login-log',
  'app-visit-log',
  'message-log',
  'administrator-manage',
  'application-manage',
  'role-manage',
  'application-grants',
  ...(Object.keys(RESOURCE_TABLES) as (keyof typeof RESOURCE_TABLES)[]),
]

const Key = z.enum(Object.keys(TABLES) as [TableKey, ...TableKey[]])
const Density = z.enum(['comfortable', 'compact'])

const Choices = z.object({
  tableKey: Key,
  /** The visible columns. Null: no choice was made, so all are shown. */
  columns: z.array(z.string()).nullable(),
  density: Density,
})
export type TableChoices = z.infer<typeof Choices>

const MAX_COLUMNS = 60

export const queryTable = get('/table/query', 'user', z.strictObject({ tableKey: Key }), Choices, {
  summary: 'My choice of columns and density of a list',
  errors: ['permission.denied'],
})

export const saveTable = post(
  '/table/create_or_update',
  'user',
  z
    .strictObject({
      tableKey: Key,
      columns: z.array(z.string().max(60)).min(1).max(MAX_COLUMNS),
      density: Density.default('comfortable'),
    })
    .refine(({ tableKey, columns }) => columns.every((name) => isColumnOf(tableKey, name)), {
      path: ['columns'],
    })
    .refine(({ columns }) => new Set(columns).size === columns.length, { path: ['columns'] }),
  Done,
  {
    summary: 'Save my choice of columns and density of a list',
    errors: ['permission.denied'],
  },
)
