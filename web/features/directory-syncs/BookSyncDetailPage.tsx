import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import {
  type BookSync,
  bookSyncs,
  isMailProvider,
  listBookRuns,
  startBookSync,
} from '#shared/contract/address-books.ts'
import { call } from '../../platform/api.ts'
import { BOOK_RUN_CALLS, MAILBOX_RUN_CALLS } from './run-calls.ts'
import { SyncRuns } from './SyncRuns.tsx'
import './directory-syncs.css'

/** The runs of an address book sync: what each would write or wrote there, and what waits for a decision. */
export function BookSyncDetailPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <SyncRuns<BookSync>
      id={id}
      kind="book"
      load={(signal) => call(bookSyncs.details, { query: { id } }, { signal })}
      onBack={() => void navigate({ to: '/manage/exterPhone-sync' })}
      loadRuns={async (options) => (await call(listBookRuns, { query: { syncId: id } }, options)).records}
      callsOf={({ vendor, mode }) => ({
        ...(isMailProvider(vendor) ? MAILBOX_RUN_CALLS : BOOK_RUN_CALLS),
        ...(mode !== 'on' && { approve: null }),
      })}
      modeOf={({ mode }) => mode}
      start={({ dryRun }) => call(startBookSync, { query: { id }, body: { dryRun } })}
      about={({ vendor, mode, leavers }) =>
        isMailProvider(vendor) && leavers !== 'delete' ? (
          <>
            <Link to="/manage/email" search={{ tab: 'provisioning' }}>
              {t('corporate-mailbox.title')}
            </Link>
            <p className="muted">{t(`mailbox-sync.mode.${mode}`)}</p>
            <p className="muted">{t(`mailbox-sync.leavers.${leavers}`)}</p>
          </>
        ) : (
          <>
            <Link to="/manage/exterPhone-sync">{t('book-sync.back')}</Link>
            <p className="muted">{t(`book-sync.leavers.${leavers}`)}</p>
          </>
        )
      }
    />
  )
}
