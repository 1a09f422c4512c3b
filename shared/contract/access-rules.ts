import { z } from 'zod'
import { Empty, get, Id, Language, ListQuery, Moment, pageOf, post } from './endpoint.ts'
import { RANGE_KINDS } from './ip-ranges.ts'
import { Period } from './list-filters.ts'
import { EntryName, EntryNames } from './organizations.ts'
import { AccessSettings } from './policy-switch.ts'
import { resourceCalls } from './resource-calls.ts'

/** `report`: it changes nothing, and the login record says what it would have done. */
export const RULE_MODES = ['off', 'report', 'on'] as const
const RuleMode = z.enum(RULE_MODES)
export type RuleMode = z.infer<typeof RuleMode>

/**
 * What a rule does where it applies, the strictest first; of several rules the strictest decides, whatever their order.
 * `refuse`: no login and no application, told after the password (or what stands in for it) is proven.
 * `second-factor`: as for whoever must prove one.
 * `captcha`: before the password. It can't ask who that is, so such a rule has no `who`.
 * `notify`: after the login a mail to the person says from where it came; one an hour for each person and rule at most.
 */
export const RULE_OUTCOMES = ['refuse', 'second-factor', 'captcha', 'notify'] as const
const RuleOutcome = z.enum(RULE_OUTCOMES)
export type RuleOutcome = z.infer<typeof RuleOutcome>

const Codes = z.array(z.string().min(1).max(100)).max(1000).default([])
const Ids = z.array(Id).max(1000).default([])

/** Whoever is in any of these; all empty: everybody. */
export const RuleWho = z.strictObject({
  /** Codes of user categories. */
  categories: Codes,
  /** Each with everything below it; further departments of a person count too. */
  organizations: Ids,
  /** However somebody comes to have the role. */
  roles: Ids,
  /** Super users, and whoever administers some organisations. */
  administrators: z.boolean().default(false),
})

/**
 * The range that an address is in is the one with the smallest network around it, as everywhere: of a range inside another one only
 * the inner one counts. Both lists empty: everywhere.
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
  /** 1 is Monday, 7 Sunday; empty: each day. */
  weekdays: z.array(z.number().int().min(1).max(7)).max(7).default([]),
  /** `08:00`; from this minute on, up to and without `to`; both null: the whole day. */
  from: Clock.nullable().default(null),
  /** When it is not later than `from` it is of the next day: `weekdays` names the days on which the time begins. */
  to: Clock.nullable().default(null),
  /** IANA name of the zone that days and times are meant in. */
  zone: z.string().min(1).max(60).default('Asia/Shanghai'),
})

/** What is told to whoever is refused; shown as it is, without markup. */
const RuleMessage = z.string().trim().max(300)

/** Rules that there are at most. */
export const MAX_ACCESS_RULES = 200

export const AccessRuleFields = z.strictObject({
  name: EntryName,
  names: EntryNames.default({}),
  mode: RuleMode.default('report'),
  /** Each of the four must hold for the rule to apply. */
  who: RuleWho.default(RuleWho.parse({})),
  where: RuleWhere.default(RuleWhere.parse({})),
  when: RuleWhen.default(RuleWhen.parse({})),
  /** `appId`s of applications that are to be entered, with `portal` the portal itself; empty: the portal and every application. */
  applications: Codes,
  outcome: RuleOutcome,
  /** Of a rule that refuses. */
  message: RuleMessage.default(''),
  /** The message in other languages; where one is absent, `message` stands. */
  messages: z.record(Language, RuleMessage.min(1)).default({}),
})

/** Lists that name something, as the forms call them. */
export const RULE_REFERENCES = [
  'who.categories',
  'who.organizations',
  'who.roles',
  'where.ranges',
  'applications',
] as const
export type RuleReferenceField = (typeof RULE_REFERENCES)[number]

/** Something that a rule names. */
const RuleReference = z.object({
  field: z.enum(RULE_REFERENCES),
  /** As it stands in the field. */
  value: z.string(),
  /** In the language of who asks; of what is deleted what it was called when the rule was saved, else the value. */
  name: z.string(),
  /** `off`: a range that is switched off, which holds nobody. */
  state: z.enum(['there', 'off', 'deleted']),
})
export type RuleReference = z.infer<typeof RuleReference>

/** Keys of the login configuration that are rules: shown in this list, and changed there by `updateLoginConfig`. */
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
  /** Of a rule from the login configuration: the version of that. */
  version: z.number().int(),
  ...AccessRuleFields.shape,
  /** As in the fields; the login configuration may hold more. */
  applications: z.array(z.string()),
  /** In the language of who asks. */
  shownName: z.string(),
  /** Everything that the rule names, in order. */
  references: z.array(RuleReference),
  /**
   * How many of them are deleted or switched off. Where one is missing, a second factor or captcha is asked of everybody that the
   * list could have named (it fails closed), and a refusal or notice reaches only whom the rest of the list names.
   */
  missing: z.number().int(),
  /** The key of the login configuration that this is; null: a rule of its own. Such a row is `off` when the key is false or empty. */
  settingsKey: z.enum(SETTINGS_RULE_KEYS).nullable(),
  /** The bootstrap file sets that key: it is changed there only. */
  setByFile: z.boolean(),
  /** Null: of a rule from the login configuration that was never changed. */
  updatedAt: z.iso.datetime().nullable(),
})
export type AccessRule = z.infer<typeof AccessRule>

