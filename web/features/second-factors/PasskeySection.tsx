import { useTranslation } from 'react-i18next'
import type { SecondFactors } from '#shared/contract/second-factors.ts'
import { Time } from '../../ui/Time.tsx'
import { FactorSection } from './FactorSection.tsx'
import type { FactorDialog } from './use-factor-dialog.ts'

type Props = { factors: SecondFactors; open: (next: FactorDialog) => void }

export function PasskeySection({ factors: { passkeys, passkeysAvailable }, open }: Props) {
  const { t } = useTranslation()
  const text = t(passkeysAvailable ? 'two-step.passkeys.text' : 'errors.passkey.unavailable')
  return (
    <FactorSection icon="lock" title={t('two-step.passkeys.title')} isSet={passkeys.length > 0} text={text}>
      {passkeys.length > 0 && (
        <ul className="factor-list" aria-label={t('two-step.passkeys.title')}>
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <strong>{passkey.name}</strong>
                <p className="muted">
                  {t('two-step.since')} <Time value={passkey.createdAt} /> ·{' '}
                  {passkey.lastUsedAt ? (
                    <>
                      {t('two-step.last-used')} <Time value={passkey.lastUsedAt} ago />
                    </>
                  ) : (
                    t('two-step.never-used')
                  )}
                  {passkey.backedUp && <> · {t('two-step.passkeys.synced')}</>}
                </p>
              </div>
              <button
                type="button"
                className="button button-quiet"
                aria-label={t('two-step.passkeys.rename-one', { name: passkey.name })}
                onClick={() => open({ kind: 'rename-passkey', passkey })}
              >
                {t('two-step.passkeys.rename')}
              </button>
              <button
                type="button"
                className="button"
                aria-label={t('two-step.passkeys.remove-one', { name: passkey.name })}
                onClick={() => open({ kind: 'remove-passkey', passkey })}
              >
                {t('two-step.passkeys.remove')}
              </button>
            </li>
          ))}
        </ul>
      )}
      {passkeysAvailable && (
        <div className="form-actions">
          <button type="button" className="button" onClick={() => open({ kind: 'passkey' })}>
            {t('two-step.passkeys.add')}
          </button>
        </div>
      )}
    </FactorSection>
  )
}
