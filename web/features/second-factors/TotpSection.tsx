import { useTranslation } from 'react-i18next'
import type { SecondFactors } from '#shared/contract/second-factors.ts'
import { Time } from '../../ui/Time.tsx'
import { FactorSection } from './FactorSection.tsx'
import type { FactorDialog } from './use-factor-dialog.ts'

type Props = { factors: SecondFactors; open: (next: FactorDialog) => void }

export function TotpSection({ factors: { totp }, open }: Props) {
  const { t } = useTranslation()
  return (
    <FactorSection icon="mobile" title={t('two-step.app.title')} isSet={totp !== null} text={t('two-step.app.text')}>
      {totp && (
        <p className="muted">
          {t('two-step.since')} <Time value={totp.since} />
          {totp.lastUsedAt && (
            <>
              {' · '}
              {t('two-step.last-used')} <Time value={totp.lastUsedAt} ago />
            </>
          )}
        </p>
      )}
      <div className="form-actions">
        <button type="button" className="button" onClick={() => open({ kind: 'app' })}>
          {t(totp ? 'two-step.app.replace' : 'two-step.app.set-up')}
        </button>
        {totp && (
          <button type="button" className="button button-quiet" onClick={() => open({ kind: 'remove-app' })}>
            {t('two-step.app.remove')}
          </button>
        )}
      </div>
    </FactorSection>
  )
}
