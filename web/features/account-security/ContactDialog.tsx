import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AccountSecurity, bindMailbox, bindPhone } from '#shared/contract/account-security.ts'
import { sendEmail, sendPhoneCaptcha } from '#shared/contract/verification-codes.ts'
import { canonicalMailbox, MAX_MAILBOX_LENGTH } from '#shared/rules/mailbox.ts'
import { call } from '../../platform/api.ts'
import { isRefusal, refusalMessage } from '../../platform/refusal.ts'
import { CodeField } from '../../ui/CodeField.tsx'
import { Field } from '../../ui/Field.tsx'
import { SubmitDialog } from '../../ui/SubmitDialog.tsx'
import { RemoveButton } from './RemoveButton.tsx'
import { useSecurityChange } from './security-queries.ts'

export type ContactKind = 'phone' | 'mailbox'

type Props = {
  kind: ContactKind
  userId: string
  security: AccountSecurity
  onRemove: () => void
  onClose: () => void
}

const INPUTS = {
  // A phone library is too large to download for this: the server validates the number.
  phone: {
    type: 'tel',
    autoComplete: 'tel',
    inputMode: 'tel',
    isRight: (typed: string) => typed.trim() !== '',
    longest: 40,
  },
  mailbox: {
    type: 'email',
    autoComplete: 'email',
    inputMode: 'email',
    isRight: (typed: string) => canonicalMailbox(typed) !== null,
    longest: MAX_MAILBOX_LENGTH,
  },
} as const

/** Binds a phone or email address: the address, then the code sent to it. */
export function ContactDialog({ kind, userId, security, onRemove, onClose }: Props) {
  const { t } = useTranslation()
  const { isRight, longest, ...input } = INPUTS[kind]
  const former = security[kind]
  const [typed, setTyped] = useState('')
  const [code, setCode] = useState('')
  /** A code was requested for an empty or invalid address. */
  const [isNotSent, setNotSent] = useState(false)
  const bind = useSecurityChange({
    make: () => bindContact(kind, userId, { typed, code, version: security.version }),
    done: t(`set-account.${kind}.done`),
    onDone: onClose,
  })
  const ofTarget = refusalMessage(bind.error, `${kind}.`)
  const ofCode = refusalMessage(bind.error, 'verification-code.')
  const send = async () => {
    setNotSent(!isRight(typed))
    if (!isRight(typed)) return null
    try {
      return await sendContactCode(kind, userId, typed)
    } catch (error) {
      if (!isRefusal(error, 'verification-code.no-target')) throw error
      setNotSent(true)
      return null
    }
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
            error={isNotSent || (submitted && !isRight(typed)) ? t(`set-account.${kind}.malformed`) : ofTarget}
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
                  setNotSent(false)
                  bind.reset()
                }}
              />
            )}
          </Field>
          <CodeField
            value={code}
            countdown={`bind-${kind}.${typed.trim().slice(-4)}`}
            error={submitted && code === '' ? t('reauthentication.missing') : ofCode}
            onSend={send}
            onChange={setCode}
          />
        </>
      )}
    </SubmitDialog>
  )
}

type Binding = { typed: string; code: string; version: number }

const bindContact = (kind: ContactKind, id: string, { typed, code, version }: Binding) =>
  kind === 'phone'
    ? call(bindPhone, { query: { id }, body: { phone: typed, code, version } })
    : call(bindMailbox, { query: { id }, body: { mailbox: typed, code, version } })

const sendContactCode = (kind: ContactKind, id: string, typed: string) =>
  kind === 'phone'
    ? call(sendPhoneCaptcha, { query: { id }, body: { purpose: 'bind-phone', phone: typed } })
    : call(sendEmail, { query: { id }, body: { purpose: 'bind-mailbox', mailbox: typed } })
