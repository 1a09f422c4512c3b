import { useEffect, useRef } from 'react'
import { NOTICES, type NoticePage } from '#shared/contract/light-page.ts'
import { Badge } from './Badge.tsx'
import { FormActions } from './FormActions.tsx'
import { useApplicationName, useLight } from './light-page.tsx'
import { pageHeading } from './titles.ts'

/** Says what happened and what to do next. */
export function NoticeCard({ page }: { page: NoticePage }) {
  const { surroundings, t } = useLight()
  const application = useApplicationName(page.application)
  const heading = useRef<HTMLHeadingElement>(null)
  // A page shown in place has to be announced; after a load the browser does that.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const tone = NOTICES[page.name]
  const { key, params } = pageHeading(page, surroundings.language)
  return (
    <div className="notice">
      <Badge tone={tone} />
      <h1 ref={heading} tabIndex={-1}>
        {t(key, params)}
      </h1>
      <p>
        {page.error
          ? t(`errors.${page.error.code}`, page.error.params)
          : t(`notice.${page.name}.text`, { application })}
      </p>
      {page.person && <p className="person">{t('light.person', { person: page.person })}</p>}
      {(tone === 'caution' || tone === 'danger') && (
        <p className="request">{t('light.request', { id: page.requestId })}</p>
      )}
      <FormActions actions={page.actions} />
    </div>
  )
}
