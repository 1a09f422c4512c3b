import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { beginReauthentication } from '#shared/contract/reauthentication.ts'
import { call } from '../../platform/api.ts'
import { loadChunk } from '../../platform/load-chunk.ts'
import { AppCodeField } from '../../ui/AppCodeField.tsx'
import type { MethodFieldProps } from './method-field.types.ts'

/** A six-digit code of an authenticator app. */
export function AppCodeInput({ value, error, onChange }: MethodFieldProps) {
  const { t } = useTranslation()
  return <AppCodeField label={t('reauthentication.app-code')} error={error} isFirst value={value} onChange={onChange} />
}

/** A passkey answers by itself; its script is loaded on demand. */
export function PasskeyInput({ method, error, onAnswer }: MethodFieldProps) {
  const { t } = useTranslation()
  const ask = useMutation({
    mutationFn: async () => {
      const [{ options }, { answerTo }] = await Promise.all([
        call(beginReauthentication, { body: { method } }),
        loadChunk(() => import('../../platform/passkeys.ts')),
      ])
      return await answerTo(options as Parameters<typeof answerTo>[0])
    },
    onSuccess: onAnswer,
  })
  return (
    <>
      <button
        type="button"
        className="button"
        data-first-focus
        aria-disabled={ask.isPending}
        onClick={() => !ask.isPending && ask.mutate()}
      >
        {t(ask.isPending ? 'second-factor.waiting' : 'second-factor.use-passkey')}
      </button>
      <p className="field-error" role="alert">
        {ask.isError ? t('second-factor.no-passkey') : error}
      </p>
    </>
  )
}
