import type { ReactNode } from 'react'
import type { AccessRule } from '#shared/contract/access-rules.ts'

/** What other features contribute to a rule's page. */
export type RuleSlots = { history: (rule: AccessRule) => ReactNode }
