import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type OutboxMessage, queryOutbox } from '#shared/contract/outbox.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { call } from '../../platform/api.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock, StateBlock } from '../../ui/StateBlock.tsx'
import { Time } from '../../ui/Time.tsx'
import './outbox.css'

const POLL_INTERVAL_MS = 3000
/** In the fragment, so that no log on the way contains it. */
const key = location.hash.slice(1)

/** What the demo would have sent: codes and notices, newest first. */
export function OutboxPage() {
  const { t } = useTranslation()
  const messages = useQuery({
    queryKey: ['outbox'],
    queryFn: ({ signal }) => call(queryOutbox, { query: { key } }, { signal, background: true }),
    refetchInterval: POLL_INTERVAL_MS,
    retry: false,
  })
  if (isRefusal(messages.error, 'request.not-found')) {
    return <NoticeCard title={t('not-found.title')} text={t('not-found.text')} />
  }
  if (isRefusal(messages.error, 'outbox.key-needed')) {
    return <NoticeCard title={t('outbox.title')} text={messages.error.message} />
  }
  return (
    <div className="outbox">
      <header>
        <PageTitle>{t('outbox.title')}</PageTitle>
        <p className="muted">{t('outbox.text')}</p>
      </header>
      {messages.isError && <FailedBlock error={messages.error} onRetry={() => void messages.refetch()} />}
      {messages.isPending && <Skeleton lines={3} />}
      {messages.data && <MessageList messages={messages.data} />}
    </div>
  )
}

function MessageList({ messages }: { messages: OutboxMessage[] }) {
  const { t } = useTranslation()
  if (messages.length === 0) {
    return (
      <div className="card">
        <StateBlock title={t('outbox.empty.title')} text={t('outbox.empty.text')} />
      </div>
    )
  }
  return (
    <section aria-label={t('outbox.title')}>
      {/* Announce only the count: reading out the list each time would never end. */}
      <p className="visually-hidden" role="status">
        {t('outbox.count', { count: messages.length })}
      </p>
      <ol className="outbox-list">
        {messages.map((message) => (
          <li key={message.id} className="card outbox-message">
            <p className="outbox-head">
              <span className="tag">{t(message.channel === 'mail' ? 'outbox.mail' : 'outbox.sms')}</span>
              <span className="outbox-to">{message.to}</span>
              <span className="muted">
                <Time value={message.sentAt} />
              </span>
            </p>
            {message.subject && <h2 lang={languageTag(message.language)}>{message.subject}</h2>}
            <p className="outbox-text" lang={languageTag(message.language)}>
              {message.text}
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function NoticeCard({ title, text }: { title: string; text: string }) {
  return (
    <div className="card outbox-message">
      <PageTitle>{title}</PageTitle>
      <p className="muted">{text}</p>
    </div>
  )
}
