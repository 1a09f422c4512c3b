import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passkeyOptions, registerPasskey } from '#shared/contract/second-factors.ts'
import { call } from '../../platform/api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { useSubmitted } from '../../ui/use-submitted.ts'
import { useFactorChange } from './second-factors.ts'

type Props = { onDone: (recoveryCodes: string[] | null) => void; onClose: () => void }

/** A passkey: a name to know it by, then the browser asks for a finger, a face or a PIN. */
export function AddPasskeyDialog({ onDone, onClose }: Props) {
  const { t } = useTranslation()
  const { ref, submitted, refuse } = useSubmitted()
  const [name, setName] = useState('')
  const add = useFactorChange({
    make: async () => {
      const [options, { makePasskey }] = await Promise.all([
        call(passkeyOptions, { body: {} }),
        import('../../platform/passkeys.ts'),
      ])
      const response = await makePasskey(options as unknown as Parameters<typeof makePasskey>[0])
      return await call(registerPasskey, { body: { name: name.trim(), response } })
    },
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  const submit = () => {
    if (name.trim() === '') refuse()
    else if (!add.isPending) add.mutate()
  }
  return (
    <Dialog
      title={t('two-step.passkeys.add')}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('action.cancel')}
          </button>
          <button type="submit" form="add-passkey" className="button button-primary" aria-disabled={add.isPending}>
            {t(add.isPending ? 'second-step.waiting' : 'two-step.passkeys.make')}
          </button>
        </>
      }
    >
      <form
        id="add-passkey"
        ref={ref}
        className="app-setup"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p>{t('two-step.passkeys.explain')}</p>
        <Field
          label={t('two-step.passkeys.name')}
          hint={t('two-step.passkeys.name-hint')}
          error={submitted && name.trim() === '' ? t('two-step.passkeys.name-missing') : undefined}
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
        <p className="field-error" role="alert">
          {add.error && (add.error.name === 'NoPasskey' ? t('two-step.passkeys.none-made') : add.error.message)}
        </p>
      </form>
    </Dialog>
  )
}
