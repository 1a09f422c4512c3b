import { useTranslation } from 'react-i18next'
import type { PolicyKey } from '#shared/contract/login-config.ts'
import { boundsOf } from './policy-values.ts'

/** The props of a rule's control. */
export type ControlProps = {
  label: string
  hint: string
  name: PolicyKey
  value: unknown
  onChange: (value: unknown) => void
}

/** The error of a number, also while it is being typed. @param unit in which the bounds are shown. */
export function useBoundsError(name: PolicyKey, value: unknown, unit = 1): string | undefined {
  const { t } = useTranslation()
  const { min, max } = boundsOf(name)
  const isWithin = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
  return isWithin ? undefined : t('login-config.bounds', { min: Math.ceil(min / unit), max: Math.floor(max / unit) })
}

/** Keeps invalid input as typed, so that nothing jumps. */
export const toNumber = (text: string): number | string => (/^\d{1,12}$/.test(text.trim()) ? Number(text) : text)
