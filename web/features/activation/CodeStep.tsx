import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { beginActivationByCode } from '#shared/contract/activation.ts'
import { call } from '../../platform/api.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { useSetActivation } from './use-activation.ts'

/** The one-time code from the address, which is removed from there at once, so that nobody reads it later. */
export function useLinkCode(): [string | null, () => void] {
  const { code } = useSearch({ strict: false }) as { code?: unknown }
  const navigate = useNavigate()
  const [kept, keep] = useState(typeof code === 'string' && code !== '' ? code : null)
  useEffect(() => {
    if (code === undefined) return
    if (typeof code === 'string' && code !== '') keep(code)
    void navigate({ to: '.', search: {}, replace: true })
  }, [code, navigate])
  return [kept, () => keep(null)]
}

type Props = { code: string; onDone: () => void }

/** Asks before the code is used: link scanners must not consume it. */
export function CodeStep({ code, onDone }: Props) {
  const { t } = useTranslation()
  const store = useSetActivation()
  const begin = useMutation({
    mutationFn: () => call(beginActivationByCode, { body: { code } }),
    onSuccess: (activation) => {
      store(activation)
      onDone()
    },
  })
  const { error } = begin
  return (
    <div className="card form-card">
      <p>{t('activation.code.text')}</p>
      <FailureLine error={error} />
      <button
        type="button"
        className="button button-primary"
        aria-disabled={begin.isPending || undefined}
        onClick={() => begin.isPending || begin.mutate()}
      >
        {t('activation.code.begin')}
      </button>
    </div>
  )
}
