import { z } from 'zod'
import { AccessRuleFields, SETTINGS_RULE_KEYS } from './access-rules.ts'
import { AccountField, FieldRulesDraft } from './account-fields.ts'
import { Id, post } from './endpoint.ts'
import { CustomFieldName } from './field-rules.ts'
import { IpRangeFields, RANGE_KINDS } from './ip-ranges.ts'
import { LoginConfigDraft, type PolicyKey } from './login-config.ts'
import { RECORD_KINDS } from './record-retention.ts'

/** Days of login records that a change is judged by. */
export const IMPACT_DAYS = 7
/** Rows that stand behind a number, at most. */
export const IMPACT_ROWS = 100

/**
 * What a change of the login configuration or of the field rules would do; each has the message `impact.<name>`.
 * `logins-by-type`, `logins-by-name`: logins of the last days that would have been refused for the way, or for the kind of name that was
 * typed. `people-locked`: people whom their failures of the last days would have locked, and did not. `sessions-ended`: logins that end
 * within the next minute. `passwords-too-old`: people who would have to change their password at the next login with it. `sessions-above-limit`: people who have more logins now than a new one would
 * leave them. `records-dropped`: records that the next run deletes, as the database estimates. `logins-captcha-risk`: logins by password that
 * would have been asked for a captcha for the failures before them, in a browser that nobody knows.
 */
export const LOGIN_CONFIG_FIGURES = [
  'logins-by-type',
  'people-locked',
  'sessions-ended',
  'sessions-above-limit',
  'passwords-too-old',
  'records-dropped',
  'logins-captcha-risk',
] as const
/**
 * What the dormancy run of the next night would do, if nobody logs in before: people become dormant, dormant people are locked, or it
 * stands still, because that is so many at once (and how many).
 */
export const DORMANCY_FIGURES = ['people-dormant', 'dormant-locked', 'run-held'] as const
export type DormancyFigureKey = (typeof DORMANCY_FIGURES)[number]
/** Who must have a second factor by the rules and need not now, and how many of them have none to be asked for. */
export const FACTOR_FIGURES = ['people-factor', 'people-factorless'] as const
export type FactorFigureKey = (typeof FACTOR_FIGURES)[number]
/**
 * `people-lacking`: have no value for a field and would be asked for it at the next login, or can't be activated without.
 * `people-misformed`: have one that does not fit the new format.
 * `people-sharing`: have the same as somebody else; they keep it, and nobody else is given it.
 */
const FIELD_RULE_FIGURES = ['logins-by-name', 'people-lacking', 'people-misformed', 'people-sharing'] as const
export type LoginConfigFigureKey = (typeof LOGIN_CONFIG_FIGURES)[number]

const TERM_KEYS = ['dormantAfterDays', 'dormantExemptCategories'] as const
/** The keys that each figure depends on: where none of them changes, it is not asked for. */
export const FIGURE_KEYS: Readonly<
  Record<LoginConfigFigureKey | DormancyFigureKey | FactorFigureKey, readonly PolicyKey[]>
> = {
  'logins-by-type': ['loginTypes'],
  'people-locked': ['lockAfterFailures', 'failureWindowMinutes'],
  'sessions-ended': ['sessionIdleMinutes', 'expirationMinutes', 'switchOfExpirationLogout'],
  'sessions-above-limit': ['mostSessions'],
  'passwords-too-old': ['passwordMaxAgeDays', 'passwordRules'],
  'records-dropped': ['retention'],
  'logins-captcha-risk': ['captchaOn', 'captchaAfterFailures', 'addressFailures', 'failureWindowMinutes'],
  'people-dormant': TERM_KEYS,
  'dormant-locked': [...TERM_KEYS, 'dormantLockAfterDays'],
  'run-held': [...TERM_KEYS, 'dormantLockAfterDays', 'dormantWarnDays'],
  'people-factor': SETTINGS_RULE_KEYS,
  'people-factorless': SETTINGS_RULE_KEYS,
}

/**
 * What a change of the access rules would do to logins like those of the last days, where the rules of today would not: refuse them
 * or let them in, ask for a second factor or a captcha or no longer, and send a notice.
 * `logins-place`: they come from another IP range than now, or from one of another kind.
 */
export const ACCESS_FIGURES = [
  'logins-refused',
  'logins-let-in',
  'logins-factor',
  'logins-factor-spared',
  'logins-captcha',
  'logins-captcha-spared',
  'logins-notified',
  'logins-place',
] as const
export type AccessFigureKey = (typeof ACCESS_FIGURES)[number]

