import type { TFunction } from 'i18next'
import type { IpRange, RangeKind } from '#shared/contract/ip-ranges.ts'
import type { ConflictWords } from '../../ui/ConflictNotice.tsx'

const COMPARED = ['name', 'kind', 'networks', 'names', 'enabled', 'note'] as const

/** Labels and values of a range, for what somebody else changed. */
export const rangeWords = (t: TFunction): ConflictWords<IpRange> => ({
  labels: Object.fromEntries(
    COMPARED.map((field) => [field, t(field === 'names' ? 'audit-field.names' : `ip-range.${field}`)]),
  ),
  show: (field, value) => {
    if (field === 'kind') return t(`ip-range.kind.${value as RangeKind}`)
    return field === 'enabled' ? t(`ip-range.state.${value ? 'on' : 'off'}`) : undefined
  },
})
