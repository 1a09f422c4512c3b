import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmTotp, startTotp } from '#shared/contract/second-factors.ts'
import { call } from '../../platform/api.ts'
import { copyText } from '../../platform/copy-text.ts'
import { failureText } from '../../platform/failure-text.ts'
import { withReauthentication } from '../../platform/reauthentication.ts'
import { AppCodeField } from '../../ui/AppCodeField.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { SubmitDialog } from '../../ui/SubmitDialog.tsx'
import { useFactorChange } from './factor-queries.ts'

type Props = { onDone: (recoveryCodes: string[] | null) => void; onClose: () => void }

/** Sets up an authenticator app: QR code, key for manual entry, and a code to confirm. */
export function TotpSetupDialog({ onDone, onClose }: Props) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  // A new secret each time, never a cached one.
  const started = useQuery({
    queryKey: ['totp-setup'],
    queryFn: () => withReauthentication(() => call(startTotp)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const confirm = useFactorChange({
    make: () => call(confirmTotp, { body: { code } }),
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  const isReady = code.trim() !== ''
  return (
    <SubmitDialog
      title={t('two-step.app.set-up')}
      verb={started.data && t('two-step.app.confirm')}
      isReady={isReady}
      isBusy={confirm.isPending}
      error={confirm.error}
      told
      onSubmit={() => confirm.mutate()}
      onClose={onClose}
    >
      {(submitted) => (
        <>
          {started.isError && <FailedBlock error={started.error} onRetry={() => void started.refetch()} />}
          {started.isPending && <Skeleton lines={5} />}
          {started.data && (
            <>
              <p>{t('two-step.app.scan')}</p>
              <QrCode text={started.data.uri} label={t('two-step.app.picture')} />
              <SecretKey secret={started.data.secret} />
              <AppCodeField
                label={t('two-step.app.code')}
                hint={t('two-step.app.code-hint')}
                error={submitted && !isReady ? t('second-factor.missing') : failureText(confirm.error)}
                value={code}
                onChange={setCode}
              />
            </>
          )}
        </>
      )}
    </SubmitDialog>
  )
}

/** For people who can't scan; in groups of four, as apps show it. */
function SecretKey({ secret }: { secret: string }) {
  const { t } = useTranslation()
  return (
    <div className="secret-key">
      <p className="muted">{t('two-step.app.by-hand')}</p>
      <p>
        <code>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        <button type="button" className="button button-quiet" data-first-focus onClick={() => void copyText(secret)}>
          {t('two-step.app.copy-key')}
        </button>
      </p>
    </div>
  )
}
