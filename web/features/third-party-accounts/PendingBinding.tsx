import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { completeThirdPartyAccount, queryPendingThirdPartyAccount } from '#shared/contract/third-party-accounts.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { notify } from '../../platform/notices.ts'
import { withReauthentication } from '../../platform/reauthentication.ts'
import { sessionUser } from '../../platform/session.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { refreshAccounts, useProviderName } from './account-queries.ts'

/** What a provider returned in the address (`bind`), until it is linked or dismissed. */
export function PendingBinding() {
  const { bind } = useSearch({ strict: false }) as { bind?: string }
  return bind ? <PendingAccount key={bind} code={bind} /> : null
}

function PendingAccount({ code }: { code: string }) {
  const { t } = useTranslation()
  const leave = useClearCode()
  const pending = useQuery({
    queryKey: ['third-party-pending', code],
    queryFn: ({ signal }) => call(queryPendingThirdPartyAccount, { body: { code } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const completing = useCompleteBinding(code, leave)
  const { mutate, isIdle, isPending, error } = completing
  const begunHere = pending.data?.begunHere ?? false
  // Pressing "Link" on this page was consent enough.
  useEffect(() => {
    if (begunHere && isIdle) mutate()
  }, [begunHere, isIdle, mutate])
  if (pending.error) return <BindingError text={failureText(pending.error)} onClose={leave} />
  if (!pending.data) return null
  if (begunHere) {
    return error ? (
      <BindingError text={failureText(error)} onRetry={mutate} onClose={leave} />
    ) : (
      <p className="banner" role="status">
        {t('third-party-account.binding')}
      </p>
    )
  }
  return (
    <BindQuestion
      label={pending.data}
      isBusy={isPending}
      error={error ? failureText(error) : undefined}
      onBind={mutate}
      onClose={leave}
    />
  )
}

/** The code has been used: remove it from the address. */
function useClearCode(): () => void {
  const navigate = useNavigate()
  return () => void navigate({ to: '/account-security/third-party-account', replace: true })
}

function useCompleteBinding(code: string, clearCode: () => void) {
  const { t } = useTranslation()
  const nameOf = useProviderName()
  return useMutation({
    mutationFn: () => withReauthentication(() => call(completeThirdPartyAccount, { body: { code } })),
    onSuccess: (done) => {
      notify('well', t('third-party-account.done', { provider: nameOf(done) }))
      if (done.next) location.assign(done.next)
      else clearCode()
    },
    onSettled: () => refreshAccounts(),
  })
}

type BindingErrorProps = { text: string; onRetry?: () => void; onClose: () => void }

function BindingError({ text, onRetry, onClose }: BindingErrorProps) {
  const { t } = useTranslation()
  return (
    <div className="banner banner-danger" role="alert">
      <span>{text}</span>
      <span className="third-party-verbs">
        {onRetry && (
          <button type="button" className="button" onClick={onRetry}>
            {t('action.retry')}
          </button>
        )}
        <button type="button" className="button button-quiet" onClick={onClose}>
          {t('action.close')}
        </button>
      </span>
    </div>
  )
}

type QuestionProps = {
  label: { name: string; names: Record<Language, string>; displayName: string }
  isBusy: boolean
  error: string | undefined
  onBind: () => void
  onClose: () => void
}

/** Asked of people who came to log in: they should see both names before linking them. */
function BindQuestion({ label, isBusy, error, onBind, onClose }: QuestionProps) {
  const { t } = useTranslation()
  const provider = useProviderName()(label)
  const user = sessionUser()
  return (
    <Dialog
      title={t('third-party-account.bind-title', { provider, name: label.displayName })}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" data-first-focus onClick={onClose}>
            {t('action.cancel')}
          </button>
          <button
            type="button"
            className="button button-primary"
            aria-disabled={isBusy}
            onClick={() => !isBusy && onBind()}
          >
            {t('third-party-account.bind')}
          </button>
        </>
      }
    >
      <p>{t('third-party-account.bind-text', { provider, person: user?.name ?? '', account: user?.account ?? '' })}</p>
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </Dialog>
  )
}
