import type { z } from 'zod'
import type {
  AccessRuleFields,
  RuleMode,
  RuleOutcome,
  RuleReferenceField,
  SettingsRuleKey,
} from '#shared/contract/access-rules.ts'
import type { RangeKind } from '#shared/contract/ip-ranges.ts'

/** An access rule as it is kept, or as the login configuration holds it. */
export type StoredRule = z.output<typeof AccessRuleFields> & { id: string; settingsKey: SettingsRuleKey | null }

/** Something that a rule names: an id, or a code. */
export type Reference = { field: RuleReferenceField; value: string }

/** The person of a login, as far as rules ask. */
export type AccessPerson = {
  /** Is a super user, or administers some organisation. */
  administers: boolean
  /** Code of the category. */
  category: string | null
  /** Organisations that some rule names, and that the person is in or below. */
  organizations: readonly string[]
  /** Roles that some rule names, and that the person has. */
  roles: readonly string[]
}

/** The range that an address is in, by its smallest network. */
export type AccessPlace = { rangeId: string | null; rangeKind: RangeKind | null }

/** What rules judge by. */
export type AccessFacts = {
  /** Null: nobody yet. */
  person: AccessPerson | null
  /** Null: the request comes from a server, whose address says nothing of where the person is. */
  place: AccessPlace | null
  at: Date
  /** Of what is to be entered; the portal's is `PORTAL_APP_ID`. */
  appId: string
}

/** A rule that says something of a login: it did it, or would have in report only. */
export type SaidRule = { rule: string; name: string; outcome: RuleOutcome; mode: RuleMode }
