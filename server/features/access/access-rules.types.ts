import type { z } from 'zod'
import type {
  AccessRuleFields,
  RuleMode,
  RuleOutcome,
  RuleReferenceField,
  SettingsRuleKey,
} from '#shared/contract/access-rules.ts'
import type { RangeKind } from '#shared/contract/ip-ranges.ts'

/** An access rule as stored, or as the login configuration contains it. */
export type StoredRule = z.output<typeof AccessRuleFields> & { id: string; settingsKey: SettingsRuleKey | null }

/** A reference in a rule: an id or a code. */
export type Reference = { field: RuleReferenceField; value: string }

/** The person who logs in, as far as rules need. */
export type AccessPerson = {
  /** Is a super user, or administers an organisation. */
  administers: boolean
  /** Code of the category. */
  category: string | null
  /** Organisations named by a rule that the person is in, directly or below. */
  organizations: readonly string[]
  /** Roles named by a rule that the person has. */
  roles: readonly string[]
}

/** The range of an address, by its smallest network. */
export type AccessPlace = { rangeId: string | null; rangeKind: RangeKind | null }

/** What rules are evaluated against. */
export type AccessFacts = {
  /** Null: not known yet. */
  person: AccessPerson | null
  /** Null: the request comes from a server, whose address says nothing about where the person is. */
  place: AccessPlace | null
  at: Date
  /** Of the application to be entered; the portal's is `PORTAL_APP_ID`. */
  appId: string
}

/** A rule that applied to a login, or in report-only mode would have. */
export type SaidRule = { rule: string; name: string; outcome: RuleOutcome; mode: RuleMode }
