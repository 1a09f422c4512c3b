import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { openMailbox } from '#shared/contract/corporate-mailbox.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { StateBlock } from '../../ui/StateBlock.tsx'

/** Redirects to one's own mailbox: the link is fetched now and replaces this page. */
export function OpenMailboxPage() {
  const { t } = useTranslation()
  const { mutate, ...open } = useMutation({
    mutationFn: () => call(openMailbox, { body: {} }),
    onSuccess: ({ url }) => location.replace(url),
    // The link is valid once and only now.
    gcTime: 0,
  })
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    mutate()
  }, [mutate])
  return (
    <div className="page">
      <PageTitle>{t('my-mailbox.title')}</PageTitle>
      <div className="card" role={open.isError ? 'alert' : 'status'}>
        {open.isError ? (
          <StateBlock title={t('my-mailbox.failed')} text={failureText(open.error)}>
            <button type="button" className="button" onClick={() => mutate()}>
              {t('action.retry')}
            </button>
          </StateBlock>
        ) : (
          <p className="muted">{t('my-mailbox.opening')}</p>
        )}
      </div>
    </div>
  )
}
