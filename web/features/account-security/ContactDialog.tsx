import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AccountSecurity, bindMailbox, bindPhone } from '#shared/contract/account-security.ts'
import { sendEmail, sendPhoneCaptcha } from '#shared/contract/verification-codes.ts'
import { call } from '../../platform/api.ts'
import { refusalAbout } from '../../platform/refusal.ts'
import { CodeField } from '../../ui/CodeField.tsx'
import { Field } from '../../ui/Field.tsx'
import { SubmitDialog } from '../../ui/SubmitDialog.tsx'
import { useChange } from './account-security.ts'
import { RemoveButton } from './RemoveButton.tsx'
import { isMailbox, isPhone } from './typed-contact.ts'

export type ContactKind = 'phone' | 'mailbox'

type Props = {
  kind: ContactKind
  userId: string
  security: AccountSecurity
  onRemove: () => void
  onClose: () => void
}

const INPUTS = {
  phone: { type: 'tel', autoComplete: 'tel', inputMode: 'tel', isRight: isPhone, longest: 40 },
  mailbox: { type: 'email', autoComplete: 'email', inputMode: 'email', isRight: isMailbox, longest: 254 },
} as const

/** Binds a phone or a mailbox: where to, then the code that was sent there. */
export function ContactDialog({ kind, userId, security, onRemove, onClose }: Props) {
  const { t } = useTranslation()
  const { isRight, longest, ...input } = INPUTS[kind]
  const former = security[kind]
  const [typed, setTyped] = useState('')
  const [code, setCode] = useState('')
  /** Asked for a code without saying where to. */
  const [sentTooEarly, setSentTooEarly] = useState(false)
  const bind = useChange({
    make: () => bindTo(kind, userId, { typed, code, version: security.version }),
    done: t(`set-account.${kind}.done`),
    onDone: onClose,
  })
  const ofTarget = refusalAbout(bind.error, `${kind}.`)
  const ofCode = refusalAbout(bind.error, 'verification-code.')
  const send = async () => {
    setSentTooEarly(!isRight(typed))
    return isRight(typed) ? await sendTo(kind, userId, typed) : null
  }
  return (
    <SubmitDialog
      title={t(former ? `set-account.${kind}.change` : `set-account.${kind}.bind`)}
      verb={t('set-account.bind')}
      isBusy={bind.isPending}
      isReady={isRight(typed) && code !== ''}
      error={bind.error}
      told={Boolean(ofTarget ?? ofCode)}
      onSubmit={() => bind.mutate()}
      onClose={onClose}
      aside={former && <RemoveButton label={t(`set-account.${kind}.remove`)} onClick={onRemove} />}
    >
      {(submitted) => (
        <>
          <p className="muted">
            {former ? t(`set-account.${kind}.consequence`, { former }) : t(`set-account.${kind}.good-for`)}
          </p>
          <Field
            label={t(`set-account.${kind}.new`)}
            error={(submitted || sentTooEarly) && !isRight(typed) ? t(`set-account.${kind}.malformed`) : ofTarget}
          >
            {(aria) => (
              <input
                {...aria}
                {...input}
                className="input"
                spellCheck={false}
                autoCapitalize="off"
                maxLength={longest}
                value={typed}
                onChange={({ target }) => {
                  setTyped(target.value)
                  bind.reset()
                }}
              />
            )}
          </Field>
          <CodeField
            value={code}
            countdown={`bind-${kind}.${typed.trim().slice(-4)}`}
            error={submitted && code === '' ? t('identity-proof.missing') : ofCode}
            onSend={send}
            onChange={setCode}
          />
        </>
      )}
    </SubmitDialog>
  )
}

type Binding = { typed: string; code: string; version: number }

const bindTo = (kind: ContactKind, id: string, { typed, code, version }: Binding) =>
  kind === 'phone'
    ? call(bindPhone, { query: { id }, body: { phone: typed, code, version } })
    : call(bindMailbox, { query: { id }, body: { mailbox: typed, code, version } })

const sendTo = (kind: ContactKind, id: string, typed: string) =>
  kind === 'phone'
    ? call(sendPhoneCaptcha, { query: { id }, body: { purpose: 'bind-phone', phone: typed } })
    : call(sendEmail, { query: { id }, body: { purpose: 'bind-mailbox', mailbox: typed } })
