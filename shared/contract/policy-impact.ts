import { z } from 'zod'
import { AccessRuleFields, SETTINGS_RULE_KEYS } from './access-rules.ts'
import { AccountField, FieldRulesDraft } from './account-fields.ts'
import { Id, post } from './endpoint.ts'
import { CustomFieldName } from './field-rules.ts'
import { IpRangeFields, RANGE_KINDS } from './ip-ranges.ts'
import { LoginConfigDraft, type PolicyKey } from './login-config.ts'
import { RECORD_KINDS } from './record-retention.ts'

/** Days of login records that a preview covers. */
export const IMPACT_DAYS = 7
/** The most rows listed for a figure. */
export const IMPACT_ROWS = 100

/**
 * The effects of changing the login configuration or the field rules; each has the message `impact.<name>`. `logins-by-type`,
 * `logins-by-name`: recent logins that would have been refused for their method, or for the kind of name that was typed. `people-locked`:
 * people whom their recent failures would have locked, and did not. `sessions-ended`: logins that end within the next minute.
 * `passwords-too-old`: people who would have to change their password at the next login with it. `sessions-above-limit`: people with more
 * current logins than a new one would leave them. `records-dropped`: records that the next run deletes, as the database estimates.
 * `logins-captcha-risk`: logins by password that would have been asked for a captcha because of the failures before them, in an unknown
 * browser.
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
 * What the next nightly dormancy run would do if nobody logs in before: people become dormant, dormant people are
 * locked, or the run is held because they are too many (and how many).
 */
export const DORMANCY_FIGURES = ['people-dormant', 'dormant-locked', 'run-held'] as const
export type DormancyFigureKey = (typeof DORMANCY_FIGURES)[number]
/** People who would newly need a second factor, and how many of them have none. */
export const FACTOR_FIGURES = ['people-factor', 'people-factorless'] as const
export type FactorFigureKey = (typeof FACTOR_FIGURES)[number]
/**
 * `people-lacking`: have no value for a field and would be asked for it at the next login, or can't activate without it.
 * `people-misformed`: have a value that does not fit the new format. `people-sharing`: have the same value as somebody else; they keep it,
 * and nobody else gets it.
 */
const FIELD_RULE_FIGURES = ['logins-by-name', 'people-lacking', 'people-misformed', 'people-sharing'] as const
export type LoginConfigFigureKey = (typeof LOGIN_CONFIG_FIGURES)[number]

const TERM_KEYS = ['dormantAfterDays', 'dormantExemptCategories'] as const
/** The keys that each figure depends on: without a change in them it is not requested. */
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
 * The effects of changing access rules on logins like the recent ones, as far as they differ from today's rules: newly
 * refused or allowed, with or without a second factor or captcha, or with a notice. `logins-place`: they would count as
 * another IP range, or one of another kind.
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

/** An IP range by its name at that time; null: the new, unnamed one. */
const ImpactPlace = z.object({ name: z.string().nullable(), kind: z.enum(RANGE_KINDS) })

const ImpactRow = z.object({
  person: z.object({ id: Id, account: z.string(), name: z.string() }),
  /**
   * The time of the login or lock, of the session's last use, when the password was set, or since when they are idle or
   * dormant; null: not applicable.
   */
  at: z.iso.datetime().nullable(),
  /** The typed user name; null: not applicable. */
  typed: z.string().nullable(),
  ip: z.string().nullable(),
  /** The target application, in the caller's language; null: the portal, or not applicable. */
  application: z.string().nullable(),
  /** The range it counts as, null outside of ranges; null: not applicable. */
  places: z.object({ before: ImpactPlace.nullable(), after: ImpactPlace.nullable() }).nullable(),
})
export type ImpactRow = z.infer<typeof ImpactRow>

export const ImpactFigure = z.object({
  key: z.enum(IMPACT_FIGURES),
  /** For a field rule: the field; else null. */
  field: z.union([AccountField, CustomFieldName]).nullable(),
  /** The draft's name of a custom field, in the caller's language; else null. */
  fieldLabel: z.string().nullable().optional(),
  count: z.number().int(),
  /** The number of distinct people. */
  people: z.number().int(),
  /** A lower bound: not everything could be checked in time. */
  isAtLeast: z.boolean(),
  /** Records since then were checked; null: it is about the present. */
  lookedBackTo: z.iso.datetime().nullable(),
  /** The latest rows. */
  rows: z.array(ImpactRow),
  /** For records: the months to be deleted, the latest first. */
  months: z.array(z.object({ kind: z.enum(RECORD_KINDS), month: z.string(), rows: z.number().int() })).optional(),
})
export type ImpactFigure = z.infer<typeof ImpactFigure>

export const loginConfigImpact = post(
  '/policy_impact/login_config/',
  'superUser',
  LoginConfigDraft,
  z.object({ figures: z.array(ImpactFigure) }),
  {
    summary: 'The impact of an unsaved change of the login configuration, based on the last days',
    errors: ['service.busy'],
  },
)

/** The fields that an impact depends on. */
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
    /** The rule being changed or deleted; absent: a new one. */
    id: Id.optional(),
    /** Null: it would be deleted. */
    rule: JudgedFields.nullable(),
  }),
  z.object({
    /** Figures above zero, and those that may be when not everything could be checked. */
    figures: z.array(ImpactFigure),
    /** Report only changes nothing: the figures say what it would do once enabled. */
    isOnceOn: z.boolean(),
  }),
  {
    summary: 'The impact of an unsaved new, changed or deleted access rule, based on the logins of the last days',
    errors: ['service.busy', 'resource.not-found', 'access-rule.zone-unknown'],
  },
)
export const fieldRulesImpact = post(
  '/policy_impact/account_fields/',
  'superUser',
  FieldRulesDraft,
  z.object({ figures: z.array(ImpactFigure) }),
  {
    summary: 'The impact of an unsaved change of the field rules, based on the last days',
    errors: ['service.busy'],
  },
)

export const ipRangeImpact = post(
  '/policy_impact/ip_range/',
  'superUser',
  z.strictObject({
    /** The range being changed or deleted; absent: a new one. */
    id: Id.optional(),
    /** Null: it would be deleted. */
    range: IpRangeFields.pick({ kind: true, networks: true, enabled: true }).nullable(),
  }),
  z.object({
    /** As for `accessRuleImpact`. */
    figures: z.array(ImpactFigure),
  }),
  {
    summary:
      'The logins of the last days that an unsaved new, changed or deleted IP range would affect, and the resulting access rules',
    errors: ['service.busy', 'resource.not-found', 'ip-range.bad-network', 'ip-range.too-many-networks'],
  },
)
