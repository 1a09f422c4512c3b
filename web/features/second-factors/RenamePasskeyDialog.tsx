import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renamePasskey } from '#shared/contract/second-factors.ts'
import { call } from '../../platform/api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { useFactorChange } from './second-factors.ts'

type Props = { passkey: { id: string; name: string }; onClose: () => void }

export function RenamePasskeyDialog({ passkey, onClose }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState(passkey.name)
  const [missing, setMissing] = useState(false)
  const rename = useFactorChange({
    make: () => call(renamePasskey, { body: { id: passkey.id, name: name.trim() } }),
    done: t('two-step.done'),
    onDone: onClose,
  })
  const submit = () => {
    setMissing(name.trim() === '')
    if (name.trim() !== '' && !rename.isPending) rename.mutate()
  }
  return (
    <Dialog
      title={t('two-step.passkeys.rename-one', { name: passkey.name })}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('action.cancel')}
          </button>
          <button type="submit" form="rename" className="button button-primary" aria-disabled={rename.isPending}>
            {t('two-step.passkeys.rename')}
          </button>
        </>
      }
    >
      <form
        id="rename"
        className="app-setup"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field
          label={t('two-step.passkeys.name')}
          error={missing ? t('two-step.passkeys.name-missing') : rename.error?.message}
        >
          {(aria) => (
            <input
              {...aria}
              className="input"
              maxLength={50}
              data-first-focus
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
