import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { beginReauthentication, type ReauthenticationMethod } from '#shared/contract/reauthentication.ts'
import { call } from '../../platform/api.ts'
import { sessionUser } from '../../platform/session.ts'
import { CodeField } from '../../ui/CodeField.tsx'
import type { IconName } from '../../ui/Icon.tsx'
import { ManagerName } from '../../ui/ManagerName.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { AppCodeInput, PasskeyInput } from './FactorInputs.tsx'
import type { MethodFieldProps } from './method-field.types.ts'

type MethodField = { icon: IconName; Input: (props: MethodFieldProps) => ReactNode }

/** The input for each method of reauthentication. A new method is a line here. */
export const METHOD_FIELDS: Record<ReauthenticationMethod, MethodField> = {
  password: { icon: 'lock', Input: PasswordInput },
  totp: { icon: 'safety-certificate', Input: AppCodeInput },
  passkey: { icon: 'device', Input: PasskeyInput },
  phone: { icon: 'mobile', Input: CodeInput },
  mailbox: { icon: 'mail', Input: CodeInput },
}

function PasswordInput({ value, error, onChange }: MethodFieldProps) {
  const { t } = useTranslation()
  return (
    <>
      <ManagerName account={sessionUser()?.account ?? ''} />
      <PasswordField
        label={t('reauthentication.password')}
        value={value}
        autoComplete="current-password"
        error={error}
        firstFocus
        onChange={onChange}
      />
    </>
  )
}

function CodeInput({ method, hint, value, error, onChange }: MethodFieldProps) {
  const { t } = useTranslation()
  return (
    <CodeField
      label={t('reauthentication.code', { hint })}
      value={value}
      countdown={`reauthentication.${method}`}
      error={error}
      onSend={() => call(beginReauthentication, { body: { method } })}
      onChange={onChange}
    />
  )
}
