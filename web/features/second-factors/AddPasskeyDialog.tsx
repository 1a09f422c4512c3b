import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passkeyOptions, registerPasskey } from '#shared/contract/second-factors.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { loadChunk } from '../../platform/load-chunk.ts'
import { ownDeviceName } from '../../platform/own-device.ts'
import { SubmitDialog } from '../../ui/SubmitDialog.tsx'
import { useFactorChange } from './factor-queries.ts'
import { PasskeyName } from './PasskeyName.tsx'

type Props = { onDone: (recoveryCodes: string[] | null) => void; onClose: () => void }

/** Adds a passkey: a name, by default that of browser and device, then the browser's prompt. */
export function AddPasskeyDialog({ onDone, onClose }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState(() => ownDeviceName())
  const add = useFactorChange({
    make: async () => {
      const [options, { makePasskey }] = await Promise.all([
        call(passkeyOptions, { body: {} }),
        loadChunk(() => import('../../platform/passkeys.ts')),
      ])
      const response = await makePasskey(options as unknown as Parameters<typeof makePasskey>[0])
      return await call(registerPasskey, { body: { name: name.trim(), response } })
    },
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  const isReady = name.trim() !== ''
  return (
    <SubmitDialog
      title={t('two-step.passkeys.add')}
      verb={t(add.isPending ? 'second-factor.waiting' : 'two-step.passkeys.make')}
      isReady={isReady}
      isBusy={add.isPending}
      error={add.error}
      told
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      {(submitted) => (
        <>
          <p>{t('two-step.passkeys.explain')}</p>
          <PasskeyName
            value={name}
            hint={t('two-step.passkeys.name-hint')}
            error={submitted && !isReady ? t('two-step.passkeys.name-missing') : undefined}
            onChange={setName}
          />
          <p className="field-error" role="alert">
            {add.error && (add.error.name === 'NoPasskey' ? t('two-step.passkeys.none-made') : failureText(add.error))}
          </p>
        </>
      )}
    </SubmitDialog>
  )
}
