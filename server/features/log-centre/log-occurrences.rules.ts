import { OWN_AUTH_TYPES } from '#shared/contract/records.ts'
import { type FacetCondition, isRolledUp, type LogName, type Occurrences } from '../statistics/index.ts'
import type { CommonFilter, Excluded, LoginFilter, VisitFilter } from './log-filter.types.ts'

const valueConditions = (values: Readonly<Record<string, string | null>>): FacetCondition[] =>
  Object.entries(values).flatMap(([facet, value]) => (value === null ? [] : [{ facet, value }]))

/** Excluded values by facet: a record has another than all of them. */
const exclusionConditions = (log: LogName, without: readonly Excluded[]): FacetCondition[] =>
  [...new Set(without.map(({ name }) => name))]
    .filter((facet) => isRolledUp(log, facet))
    .map((facet) => ({ facet, not: without.filter(({ name }) => name === facet).map(({ value }) => value) }))

/** Null if nothing that is counted is asked for: then every hour would do. */
const occurrences = (log: LogName, conditions: FacetCondition[], succeeded: boolean | null): Occurrences | null =>
  conditions.length > 0 || succeeded !== null ? { log, conditions, succeeded } : null

const commonValues = ({ applicationId, ipRange, onCampus, clientType, reason }: CommonFilter) => ({
  applicationId: applicationId?.toLowerCase() ?? null,
  ipRange,
  onCampus: onCampus === null ? null : String(Number(onCampus)),
  clientType,
  reason,
})

/** In which hours such logins may be, as far as it is counted. */
export function loginOccurrences(filter: LoginFilter): Occurrences | null {
  const { authType, factor, browser, device, said, succeeded, without } = filter
  const isThirdParty = authType === 'third-party'
  const ruleOutcome = said?.outcome ? `${said.mode === 'on' ? '' : 'would-'}${said.outcome}` : null
  const values = {
    ...commonValues(filter),
    ...{ authType: isThirdParty ? null : authType, factor, browser, device, rule: said?.rule ?? null, ruleOutcome },
  }
  const others = exclusionConditions('login', without)
  const thirdParty: FacetCondition[] = isThirdParty ? [{ facet: 'authType', not: OWN_AUTH_TYPES }] : []
  return occurrences('login', [...valueConditions(values), ...thirdParty, ...others], succeeded)
}

/** The same for visits. */
export function visitOccurrences(filter: VisitFilter): Occurrences | null {
  const values = { ...commonValues(filter), entry: filter.entry }
  return occurrences(
    'visit',
    [...valueConditions(values), ...exclusionConditions('visit', filter.without)],
    filter.succeeded,
  )
}