/**
 * `policy.locks-out` (409): after the change the rules would refuse the caller from here, or every super user from where they last
 * logged in, now or for a day or more of the coming week. `data` is `LocksOutData`. Saving a rule, an IP range, and
 * `updateLoginConfig` answer it.
 */
export const LOCKS_OUT = 'policy.locks-out'
export const LocksOutData = z.object({
  /** The rule that would do it. */
  rule: z.object({ id: Id, name: z.string() }),
  /** `caller`: the login that asks; `super-users`: all of them. */
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
    /** 422: something is newly named that does not exist; `data.fields` has one of `RULE_REFERENCES`. */
    'access-rule.unknown-reference',
    /** 422, `data.fields: ['who']`: a captcha comes before it is known who logs in. */
    'access-rule.captcha-who',
    /** 422, `data.fields: ['when.from', 'when.to']`: one without the other, or both the same. */
    'access-rule.times',
    /** 422, `data.fields: ['when.zone']`. */
    'access-rule.zone-unknown',
    /** 409: a row with a `settingsKey` is changed in the login configuration. */
    'access-rule.in-login-config',
    LOCKS_OUT,
    /** 409: with `force`, while an earlier change of this rule waits to be confirmed. */
    'unconfirmed-change.pending',
  ],
  removalErrors: ['access-rule.in-login-config'],
  options: {
    /**
     * Saves what locks out all the same, and takes it back by itself unless a new login confirms it; a new rule is then off. Deleting
     * never locks out.
     */
    force: z.boolean().optional(),
  },
})

export const accessRuleState = get('/access_rule/state/', 'superUser', Empty, AccessSettings, {
  summary: 'Whether all access rules are suspended',
})

/** Why a rule did not apply: the first of these that did not hold. */
export const RULE_DIMENSIONS = ['who', 'where', 'when', 'applications'] as const

export const testAccessRules = post(
  '/access_rule/test/',
  'superUser',
  z.strictObject({
    /** Absent: nobody yet, as before a password is proven; rules with a `who` then say nothing. */
    userId: Id.optional(),
    /** Null: a server's request, which says nothing of where the person is. Absent: the address that the request comes from. */
    ip: z.string().trim().max(60).nullable().optional(),
    /** Absent: now. */
    at: Moment.optional(),
    /** Absent: the portal. */
    appId: z.string().min(1).max(100).optional(),
  }),
  z.object({
    suspended: z.boolean(),
    /** As it was compared. */
    ip: z.string().nullable(),
    /** The range that the address is in. */
    range: z.object({ id: Id, shownName: z.string(), kind: z.enum(RANGE_KINDS) }).nullable(),
    /** What becomes of the login: the strictest of what the rules in force say; null: nothing. */
    outcome: RuleOutcome.nullable(),
    /** The rule that decided that. */
    decidedBy: Id.nullable(),
    /** Every rule, those that apply first, the strictest first among them. */
    rules: z.array(
      z.object({
        id: Id,
        shownName: z.string(),
        mode: RuleMode,
        outcome: RuleOutcome,
        /** Its four parts hold; with mode `on` (and not suspended) it does its outcome, with `report` it would. */
        applies: z.boolean(),
        /** Where it does not. */
        unless: z.array(z.enum(RULE_DIMENSIONS)),
      }),
    ),
  }),
  {
    summary: 'What the access rules say of a person, an address, a time and an application; nothing is written',
    errors: ['user.not-found', 'application.not-found', 'ip-range.bad-address'],
  },
)

const RuleLogin = z.object({
  id: Id,
  at: z.iso.datetime(),
  /** As typed; masked when it was nobody's. */
  account: z.string(),
  person: z.object({ id: Id, name: z.string() }).nullable(),
  ip: z.string(),
  /** What the range of the address was called then. */
  ipRange: z.string().nullable(),
  /** In the language of who asks; null: the portal. */
  application: z.string().nullable(),
  succeeded: z.boolean(),
  reason: z.string().nullable(),
  /** Every rule that applied, as it was called then; `did` false: it would have, in report only. */
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

/** Logins of which rules said something that `listRuleOutcomes` looks at, the newest of the period. */
export const MAX_SEARCHED_OUTCOMES = 50_000

/** Days that `listRuleOutcomes` looks back at most, and when no `from` is given. */
export const MAX_OUTCOME_DAYS = 31
export const DEFAULT_OUTCOME_DAYS = 7

export const listRuleOutcomes = get(
  '/access_rule/outcomes/',
  'superUser',
  ListQuery.extend({
    ...Period,
    /** Of this rule, existing or not. */
    rule: Id.optional(),
    outcome: RuleOutcome.optional(),
    /** '1': what was done; '0': what would have been done. */
    did: z.enum(['0', '1']).optional(),
    sort: z.enum(['at', '-at']).default('-at'),
  }),
  pageOf(RuleLogin).extend({
    /** Older logins of the period were not looked at; null: all were. */
    searchedBackTo: z.iso.datetime().nullable(),
  }),
  {
    summary: 'Logins of which access rules said something, among the newest 50,000; `search`: part of the typed name',
    errors: ['list.too-deep'],
  },
)

/** Logins that `countRuleOutcomes` reads at most, the newest. */
export const MAX_COUNTED_LOGINS = 20_000

export const countRuleOutcomes = get(
  '/access_rule/counts/',
  'superUser',
  Empty,
  z.object({
    rules: z.array(z.object({ rule: Id, did: z.number().int(), would: z.number().int() })),
    /** False: there were more logins than are read, so that the numbers are the least that it can be. */
    isComplete: z.boolean(),
  }),
  { summary: 'How often each access rule did something in the last 7 days, or would have in report only' },
)
