import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type FieldFormat, type FieldPattern, MAX_JUDGED_LENGTH } from '#shared/contract/account-fields.ts'

/** Says what a value has to look like; nothing where the product's own checks are all. */
export function useFormatText(): (format: FieldFormat) => string | undefined {
  const { t } = useTranslation()
  return (format) => {
    if (format === 'any') return undefined
    if (typeof format === 'string') return t(`complete-profile.format.${format}`)
    const pattern = format.pattern && t('complete-profile.format.pattern', { pattern: format.pattern })
    return [lengthText(t, format), pattern].filter(Boolean).join(t('list.separator')) || undefined
  }
}

function lengthText(t: TFunction, { minLength: least, maxLength: most }: FieldPattern): string {
  if (most === MAX_JUDGED_LENGTH) return least === 0 ? '' : t('complete-profile.format.least', { least })
  return least === 0
    ? t('complete-profile.format.most', { most })
    : t('complete-profile.format.length', { least, most })
}
