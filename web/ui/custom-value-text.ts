import type { ShownCustomField } from '#shared/contract/custom-fields.ts'
import { formatDay } from '../platform/format-time.ts'

/** A custom field's value in words. */
export function customValueText(
  { kind, choices }: Pick<ShownCustomField, 'kind' | 'choices'>,
  value: string | null | undefined,
  language: string,
): string {
  if (!value) return ''
  if (kind === 'date') return formatDay(value, language)
  return choices.find(({ code }) => code === value)?.label ?? value
}
