import type { Language } from '#shared/contract/endpoint.ts'
import type { Translator } from '../translate.ts'

/** Around the values of a settings page: it doesn't name a field. */
const ENVELOPE = 'changes'
/**
 * What the histories call a field of this name is wrong in some call: a sender for the beginning of a period, an organisation's code for a
 * verification code, the number of a login for the days that login records are kept.
 */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  ...['from', 'code', 'login', 'expected', 'rows', 'subject', 'template', 'dormancy', 'fields'],
])
/** Around fields that need no more than their own label. */
const GROUPS: ReadonlySet<string> = new Set(['who', 'where', 'when', 'rule', 'range', 'fields'])

/** The messages of fields, by their name or, where that isn't enough, their path. */
type Labels = Readonly<Record<string, string>>

const PERSON: Labels = Object.fromEntries(
  [
    ...['account', 'name', 'nickname', 'alias', 'phone', 'mailbox', 'gender', 'birthday', 'idNumber', 'validFrom'],
    ...['validUntil', 'organizationId', 'categoryId', 'personnelTypeId', 'secondaryOrganizationIds'],
  ].map((field) => [field, `person-field.${field}`]),
)

const FIELD_RULES: Labels = {
  ...PERSON,
  avatar: 'person-field.avatar',
  'custom.name': 'custom-field.name',
  'custom.key': 'custom-field.key',
  'custom.kind': 'custom-field.kind',
  'custom.choices': 'custom-field.choices',
  'custom.choices.code': 'custom-field.choice-code',
  'custom.choices.name': 'custom-field.name',
  value: 'custom-field.value',
  expected: 'audit-field.expected',
}

/** What pages call the fields of their calls, where that differs from what other pages call a field of that name. */
const AREAS: Readonly<Record<string, Labels>> = {
  access_rule: {
    mode: 'access-rule.mode',
    outcome: 'access-rule.then',
    message: 'access-rule.message',
    messages: 'access-rule.other-messages',
    rule: 'access-rule.one',
    who: 'access-rule.who',
    categories: 'access-rule.categories',
    organizations: 'access-rule.organizations',
    roles: 'access-rule.roles',
    where: 'access-rule.where',
    ranges: 'access-rule.range-list',
    kinds: 'access-rule.kinds',
    place: 'access-rule.place',
    when: 'access-rule.when',
    weekdays: 'access-rule.weekdays',
    from: 'access-rule.from',
    to: 'access-rule.to',
    zone: 'access-rule.zone',
    missing: 'access-rule.references',
    did: 'access-rule.did',
    // Of the tester.
    userId: 'access-rule.person',
    ip: 'ip-range.address',
    at: 'access-rule.test.time',
    appId: 'records.application',
  },
  ip_range: {
    name: 'ip-range.name',
    kind: 'ip-range.kind',
    enabled: 'ip-range.in-use',
    ip: 'ip-range.address',
  },
  account_field_rules: FIELD_RULES,
  // In the address of their impact.
  account_fields: FIELD_RULES,
  scim_client: {
    callsPerMinute: 'scim-client.callsPerMinute',
    maxDisabledPerDay: 'scim-client.maxDisabledPerDay',
    maxMovedPerDay: 'scim-client.maxMovedPerDay',
    maxRenamedPerDay: 'scim-client.maxRenamedPerDay',
    maxCreatedPerDay: 'scim-client.maxCreatedPerDay',
  },
  login_config: { 'retention.login': 'record-retention.kind.login' },
  user_information: {
    ...PERSON,
    reason: 'person.reason',
    note: 'freeze.note',
    cause: 'freeze.cause',
    freezeCause: 'freeze.cause',
    from: 'person.from',
    until: 'person.until',
    roleId: 'person.role',
    accounts: 'freeze-account.numbers',
    searchBy: 'person.search-by',
    state: 'person.state',
    freeze: 'person.state',
    lockedBy: 'lock-list.kind',
    dormancy: 'sleep-account.shown',
    dormantFrom: 'sleep-account.since',
    dormantTo: 'sleep-account.since',
    neverLoggedIn: 'person.last-login',
    kind: 'person.record-kind',
  },
}

/** Not what every object has: a path has the names that a caller made up. */
const labelIn = (area: Labels, path: string): string | undefined => (Object.hasOwn(area, path) ? area[path] : undefined)

const pathTo = (parts: readonly string[], part: string): string => parts.slice(0, parts.indexOf(part) + 1).join('.')

/** The fields of a call below an address, if its pages have labels of their own. */
const areaOf = (url: string): Labels => {
  const [address = ''] = url.split('?')
  const name = address.split('/').find((part) => Object.hasOwn(AREAS, part))
  return (name && AREAS[name]) || {}
}

/** What pages call a field of a request to an address; a path with a part that has no label stays as programs write it. */
export function fieldLabel(translate: Translator, language: Language, path: string, url: string): string {
  const area = areaOf(url)
  const [first, ...inner] = path.split('.')
  const names = first === ENVELOPE && inner.length > 0 ? inner : path.split('.')
  const parts = names.filter((part) => !/^\d+$/.test(part))
  const labels = parts
    .filter((part, at) => !GROUPS.has(part) || at === parts.length - 1)
    .map((part) => {
      const own = labelIn(area, pathTo(parts, part)) ?? labelIn(area, part)
      const common = AMBIGUOUS.has(part) ? [] : [`change-field.${part}`, `audit-field.${part}`]
      // An unknown key returns itself.
      return [...(own ? [own] : []), ...common]
        .map((key) => ({ key, text: translate(language, key) }))
        .find(({ key, text }) => text !== key)?.text
    })
  return labels.length > 0 && !labels.includes(undefined) ? labels.join(' · ') : names.join('.')
}
