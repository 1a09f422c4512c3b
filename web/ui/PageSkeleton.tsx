import { useTranslation } from 'react-i18next'

/** Placeholder for a page or its data. */
export function PageSkeleton() {
  return (
    <div className="page">
      <Skeleton lines={4} />
    </div>
  )
}

/** Grey bars in the shape of the content; announced once. */
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
