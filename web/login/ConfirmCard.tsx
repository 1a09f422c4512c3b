import type { ConfirmPage } from '#shared/contract/light-page.ts'
import { Badge } from './Badge.tsx'
import { FormActions } from './FormActions.tsx'
import { useLight } from './light-page.tsx'
import { pageHeading } from './titles.ts'

/** Asks for confirmation of something the person may not have intended. */
export function ConfirmCard({ page }: { page: ConfirmPage }) {
  const { surroundings, t } = useLight()
  const { key, params } = pageHeading(page, surroundings.language)
  return (
    <div className="notice">
      <Badge tone={page.name === 'log-out' ? 'caution' : 'info'} />
      <h1>{t(key, params)}</h1>
      <p>{t(`confirm.${page.name}.text`)}</p>
      {page.person && <p className="person">{t('light.person', { person: page.person })}</p>}
      <FormActions actions={page.actions} />
    </div>
  )
}
