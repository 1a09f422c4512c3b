import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ActivationField } from '#shared/contract/account-fields.ts'
import { beginActivation } from '#shared/contract/activation.ts'
import type { AskedCustomField } from '#shared/contract/custom-fields.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { loginUrl } from '../../platform/login-url.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { withCaptcha } from '../../platform/with-captcha.ts'
import { CustomValueField } from '../../ui/CustomValueField.tsx'
import { Field } from '../../ui/Field.tsx'
import { ActivationStepForm } from './ActivationStepForm.tsx'
import { useStepMutation } from './use-activation.ts'

const INPUTS: Record<ActivationField, { type: string; autoComplete: string; maxLength: number }> = {
  account: { type: 'text', autoComplete: 'username', maxLength: 64 },
  name: { type: 'text', autoComplete: 'name', maxLength: 100 },
  idNumber: { type: 'text', autoComplete: 'off', maxLength: 40 },
  birthday: { type: 'date', autoComplete: 'bday', maxLength: 10 },
  phone: { type: 'tel', autoComplete: 'tel', maxLength: 40 },
  mailbox: { type: 'email', autoComplete: 'email', maxLength: 254 },
}

type Props = { fields: readonly ActivationField[]; custom: readonly AskedCustomField[]; wasTooLate: boolean }

/** Identifies the person by data that the institution has on file. */
export function InformationStep({ fields, custom, wasTooLate }: Props) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<Partial<Record<ActivationField, string>>>({})
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const begin = useStepMutation()
  const isMissing = (field: ActivationField) => !typed[field]?.trim()
  const submit = () =>
    begin.mutate(() =>
      withCaptcha('activation', (solved) =>
        call(beginActivation, { body: { ...typed, custom: values, account: typed.account ?? '', ...solved } }),
      ),
    )
  return (
    <>
      {wasTooLate && !begin.isError && (
        <p className="banner" role="status">
          {t('errors.activation.expired')}
        </p>
      )}
      <ActivationStepForm
        title={t('activation.information.title')}
        text={t('activation.information.text')}
        verb={begin.isPending ? t('activation.checking') : t('activation.next')}
        isReady={!fields.some(isMissing) && custom.every(({ key }) => values[key]?.trim())}
        isBusy={begin.isPending}
        error={failureText(begin.error)}
        onSubmit={submit}
      >
        {(submitted) => [
          ...fields.map((field) => (
            <Field
              key={field}
              label={t(`activation.field.${field}`)}
              error={submitted && isMissing(field) ? t('form.required') : undefined}
            >
              {(aria) => (
                <input
                  {...aria}
                  {...INPUTS[field]}
                  className="input"
                  required
                  autoCapitalize="off"
                  spellCheck={false}
                  value={typed[field] ?? ''}
                  onChange={({ target }) => setTyped({ ...typed, [field]: target.value })}
                />
              )}
            </Field>
          )),
          ...custom.map((field) => (
            <CustomValueField
              key={field.name}
              field={field}
              value={values[field.key] ?? ''}
              isRequired
              error={submitted && !values[field.key]?.trim() ? t('form.required') : undefined}
              onChange={(value) => setValues({ ...values, [field.key]: value })}
            />
          )),
        ]}
      </ActivationStepForm>
      {isRefusal(begin.error, 'activation.refused') && (
        <p className="activation-links">
          <a href={loginUrl(`${location.origin}/auth_web/`)}>{t('action.log-in')}</a>
          <a href="/auth_web/forgot-password">{t('activation.forgot')}</a>
        </p>
      )}
    </>
  )
}
