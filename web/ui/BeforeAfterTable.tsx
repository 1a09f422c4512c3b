import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** What differs: for each field a row with its name and its two values. */
export function BeforeAfterTable({ className, children }: { className?: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <table className={className} aria-label={t('save-bar.changes')}>
      <thead>
        <tr>
          <th scope="col">{t('diff.field')}</th>
          <th scope="col">{t('diff.before')}</th>
          <th scope="col">{t('diff.after')}</th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
