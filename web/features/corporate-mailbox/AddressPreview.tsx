import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PREVIEW_KINDS, type AddressPreview as Preview, previewAddresses } from '#shared/contract/corporate-mailbox.ts'
import { call } from '../../platform/api.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { type MailboxDraft, wholeRules } from './mailbox-draft.ts'
import '../../ui/stacked-rows.css'

const COUNTS = { some: 'people', lacking: 'lacking', shared: 'shared' } as const

/** The addresses that the rules in the form give twenty people, and how many people get none. */
export function AddressPreview({ draft }: { draft: MailboxDraft }) {
  const { t, i18n } = useTranslation()
  const [show, setShow] = useState<(typeof PREVIEW_KINDS)[number]>('some')
  const [asked, setAsked] = useState<string | null>(null)
  const rules = useDeferredValue(wholeRules(draft))
  const wanted = JSON.stringify(rules)
  const query = useQuery({
    queryKey: ['mailbox-preview', wanted, show, i18n.language],
    queryFn: ({ signal }) => call(previewAddresses, { body: { rules: rules ?? [], show } }, { signal }),
    // It evaluates everybody, so not on each keystroke.
    enabled: rules !== null && asked === wanted,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <section className="vendor-fields" aria-label={t('corporate-mailbox.preview')}>
      <h2>{t('corporate-mailbox.preview')}</h2>
      <p className="muted">
        {t(rules === null ? 'corporate-mailbox.preview.incomplete' : 'corporate-mailbox.preview.text')}
      </p>
      {rules !== null && asked !== wanted && (
        <div>
          <button type="button" className="button" onClick={() => setAsked(wanted)}>
            {t('corporate-mailbox.preview')}
          </button>
        </div>
      )}
      {rules !== null && asked === wanted && <Result />}
    </section>
  )

  function Result() {
    if (query.isError) return <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
    if (!query.data) return <Skeleton lines={4} />
    return (
      <div className="vendor-fields" aria-busy={query.isFetching || undefined}>
        <div className="mailbox-counts" role="status">
          {PREVIEW_KINDS.map((kind) => (
            <button
              key={kind}
              type="button"
              className="button"
              aria-pressed={kind === show}
              onClick={() => setShow(kind)}
            >
              {t(`corporate-mailbox.preview.${kind}`, { count: query.data[COUNTS[kind]] })}
            </button>
          ))}
        </div>
        <Rows rows={query.data.rows} of={query.data[COUNTS[show]]} />
      </div>
    )
  }
}

/** Where it doesn't fit on a line, it is broken before its domain. */
function Address({ text }: { text: string }) {
  const at = text.indexOf('@')
  return at < 0 ? (
    text
  ) : (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  )
}

function Rows({ rows, of }: { rows: Preview['rows']; of: number }) {
  const { t } = useTranslation()
  if (rows.length === 0) return <p className="muted">{t('corporate-mailbox.preview.nobody')}</p>
  return (
    <>
      {rows.length < of && <p className="muted">{t('corporate-mailbox.preview.first', { count: rows.length })}</p>}
      <div className="mailbox-people">
        <table className="stacked-rows">
          <thead>
            <tr>
              <th scope="col">{t('corporate-mailbox.column.person')}</th>
              <th scope="col">{t('corporate-mailbox.column.category')}</th>
              <th scope="col">{t('corporate-mailbox.column.address')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, account, category, address, problem }) => (
              <tr key={id}>
                <td data-title={t('corporate-mailbox.column.person')}>
                  <span>
                    {name} <span className="muted mailbox-account">{account}</span>
                  </span>
                </td>
                <td data-title={t('corporate-mailbox.column.category')}>{category}</td>
                <td data-title={t('corporate-mailbox.column.address')}>
                  <span>
                    <Address text={address ?? ''} />
                    {problem && <span className="mailbox-problem"> {t(`mailbox-problem.${problem}`)}</span>}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
