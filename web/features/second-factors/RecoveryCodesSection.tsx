import { useTranslation } from 'react-i18next'
import type { SecondFactors } from '#shared/contract/second-factors.ts'
import { FactorSection } from './FactorSection.tsx'
import type { FactorDialog } from './use-factor-dialog.ts'

type Props = { factors: SecondFactors; open: (next: FactorDialog) => void }

const FEW_CODES = 3

/** Recovery codes replace any lost factor, so they have their own section. */
export function RecoveryCodesSection({ factors: { recoveryCodes }, open }: Props) {
  const { t } = useTranslation()
  if (!recoveryCodes) return null
  const { left, total } = recoveryCodes
  return (
    <FactorSection
      icon="safety-certificate"
      title={t('two-step.codes')}
      isSet={left > 0}
      text={t('two-step.codes.text')}
    >
      <p className={left < FEW_CODES ? 'few-codes' : 'muted'}>{t('two-step.codes.left', { left, total })}</p>
      <div className="form-actions">
        <button type="button" className="button" onClick={() => open({ kind: 'renew-codes' })}>
          {t('two-step.codes.renew')}
        </button>
      </div>
    </FactorSection>
  )
}
