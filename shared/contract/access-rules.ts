import { z } from 'zod'
import { Empty, get, Id, Language, ListQuery, Moment, pageOf, post } from './endpoint.ts'
import { RANGE_KINDS } from './ip-ranges.ts'
import { Period } from './list-filters.ts'
import { EntryName, EntryNames } from './organizations.ts'
import { AccessSettings } from './policy-switch.ts'
import { resourceCalls } from './resource-calls.ts'

/** `report`: changes nothing; the login record says what it would have done. */
export const RULE_MODES = ['off', 'report', 'on'] as const
const RuleMode = z.enum(RULE_MODES)
export type RuleMode = z.infer<typeof RuleMode>

/**
 * The effect of a matching rule, strictest first; if several match, the strictest decides, whatever their order.
 * `refuse`: no login and no application, shown only after the password (or its substitute) is verified.
 * `second-factor`: requires one. `captcha`: before the password, when the person is still unknown, so such a rule has
 * no `who`. `notify`: after the login a mail tells the person where it came from; at most one an hour per person and
 * rule.
 */
export const RULE_OUTCOMES = ['refuse', 'second-factor', 'captcha', 'notify'] as const
const RuleOutcome = z.enum(RULE_OUTCOMES)
export type RuleOutcome = z.infer<typeof RuleOutcome>

const Codes = z.array(z.string().min(1).max(100)).max(1000).default([])
const Ids = z.array(Id).max(1000).default([])

/** People matching any of these; all empty: everybody. */
export const RuleWho = z.strictObject({
  /** Codes of user categories. */
  categories: Codes,
  /** Each with everything below it; secondary departments count too. */
  organizations: Ids,
  /** However somebody got the role. */
  roles: Ids,
  /** Super users and administrators of some organisations. */
  administrators: z.boolean().default(false),
})

/**
 * As everywhere, an address is in the range with the smallest network that contains it: for nested ranges only the
 * inner one counts. Both lists empty: everywhere.
 */
export const RuleWhere = z.strictObject({
  ranges: Ids,
  /** Or ranges of these kinds. */
  kinds: z.array(z.enum(RANGE_KINDS)).max(RANGE_KINDS.length).default([]),
  place: z.enum(['inside', 'outside']).default('inside'),
})

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

/** All absent: always. */
export const RuleWhen = z.strictObject({
  /** 1 is Monday, 7 Sunday; empty: every day. */
  weekdays: z.array(z.number().int().min(1).max(7)).max(7).default([]),
  /** `08:00`; from this minute until before `to`; both null: the whole day. */
  from: Clock.nullable().default(null),
  /** If not later than `from` it is on the next day: `weekdays` are the days on which the period begins. */
  to: Clock.nullable().default(null),
  /** IANA time zone of days and times. */
  zone: z.string().min(1).max(60).default('Asia/Shanghai'),
})

/** Shown to refused people; plain text without markup. */
const RuleMessage = z.string().trim().max(300)

/** The maximum number of rules. */
export const MAX_ACCESS_RULES = 200

export const AccessRuleFields = z.strictObject({
  name: EntryName,
  names: EntryNames.default({}),
  mode: RuleMode.default('report'),
  /** All four must match for the rule to apply. */
  who: RuleWho.default(RuleWho.parse({})),
  where: RuleWhere.default(RuleWhere.parse({})),
  when: RuleWhen.default(RuleWhen.parse({})),
  /** `appId`s of the applications entered, `portal` for the portal itself; empty: the portal and every application. */
  applications: Codes,
  outcome: RuleOutcome,
  /** For a rule that refuses. */
  message: RuleMessage.default(''),
  /** Translations of the message; missing ones fall back to `message`. */
  messages: z.record(Language, RuleMessage.min(1)).default({}),
})

/** Lists with references, as named in the forms. */
export const RULE_REFERENCES = [
  'who.categories',
  'who.organizations',
  'who.roles',
  'where.ranges',
  'applications',
] as const
export type RuleReferenceField = (typeof RULE_REFERENCES)[number]

/** Something that a rule refers to. */
const RuleReference = z.object({
  field: z.enum(RULE_REFERENCES),
  /** As stored in the field. */
  value: z.string(),
  /** In the caller's language; for a deleted object its name when the rule was saved, else the value. */
  name: z.string(),
  /** `off`: a disabled range, which matches nobody. */
  state: z.enum(['there', 'off', 'deleted']),
})
export type RuleReference = z.infer<typeof RuleReference>