const IMPACT_FIGURES = [
  ...LOGIN_CONFIG_FIGURES,
  ...DORMANCY_FIGURES,
  ...FACTOR_FIGURES,
  ...FIELD_RULE_FIGURES,
  ...ACCESS_FIGURES,
] as const
export type ImpactFigureKey = (typeof IMPACT_FIGURES)[number]

/** An IP range by its name then; null: the new one, which has none yet. */
const ImpactPlace = z.object({ name: z.string().nullable(), kind: z.enum(RANGE_KINDS) })

const ImpactRow = z.object({
  person: z.object({ id: Id, account: z.string(), name: z.string() }),
  /** Of the login, of the lock, when the session was last used, when the password was set, or since when they are idle or dormant; null: no matter here. */
  at: z.iso.datetime().nullable(),
  /** What was typed as user name; null: no matter here. */
  typed: z.string().nullable(),
  ip: z.string().nullable(),
  /** What was to be entered, in the language of who asks; null: the portal, or no matter here. */
  application: z.string().nullable(),
  /** Where it counts as coming from, in no range null; null: no matter here. */
  places: z.object({ before: ImpactPlace.nullable(), after: ImpactPlace.nullable() }).nullable(),
})
export type ImpactRow = z.infer<typeof ImpactRow>

export const ImpactFigure = z.object({
  key: z.enum(IMPACT_FIGURES),
  /** Of a field rule: the field; else null. */
  field: z.union([AccountField, CustomFieldName]).nullable(),
  /** What a field of the institution's own is called in the draft, in the language of who asks; else null. */
  fieldLabel: z.string().nullable().optional(),
  count: z.number().int(),
  /** How many different people that are. */
  people: z.number().int(),
  /** There may be more: not everything could be looked at in time. */
  isAtLeast: z.boolean(),
  /** Records since then were looked at; null: it is about now. */
  lookedBackTo: z.iso.datetime().nullable(),
  /** The latest of them. */
  rows: z.array(ImpactRow),
  /** Of records: the months that go, the latest first. */
  months: z.array(z.object({ kind: z.enum(RECORD_KINDS), month: z.string(), rows: z.number().int() })).optional(),
})
export type ImpactFigure = z.infer<typeof ImpactFigure>

export const loginConfigImpact = post(
  '/policy_impact/login_config/',
  'superUser',
  LoginConfigDraft,
  z.object({ figures: z.array(ImpactFigure) }),
  {
    summary: 'What a change of the login configuration that is not saved would do, by what happened in the last days',
    errors: ['service.busy'],
  },
)

/** What a rule is judged by. */
const JudgedFields = AccessRuleFields.pick({
  mode: true,
  who: true,
  where: true,
  when: true,
  applications: true,
  outcome: true,
})

export const accessRuleImpact = post(
  '/policy_impact/access_rule/',
  'superUser',
  z.strictObject({
    /** The rule that would be changed or deleted; absent: a new one. */
    id: Id.optional(),
    /** Null: it would be deleted. */
    rule: JudgedFields.nullable(),
  }),
  z.object({
    /** Those of which there are any, and where not everything could be looked at those of which there may be. */
    figures: z.array(ImpactFigure),
    /** In report only it changes nothing: the figures say what it would do when it is switched on. */
    isOnceOn: z.boolean(),
  }),
  {
    summary:
      'What a new, changed or deleted access rule that is not saved would do to logins like those of the last days',
    errors: ['service.busy', 'resource.not-found', 'access-rule.zone-unknown'],
  },
)
export const fieldRulesImpact = post(
  '/policy_impact/account_fields/',
  'superUser',
  FieldRulesDraft,
  z.object({ figures: z.array(ImpactFigure) }),
  {
    summary: 'What a change of the field rules that is not saved would do, by what happened in the last days',
    errors: ['service.busy'],
  },
)

export const ipRangeImpact = post(
  '/policy_impact/ip_range/',
  'superUser',
  z.strictObject({
    /** The range that would be changed or deleted; absent: a new one. */
    id: Id.optional(),
    /** Null: it would be deleted. */
    range: IpRangeFields.pick({ kind: true, networks: true, enabled: true }).nullable(),
  }),
  z.object({
    /** As of `accessRuleImpact`. */
    figures: z.array(ImpactFigure),
  }),
  {
    summary:
      'Which logins of the last days a new, changed or deleted IP range that is not saved would place elsewhere, and what the access rules would then do',
    errors: ['service.busy', 'resource.not-found', 'ip-range.bad-network', 'ip-range.too-many-networks'],
  },
)
