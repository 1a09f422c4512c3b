import { useTranslation } from 'react-i18next'
import type { Scheme } from '#shared/rules/design-tokens.ts'

const SCHEMES = ['light', 'dark'] as const

type Props = { scheme: Scheme; onChange: (scheme: Scheme) => void }

/** Light or dark: the edited scheme, also shown by the preview. */
export function SchemeSwitch({ scheme, onChange }: Props) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen.
    <div className="scheme-switch" role="group" aria-label={t('login-topic.scheme')}>
      {SCHEMES.map((one) => (
        <button key={one} type="button" className="button" aria-pressed={one === scheme} onClick={() => onChange(one)}>
          {t(`light.${one}`)}
        </button>
      ))}
    </div>
  )
}
