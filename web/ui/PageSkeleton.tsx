import { useTranslation } from 'react-i18next'

/** Stands in while a page or its data is on the way. */
export function PageSkeleton() {
  return (
    <div className="page">
      <Skeleton lines={4} />
    </div>
  )
}

/** Grey bars in the shape of what is coming; said once to screen readers. */
export function Skeleton({ lines }: { lines: number }) {
  const { t } = useTranslation()
  return (
    <div className="waiting" role="status">
      <span className="visually-hidden">{t('state.loading')}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity.
        <span key={line} className="skeleton waiting-line" />
      ))}
    </div>
  )
}