/** Keys of the login configuration that are rules: shown in this list, and changed by `updateLoginConfig`. */
export const SETTINGS_RULES = {
  secondFactorSuperUsers: '00000000-0000-4000-8000-000000000001',
  secondFactorOffCampus: '00000000-0000-4000-8000-000000000002',
  secondFactorCategories: '00000000-0000-4000-8000-000000000003',
  secondFactorApplications: '00000000-0000-4000-8000-000000000004',
} as const
export type SettingsRuleKey = keyof typeof SETTINGS_RULES
export const SETTINGS_RULE_KEYS = Object.keys(SETTINGS_RULES) as [SettingsRuleKey, ...SettingsRuleKey[]]

const AccessRule = z.object({
  id: Id,
  /** For a rule from the login configuration, that document's version. */
  version: z.number().int(),
  ...AccessRuleFields.shape,
  /** As in the fields; the login configuration allows more. */
  applications: z.array(z.string()),
  /** In the caller's language. */
  shownName: z.string(),
  /** Everything that the rule refers to, in order. */
  references: z.array(RuleReference),
  /**
   * The number of deleted or disabled references. If one is missing, a second factor or captcha is required of
   * everybody that the list could have named (it fails closed), and a refusal or notice applies only to people whom the
   * rest of the list names.
   */
  missing: z.number().int(),
  /** The key of the login configuration; null: an ordinary rule. Such a row is `off` when the key is false or empty. */
  settingsKey: z.enum(SETTINGS_RULE_KEYS).nullable(),
  /** The bootstrap file sets that key: it can only be changed there. */
  setByFile: z.boolean(),
  /** Null: a rule from the login configuration that was never changed. */
  updatedAt: z.iso.datetime().nullable(),
})
export type AccessRule = z.infer<typeof AccessRule>

/**
 * `policy.locks-out` (409): after the change the rules would refuse the caller from here, or every super user from
 * where they last logged in, now or for a day or more of the coming week. `data` is `LocksOutData`. Returned by saving
 * a rule, an IP range, and `updateLoginConfig`.
 */
export const LOCKS_OUT = 'policy.locks-out'
export const LocksOutData = z.object({
  /** The rule responsible. */
  rule: z.object({ id: Id, name: z.string() }),
  /** `caller`: the current login; `super-users`: all of them. */
  whom: z.enum(['caller', 'super-users']),
})
export type LocksOutData = z.infer<typeof LocksOutData>

export const accessRules = resourceCalls({
  path: '/access_rule',
  one: 'an access rule',
  many: 'access rules',
  searched: 'part of a name or of what a rule names',
  fields: AccessRuleFields,
  row: AccessRule,
  filters: { mode: RuleMode.optional(), outcome: RuleOutcome.optional(), missing: z.enum(['1']).optional() },
  sorts: ['name', '-name', 'updatedAt', '-updatedAt'],
  errors: [
    /** 422, `data.fields: ['name']`. */
    'access-rule.name-taken',
    /** 409. */
    'access-rule.too-many',
    /** 422: a newly added reference does not exist; `data.fields` has one of `RULE_REFERENCES`. */
    'access-rule.unknown-reference',
    /** 422, `data.fields: ['who']`: a captcha comes before the person is known. */
    'access-rule.captcha-who',
    /** 422, `data.fields: ['when.from', 'when.to']`: only one is given, or both are equal. */
    'access-rule.times',
    /** 422, `data.fields: ['when.zone']`. */
    'access-rule.zone-unknown',
    /** 409: a row with a `settingsKey` is changed in the login configuration. */
    'access-rule.in-login-config',
    LOCKS_OUT,
    /** 409: with `force`, while an earlier change of this rule is waiting for confirmation. */
    'unconfirmed-change.pending',
  ],
  removalErrors: ['access-rule.in-login-config'],
  options: {
    /**
     * Saves although it locks somebody out, and reverts unless a new login confirms it; a new rule is then disabled.
     * Deleting never locks out.
     */
    force: z.boolean().optional(),
  },
})

export const accessRuleState = get('/access_rule/state/', 'superUser', Empty, AccessSettings, {
  summary: 'Whether all access rules are suspended',
})

