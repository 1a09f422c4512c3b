import i18next from 'i18next'
import { formatDateTime, formatDay } from '../../platform/format-time.ts'
import type { MessageKey } from '../../platform/i18n.ts'

/** The first key that has a message. */
export function firstMessage(keys: readonly string[]): string | null {
  const key = keys.find((one) => i18next.exists(one))
  return key === undefined ? null : i18next.t(key as MessageKey)
}

/** Prefix of the messages of a kind's own fields. */
const KINDS_OF_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'access-rule': ['access-rule'],
  application: ['application-field', 'cas-option'],
  vendor: ['vendor-field'],
  'corporate-mailbox': ['mailbox-field'],
  'log-stream': ['log-stream'],
  'scim-client': ['scim-client'],
  'book-sync': ['book-sync', 'directory-sync'],
  'directory-sync': ['directory-sync'],
}

/** Of both kinds of sync, by path. */
const SYNC_MESSAGES: Readonly<Record<string, MessageKey>> = {
  responsibleIds: 'directory-sync.responsible',
  'thresholds.missing': 'directory-sync.threshold.missing',
  'thresholds.changed': 'directory-sync.threshold.changed',
  'thresholds.created': 'directory-sync.threshold.created',
  'thresholds.field': 'directory-sync.threshold.field',
  'thresholds.bad': 'directory-sync.threshold.bad',
  'thresholds.rows': 'directory-sync.threshold.rows',
}

/** Fields whose forms have messages with other names, by path. */
const FIELD_MESSAGES: Readonly<Record<string, Readonly<Record<string, MessageKey>>>> = {
  'log-stream': {
    ca: 'data-source.ca',
    // Of its cursors.
    login: 'record-retention.kind.login',
    visit: 'record-retention.kind.visit',
    audit: 'record-retention.kind.audit',
  },
  'book-sync': {
    ...SYNC_MESSAGES,
    mode: 'mailbox-sync.mode',
    categoryIds: 'book-sync.categories',
    'roots.organizationId': 'person-field.organizationId',
    'roots.departmentId': 'book-sync.department-there',
    coremail: 'mailbox-sync.coremail',
    'coremail.orgId': 'mailbox-sync.coremail.orgId',
    'coremail.providerId': 'mailbox-sync.coremail.providerId',
    'coremail.cosId': 'mailbox-sync.coremail.cosId',
  },
  'directory-sync': {
    ...SYNC_MESSAGES,
    sourceId: 'directory-sync.source',
    departments: 'directory-sync.objects.departments',
    'departments.roots.organizationId': 'person-field.organizationId',
    'departments.roots.value': 'custom-field.value',
    keyColumn: 'directory-sync.key',
    matchBy: 'directory-sync.match',
    leavers: 'directory-sync.leaver',
    'leavers.action': 'directory-sync.leaver-action',
    'leavers.organizationId': 'directory-sync.leaver-department',
    'leavers.graceDays': 'directory-sync.leaver-graceDays',
    'leavers.runs': 'directory-sync.leaver-runs',
    'leavers.days': 'directory-sync.leaver-days',
    cursorColumn: 'directory-sync.cursor-column',
  },
}

/** The label of a field; without a message, its raw name. */
export function fieldLabel(kind: string, name: string, path = name): string {
  const ownMessage = FIELD_MESSAGES[kind]?.[path]
  if (ownMessage) return i18next.t(ownMessage)
  const [field, rule] = kind === 'settings' ? name.split('.') : []
  if (field && rule) return `${firstMessage([`person-field.${field}`]) ?? field} · ${fieldLabel(kind, rule)}`
  const ofKind = KINDS_OF_FIELDS[kind]?.map((prefix) => `${prefix}.${name}`) ?? []
  // A person's name fields have other labels than those of things.
  const ofThings = kind === 'user' ? [] : [`change-field.${name}`]
  return firstMessage([...ofKind, ...ofThings, `audit-field.${name}`]) ?? name
}

/** Prefix of the messages of a field's choices. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  application: { type: 'application-type', protocol: 'application-protocol', scopes: 'scope' },
  appointment: { permissions: 'permission' },
  'access-rule': { mode: 'access-rule.mode', outcome: 'access-rule.outcome', place: 'access-rule.place' },
  'ip-range': { kind: 'ip-range.kind' },
  user: { gender: 'person.gender', method: 'recovery.method', loginHold: 'login-hold' },
  'user-import': { state: 'import.state' },
  'corporate-mailbox': { driver: 'mail-provider', from: 'mailbox-field.from' },
  vendor: { unbound: 'vendor.unbound', createState: 'vendor.createState' },
  'log-stream': { kind: 'log-stream.kind', tls: 'data-source.tls', logs: 'record-retention.kind' },
  'book-sync': {
    vendor: 'book-sync.vendor',
    mode: 'book-sync.mode',
    fields: 'book-sync.field',
    leavers: 'book-sync.leavers',
  },
  'directory-sync': { objects: 'directory-sync.objects', action: 'directory-sync.leaver' },
  settings: {
    theme: 'theme',
    tone: 'login-topic.banner-tone',
    required: 'field-rule.required',
    editableBy: 'field-rule.editableBy',
    visibleTo: 'field-rule.visibleTo',
    format: 'field-rule.format',
    kind: 'custom-field.kind',
  },
}

/** A stored time or date, in the language of the page. */
function dateText(value: string): string | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDay(value, i18next.language)
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value) ? formatDateTime(new Date(value), i18next.language) : null
}

/** A choice or a time as text. */
export function choiceText(kind: string, field: string, value: string): string | null {
  const ofKind = CHOICES[kind]?.[field.split('.').at(-1) ?? '']
  const choices = ofKind ?? (kind === 'application' && `application-option.${field}`)
  return choices ? firstMessage([`${choices}.${value}`]) : dateText(value)
}
