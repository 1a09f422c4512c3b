import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import { PAGE_TITLE, PageTitle } from './PageTitle.tsx'
import { RequestNumber } from './RequestNumber.tsx'
import { useRestoreFocus } from './restore-focus.ts'

type Props = { title: string; text?: string | undefined; children?: ReactNode }

/** Replaces missing content: why, and what to do. */
export function StateBlock({ title, text, children }: Props) {
  return (
    <div className="state-block">
      <Drawing />
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children}
    </div>
  )
}

type FailedProps = {
  error: unknown
  onRetry: () => void
  /** Back to the list: retrying would not help if the object is missing. */
  onBack?: () => void
}

/** A failed load with its reason, the request id, and a retry. */
export function FailedBlock({ error, onRetry, onBack }: FailedProps) {
  const { t } = useTranslation()
  const block = useRef<HTMLDivElement>(null)
  useRestoreFocus(block)
  const refusal = error instanceof Refusal ? error : null
  if (onBack && isNotFound(error)) return <NotFoundBlock onBack={onBack} />
  return (
    <div role="alert" ref={block}>
      <StateBlock title={t('state.failed.title')} text={refusal?.message ?? t('network.unreachable')}>
        {refusal?.requestId && <RequestNumber id={refusal.requestId} />}
        <button type="button" className="button" onClick={onRetry}>
          {t('action.retry')}
        </button>
      </StateBlock>
    </div>
  )
}

/** Missing, deleted, or not accessible: the server does not say which. */
function NotFoundBlock({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation()
  return (
    <div role="alert">
      <StateBlock title={t('state.gone.title')} text={t('state.gone.text')}>
        <button type="button" className="button button-primary" onClick={onBack}>
          {t('state.gone.back')}
        </button>
      </StateBlock>
    </div>
  )
}

/** Replaces a whole page. */
export function NotFoundCard({ title, onBack }: { title: string; onBack: () => void }) {
  return (
    <section className="card" aria-labelledby={PAGE_TITLE}>
      <header className="list-head">
        <PageTitle>{title}</PageTitle>
      </header>
      <NotFoundBlock onBack={onBack} />
    </section>
  )
}

/** Does the requested object not exist? `request.invalid`: the address contains an impossible id. */
export const isNotFound = (error: unknown): boolean =>
  isRefusal(error) && (error.state === 404 || error.code === 'request.invalid')

/** The gate on its hill, with an empty path. */
function Drawing() {
  return (
    <svg className="state-drawing" viewBox="0 0 132 76" aria-hidden="true" focusable="false">
      <path fill="var(--tint)" d="M0 76c16-24 34-34 56-30 16-20 54-14 76 30z" />
      <path
        fill="none"
        stroke="var(--field-border)"
        strokeWidth="3"
        strokeLinecap="round"
        d="M48 66V38a18 18 0 0 1 36 0v28M40 66h52"
      />
      <path fill="var(--brick)" opacity=".75" d="M64 50h4l6 16H58z" />
      <circle cx="104" cy="18" r="7" fill="none" stroke="var(--field-border)" strokeWidth="2.5" />
    </svg>
  )
}
