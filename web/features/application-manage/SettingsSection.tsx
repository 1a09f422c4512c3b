import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'

type SectionName =
  | 'names'
  | 'entry'
  | 'who'
  | 'services'
  | 'identity'
  | 'logout'
  | 'proxy'
  | 'compatibility'
  | 'client'
  | 'redirects'
  | 'grants'
  | 'scopes'
  | 'tokens'
  | 'attributes'

/** A section's purpose on the left, its fields on the right. */
export function SettingsSection({ name, children }: { name: SectionName; children: ReactNode }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section className="settings-section" aria-labelledby={id}>
      <div className="settings-about">
        <h2 id={id}>{t(`application-section.${name}`)}</h2>
        <p className="muted">{t(`application-section.${name}.text`)}</p>
      </div>
      <div className="settings-fields">{children}</div>
    </section>
  )
}
