import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renamePasskey } from '#shared/contract/second-factors.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { SubmitDialog } from '../../ui/SubmitDialog.tsx'
import { useFactorChange } from './factor-queries.ts'
import { PasskeyName } from './PasskeyName.tsx'

type Props = { passkey: { id: string; name: string }; onClose: () => void }

export function RenamePasskeyDialog({ passkey, onClose }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState(passkey.name)
  const rename = useFactorChange({
    make: () => call(renamePasskey, { body: { id: passkey.id, name: name.trim() } }),
    done: t('two-step.done'),
    onDone: onClose,
  })
  const isReady = name.trim() !== ''
  return (
    <SubmitDialog
      title={t('two-step.passkeys.rename-one', { name: passkey.name })}
      verb={t('two-step.passkeys.rename')}
      isReady={isReady}
      isBusy={rename.isPending}
      error={rename.error}
      told
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      {(submitted) => (
        <PasskeyName
          value={name}
          error={submitted && !isReady ? t('two-step.passkeys.name-missing') : failureText(rename.error)}
          onChange={setName}
        />
      )}
    </SubmitDialog>
  )
}
