import { useTranslation } from 'react-i18next'
import type { SecondFactors } from '#shared/contract/second-factors.ts'
import { Time } from '../../ui/Time.tsx'
import { FactorSection } from './FactorSection.tsx'
import type { FactorDialog } from './use-factor-dialog.ts'

type Props = { factors: SecondFactors; open: (next: FactorDialog) => void }

export function TrustedBrowsersSection({ factors: { trustedBrowsers, trustedBrowserDays }, open }: Props) {
  const { t } = useTranslation()
  if (trustedBrowserDays === 0) return null
  const text = trustedBrowsers.length > 0 ? 'two-step.trusted.text' : 'two-step.trusted.none'
  return (
    <FactorSection
      icon="pc"
      title={t('two-step.trusted.title')}
      isSet={null}
      text={t(text, { count: trustedBrowserDays })}
    >
      {trustedBrowsers.length > 0 && (
        <ul className="factor-list" aria-label={t('two-step.trusted.title')}>
          {trustedBrowsers.map(({ id, browser, device, ip, lastUsedAt, expiresAt, current }) => {
            const name = [browser, device].filter(Boolean).join(' · ') || t('client-type.other')
            return (
              <li key={id}>
                <div>
                  <strong>{name}</strong>
                  {current && (
                    <span className="tag tag-well">
                      <span className="dot" />
                      {t('two-step.trusted.current')}
                    </span>
                  )}
                  <p className="muted">
                    <span className="tabular">{ip}</span> · {t('two-step.last-used')} <Time value={lastUsedAt} ago /> ·{' '}
                    {t('two-step.trusted.until')} <Time value={expiresAt} />
                  </p>
                </div>
                <button
                  type="button"
                  className="button"
                  aria-label={t('two-step.trusted.forget-one', { name })}
                  onClick={() => open({ kind: 'forget', id, name })}
                >
                  {t('two-step.trusted.forget')}
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </FactorSection>
  )
}
