import type { ConsentPage } from '#shared/contract/light-page.ts'
import { consentWord } from '#shared/rules/consent-word.ts'
import { Badge } from './Badge.tsx'
import { FormActions } from './FormActions.tsx'
import { useLight } from './light-page.tsx'
import { pageHeading } from './titles.ts'

/** Says in plain words what an application will receive. */
export function ConsentCard({ page }: { page: ConsentPage }) {
  const { surroundings, t } = useLight()
  const { key, params } = pageHeading(page, surroundings.language)
  return (
    <div className="notice">
      {page.picture ? (
        <img className="app-picture" src={page.picture} alt="" width={56} height={56} />
      ) : (
        <Badge tone="info" />
      )}
      <h1>{t(key, params)}</h1>
      {page.code !== null && (
        <p>
          {t('consent.code')} <strong className="device-code">{page.code}</strong>
        </p>
      )}
      <p id="learns">{t('consent.text', params)}</p>
      <ul className="released" aria-labelledby="learns">
        {page.learns.map((one) => (
          <li key={one}>{t(`consent.${consentWord(one)}`, { key: one.split('.').at(-1) ?? '' })}</li>
        ))}
      </ul>
      {page.code === null && <p className="hint">{t('consent.revocable')}</p>}
      <p className="person">{t('light.person', { person: page.person })}</p>
      <FormActions actions={page.actions} />
    </div>
  )
}
