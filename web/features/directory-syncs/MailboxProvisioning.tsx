import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BookSync, type BookSyncFields, bookSyncs, MAILBOX_VENDORS } from '#shared/contract/address-books.ts'
import { type CorporateMailbox, corporateMailboxDetails } from '#shared/contract/corporate-mailbox.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Time } from '../../ui/Time.tsx'
import { BookSyncForm, EMPTY_BOOK } from './BookSyncForm.tsx'
import { RunProgress } from './RunProgress.tsx'
import { isUnderWay, POLL_MS, RunState } from './RunState.tsx'
import { PausedBanner } from './SyncSwitch.tsx'
import { DeleteSyncDialog, type SyncDialog, SyncVerbs } from './SyncVerbs.tsx'
import { SYNCS_KEY } from './sync-queries.ts'
import './directory-syncs.css'

type Settings = NonNullable<CorporateMailbox['settings']>
type Opened = { settings: Settings | null; sync: BookSync | null }

const KEY = [SYNCS_KEY, 'mailboxes']

const isRunning = (opened: Opened | undefined): boolean =>
  opened?.sync?.lastRun ? isUnderWay(opened.sync.lastRun.state) : false

/** The stored provider, and the one sync of mailboxes, whatever provider it was set up for. */
async function load(options: { signal: AbortSignal; background: boolean }): Promise<Opened> {
  const [{ settings }, ...pages] = await Promise.all([
    call(corporateMailboxDetails, {}, options),
    ...MAILBOX_VENDORS.map((vendor) => call(bookSyncs.list, { query: { vendor } } as never, options)),
  ])
  return { settings, sync: pages.flatMap(({ records }) => records)[0] ?? null }
}

/** A new sync begins at the provider that is stored, writes nothing, and asks for the rest. */
function freshOf({ driver, corpId, appId, apiHost }: Settings, name: string): BookSyncFields {
  const vendor = driver === 'coremail' ? 'coremail' : 'exmail'
  return {
    ...{ ...EMPTY_BOOK, name, vendor, mode: 'preview', fields: ['mobile'] },
    ...{ application: String(corpId ?? appId ?? ''), host: String(apiHost ?? '') },
  }
}

/** Whether and how mailboxes are created and disabled; or why that isn't offered. */
export function MailboxProvisioning() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal, client }) => load({ signal, background: client.getQueryData(KEY) !== undefined }),
    refetchInterval: ({ state }) => (isRunning(state.data) ? POLL_MS : false),
  })
  const [open, setOpen] = useState<SyncDialog<BookSync> | null>(null)
  const close = () => setOpen(null)
  if (!data && error) return <FailedBlock error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  const { settings } = data
  return (
    <div className="vendor-fields">
      <p className="muted">{t('mailbox-sync.explain')}</p>
      <PausedBanner />
      <State {...data} onOpen={setOpen} />
      {open?.what === 'new' && settings && (
        <BookSyncForm edited={null} fresh={freshOf(settings, t('corporate-mailbox.title'))} onClose={close} />
      )}
      {open?.what === 'edit' && <BookSyncForm edited={open.sync} onClose={close} />}
      {open?.what === 'delete' && (
        <DeleteSyncDialog sync={open.sync} remove={bookSyncs.remove} onClose={close}>
          {t('mailbox-sync.delete-text')}
        </DeleteSyncDialog>
      )}
    </div>
  )
}

type StateProps = Opened & { onOpen: (open: SyncDialog<BookSync>) => void }

function State({ settings, sync, onOpen }: StateProps) {
  const { t } = useTranslation()
  const driver = settings?.driver
  const isOffered = driver === 'exmail' || driver === 'coremail'
  if (sync) return <Facts sync={sync} isMoved={driver !== sync.vendor} onOpen={onOpen} />
  if (!driver) return <p>{t('mailbox-sync.first')}</p>
  if (!isOffered) return <p>{t(`mailbox-sync.not-offered.${driver}`)}</p>
  return (
    <>
      <p>{t('mailbox-sync.none')}</p>
      <div>
        <button type="button" className="button button-primary" onClick={() => onOpen({ what: 'new' })}>
          {t('mailbox-sync.create')}
        </button>
      </div>
    </>
  )
}

type FactsProps = Pick<StateProps, 'onOpen'> & { sync: BookSync; isMoved: boolean }

function Facts({ sync, isMoved, onOpen }: FactsProps) {
  const { t } = useTranslation()
  const number = useCount()
  const { id, name, vendor, mode, leavers, linkedPeople, lastRun, nextRunAt } = sync
  const provider = t(`book-sync.vendor.${vendor}`)
  return (
    <>
      {isMoved && (
        <p className="banner" role="status">
          {t('mailbox-sync.moved', { provider })}
        </p>
      )}
      <FactList
        rows={[
          [t('mailbox-field.driver'), provider],
          [t('mailbox-sync.mode'), t(`mailbox-sync.mode.${mode}`)],
          [t('mailbox-sync.leavers'), leavers !== 'delete' && t(`mailbox-sync.leavers.${leavers}`)],
          [t('mailbox-sync.linked'), number(linkedPeople)],
          [
            t('directory-sync.last-run'),
            lastRun ? (
              <div key="run">
                <RunState state={lastRun.state} />
                <RunProgress run={lastRun} />
              </div>
            ) : (
              t('directory-sync.never')
            ),
          ],
          [t('directory-sync.last-at'), lastRun && <Time key="last" value={lastRun.startedAt} />],
          [
            t('directory-sync.next-at'),
            nextRunAt ? <Time key="next" value={nextRunAt} /> : t('directory-sync.by-hand'),
          ],
        ]}
      />
      <SyncVerbs sync={sync} onOpen={onOpen}>
        <Link
          to="/manage/exterPhone-sync/$id"
          params={{ id }}
          className="button"
          aria-label={t('directory-sync.runs-one', { name })}
        >
          {t('directory-sync.runs')}
        </Link>
      </SyncVerbs>
    </>
  )
}
