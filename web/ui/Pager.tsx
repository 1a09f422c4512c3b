import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCount } from '../platform/format-number.ts'
import { MAX_PAGED_ROWS, PAGE_SIZES, type PageSizes } from './list-state.ts'
import { visiblePages } from './page-numbers.ts'
import { useRestoreFocus } from './restore-focus.ts'
import { Select } from './Select.tsx'
import { useThrottled } from './use-throttled.ts'
import './pager.css'

type Props = {
  /** What is paged. */
  title?: string
  pageIndex: number
  pageSize: number
  sizes?: PageSizes | undefined
  total: number
  /** There are more than `total`. */
  isLowerBound: boolean
  /** Embedded: if all rows are visible it only counts them, for screen readers. */
  isEmbedded?: boolean
  onChange: (change: { pageIndex?: number; pageSize?: number }) => void
}

export function Pager(props: Props) {
  const { title, pageIndex, pageSize, sizes = 'list', total, isLowerBound, isEmbedded = false, onChange } = props
  const { t } = useTranslation()
  const bar = useRef<HTMLDivElement>(null)
  // The pager disappears when a page can't be loaded.
  useRestoreFocus(bar)
  const pages = Math.max(1, Math.ceil(Math.min(total, MAX_PAGED_ROWS) / pageSize))
  const number = useCount()
  const go = useThrottled((page: number) => onChange({ pageIndex: Math.min(Math.max(1, page), pages) }))
  const counted = t('list.total', { total: number(total, isLowerBound) })
  if (total === 0 || (isEmbedded && total <= PAGE_SIZES[sizes][0])) {
    return (
      <span className="visually-hidden" role="status">
        {counted}
      </span>
    )
  }
  return (
    <div className="pager" ref={bar}>
      <span className="muted" role="status">
        {counted}
        <span className="visually-hidden"> {t('list.page-of', { page: number(pageIndex), pages: number(pages) })}</span>
      </span>
      <Select
        label={t('list.page-size')}
        value={String(pageSize)}
        options={PAGE_SIZES[sizes].map((size) => ({
          value: String(size),
          label: t('list.page-size-option', { count: size }),
        }))}
        onChange={(size) => onChange({ pageSize: Number(size) })}
      />
      <nav aria-label={title ? `${t('list.pages')}: ${title}` : t('list.pages')} className="pager-pages">
        <Step label={t('list.page-previous')} text="‹" disabled={pageIndex <= 1} onGo={() => go(pageIndex - 1)} />
        {visiblePages(pageIndex, pages).map((page) =>
          page < 0 ? (
            <span key={page} className="muted" aria-hidden="true">
              …
            </span>
          ) : (
            <button
              key={page}
              type="button"
              className="pager-page"
              aria-current={page === pageIndex ? 'page' : undefined}
              aria-label={t('list.page-number', { page })}
              onClick={() => go(page)}
            >
              {page}
            </button>
          ),
        )}
        <Step label={t('list.page-next')} text="›" disabled={pageIndex >= pages} onGo={() => go(pageIndex + 1)} />
      </nav>
      {pages > 1 && <Jumper onGo={go} />}
      {isLowerBound && pageIndex === pages && <p className="muted">{t('list.beyond')}</p>}
    </div>
  )
}

type StepProps = { label: string; text: string; disabled: boolean; onGo: () => void }

/** Not `disabled` at the end, which would lose the focus. */
const Step = ({ label, text, disabled, onGo }: StepProps) => (
  <button
    type="button"
    className="pager-page"
    aria-label={label}
    aria-disabled={disabled || undefined}
    onClick={() => !disabled && onGo()}
  >
    {text}
  </button>
)

function Jumper({ onGo }: { onGo: (page: number) => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  return (
    <form
      className="pager-jumper"
      onSubmit={(event) => {
        event.preventDefault()
        const page = Number(text.normalize('NFKC'))
        if (Number.isInteger(page) && page > 0) onGo(page)
        setText('')
      }}
    >
      <label>
        <span className="muted">{t('list.go-to')}</span>
        <input
          className="input"
          inputMode="numeric"
          aria-label={t('list.go-to-page')}
          value={text}
          maxLength={6}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
    </form>
  )
}
