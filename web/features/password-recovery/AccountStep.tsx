import { useTranslation } from 'react-i18next'
import { beginRecovery, type Recovery } from '#shared/contract/password-recovery.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { withCaptcha } from '../../platform/with-captcha.ts'
import { Field } from '../../ui/Field.tsx'
import { RecoveryForm } from './RecoveryForm.tsx'
import { type RecoveryFlow, useRecoveryCall } from './use-recovery-flow.ts'

/** Asks for the account. The answer is the same for everybody. */
export function AccountStep({ walk, asksName }: { walk: RecoveryFlow; asksName: boolean }) {
  const { t } = useTranslation()
  const { typed } = walk
  const begin = useRecoveryCall<Recovery>(walk, walk.begun)
  const missing = (value: string) => value.trim() === ''
  const submit = () =>
    begin.mutate(() =>
      withCaptcha('recovery', (solved) =>
        call(beginRecovery, {
          body: { account: typed.account.trim(), ...(asksName && { name: typed.name.trim() }), ...solved },
        }),
      ),
    )
  const requiredError = (isMissing: boolean) => (isMissing ? t('form.required') : undefined)
  return (
    <RecoveryForm
      walk={walk}
      title={t('recovery.who.title')}
      text={t(asksName ? 'recovery.who.text-name' : 'recovery.who.text')}
      verb={begin.isPending ? t('recovery.checking') : t('recovery.next')}
      isReady={!missing(typed.account) && !(asksName && missing(typed.name))}
      isBusy={begin.isPending}
      error={failureText(begin.error) ?? walk.over ?? undefined}
      onSubmit={submit}
    >
      {(submitted) => (
        <>
          <Field label={t('recovery.account')} error={requiredError(submitted && missing(typed.account))}>
            {(aria) => (
              <input
                {...aria}
                className="input"
                type="text"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={256}
                required
                value={typed.account}
                onChange={({ target }) => walk.type({ ...typed, account: target.value })}
              />
            )}
          </Field>
          {asksName && (
            <Field label={t('recovery.name')} error={requiredError(submitted && missing(typed.name))}>
              {(aria) => (
                <input
                  {...aria}
                  className="input"
                  type="text"
                  autoComplete="name"
                  spellCheck={false}
                  maxLength={256}
                  required
                  value={typed.name}
                  onChange={({ target }) => walk.type({ ...typed, name: target.value })}
                />
              )}
            </Field>
          )}
        </>
      )}
    </RecoveryForm>
  )
}