/** Why a rule did not apply: the first condition that did not match. */
export const RULE_DIMENSIONS = ['who', 'where', 'when', 'applications'] as const

export const testAccessRules = post(
  '/access_rule/test/',
  'superUser',
  z.strictObject({
    /** Absent: still unknown, as before the password is verified; rules with a `who` then don't apply. */
    userId: Id.optional(),
    /** Null: a server's request, which doesn't reveal where the person is. Absent: the address of this request. */
    ip: z.string().trim().max(60).nullable().optional(),
    /** Absent: now. */
    at: Moment.optional(),
    /** Absent: the portal. */
    appId: z.string().min(1).max(100).optional(),
  }),
  z.object({
    suspended: z.boolean(),
    /** Why the person's account can't log in whatever the rules say, each with the message `obstacle.<name>`. */
    obstacles: z.array(z.string()),
    /** As compared. */
    ip: z.string().nullable(),
    /** The range that contains the address. */
    range: z.object({ id: Id, shownName: z.string(), kind: z.enum(RANGE_KINDS) }).nullable(),
    /** The result for the login: the strictest effect of the enforced rules; null: none. */
    outcome: RuleOutcome.nullable(),
    /** The deciding rule. */
    decidedBy: Id.nullable(),
    /** Every rule; matching ones first, the strictest first among them. */
    rules: z.array(
      z.object({
        id: Id,
        shownName: z.string(),
        mode: RuleMode,
        outcome: RuleOutcome,
        /** All four conditions match; with mode `on` (and not suspended) it has its effect, with `report` it would. */
        applies: z.boolean(),
        /** The conditions that don't match. */
        unless: z.array(z.enum(RULE_DIMENSIONS)),
      }),
    ),
  }),
  {
    summary: 'The result of the access rules for a person, an address, a time and an application; nothing is written',
    errors: ['user.not-found', 'application.not-found', 'ip-range.bad-address'],
  },
)

const RuleLogin = z.object({
  id: Id,
  at: z.iso.datetime(),
  /** As typed; masked if it was nobody's. */
  account: z.string(),
  person: z.object({ id: Id, name: z.string() }).nullable(),
  ip: z.string(),
  /** The range's name at that time. */
  ipRange: z.string().nullable(),
  /** In the caller's language; null: the portal. */
  application: z.string().nullable(),
  succeeded: z.boolean(),
  reason: z.string().nullable(),
  /** Every matching rule, with its name at that time; `did` false: report only. */
  outcomes: z.array(
    z.object({
      rule: Id,
      name: z.string(),
      outcome: RuleOutcome,
      did: z.boolean(),
    }),
  ),
})
export type RuleLogin = z.infer<typeof RuleLogin>

/** The most logins with rule results that `listRuleOutcomes` reads, newest first. */
export const MAX_SEARCHED_OUTCOMES = 50_000

/** The most days that `listRuleOutcomes` looks back, also the default without `from`. */
export const MAX_OUTCOME_DAYS = 31
export const DEFAULT_OUTCOME_DAYS = 7

export const listRuleOutcomes = get(
  '/access_rule/outcomes/',
  'superUser',
  ListQuery.extend({
    ...Period,
    /** Of this rule, even if deleted. */
    rule: Id.optional(),
    outcome: RuleOutcome.optional(),
    /** '1': enforced; '0': report only. */
    did: z.enum(['0', '1']).optional(),
    sort: z.enum(['at', '-at']).default('-at'),
  }),
  pageOf(RuleLogin).extend({
    /** Older logins of the period were not read; null: all were. */
    searchedBackTo: z.iso.datetime().nullable(),
  }),
  {
    summary: 'Logins with access rule results, among the newest 50,000; `search`: part of the typed name',
    errors: ['list.too-deep'],
  },
)

/** The most logins that `countRuleOutcomes` reads, newest first. */
export const MAX_COUNTED_LOGINS = 20_000

export const countRuleOutcomes = get(
  '/access_rule/counts/',
  'superUser',
  Empty,
  z.object({
    rules: z.array(z.object({ rule: Id, did: z.number().int(), would: z.number().int() })),
    /** False: there were more logins, so the numbers are lower bounds. */
    isComplete: z.boolean(),
  }),
  { summary: 'How often each access rule applied in the last 7 days, or would have in report only' },
)
