import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataSource } from '#shared/contract/data-sources.ts'
import {
  removeSourceEvents,
  type SourceEvents,
  setUpSourceEvents,
  sourceEvents,
} from '#shared/contract/source-events.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { FactList } from '../../ui/FactList.tsx'
import { IssuedDialog } from '../../ui/IssuedDialog.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Time } from '../../ui/Time.tsx'
import { refreshSources, SOURCES_KEY } from './data-source-queries.ts'

type Issued = { url: string; token: string; aesKey: string }
type Open = { what: 'set-up' | 'remove' } | { what: 'issued'; values: Issued }

/** Whether the vendor notifies us of changes in its address book. */
export function SourceEventsTab({ source }: { source: DataSource }) {
  const events = useQuery({
    queryKey: [SOURCES_KEY, 'events', source.id],
    queryFn: ({ signal }) => call(sourceEvents, { query: { id: source.id } }, { signal }),
  })
  // Keeps the data on a failed refetch: the dialog of a token that is shown once may be open over it.
  if (events.isError && !events.data) return <FailedBlock error={events.error} onRetry={() => void events.refetch()} />
  if (!events.data) return <Skeleton lines={4} />
  return <Shown source={source} events={events.data} />
}

function Shown({ source, events }: { source: DataSource; events: SourceEvents }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open | null>(null)
  const { setUpAt } = events
  return (
    <div className="source-events">
      <p>{t(`source-events.explain.${source.kind as 'wecom' | 'dingtalk'}`)}</p>
      <FactList rows={useFacts(events)} />
      <p className="source-verbs">
        <button type="button" className="button" onClick={() => setOpen({ what: 'set-up' })}>
          {t(setUpAt ? 'source-events.renew' : 'source-events.set-up')}
        </button>
        {setUpAt && (
          <button type="button" className="button" onClick={() => setOpen({ what: 'remove' })}>
            {t('source-events.remove')}
          </button>
        )}
      </p>
      {open && <Dialogs source={source} isSetUp={setUpAt !== null} open={open} setOpen={setOpen} />}
    </div>
  )
}

function useFacts({ url, setUpAt, echoedAt, lastEventAt, received }: SourceEvents): [string, ReactNode][] {
  const { t } = useTranslation()
  const number = useCount()
  const address = (
    <>
      <code>{url}</code> <CopyButton text={url} label={t('source-events.url')} />
    </>
  )
  return [
    [t('source-events.url'), address],
    [t('source-events.set-up-at'), setUpAt && <Time value={setUpAt} />],
    [t('source-events.echoed-at'), echoedAt ? <Time value={echoedAt} key="echoed" /> : t('source-events.never')],
    [t('source-events.last-event-at'), lastEventAt && <Time value={lastEventAt} />],
    [t('source-events.received'), number(received)],
  ]
}

type DialogProps = { source: DataSource; isSetUp: boolean; open: Open; setOpen: (open: Open | null) => void }

function Dialogs({ source: { id, name }, isSetUp, open, setOpen }: DialogProps) {
  const { t } = useTranslation()
  if (open.what === 'issued') {
    const { url, token, aesKey } = open.values
    const values = [
      [t('source-events.url'), url],
      [t('source-events.token'), token],
      [t('source-events.key'), aesKey],
    ] as const
    return (
      <IssuedDialog title={t('source-events.issued')} values={values} onClose={() => setOpen(null)}>
        <p>{t('source-events.issued-text')}</p>
      </IssuedDialog>
    )
  }
  if (open.what === 'remove') {
    const remove = async () => {
      await call(removeSourceEvents, { query: { id }, body: {} })
      await refreshSources()
    }
    return (
      <ConfirmDialog
        title={t('source-events.remove-title', { name })}
        verb={t('source-events.remove')}
        onConfirm={remove}
        onClose={() => setOpen(null)}
      >
        <p>{t('source-events.remove-text')}</p>
      </ConfirmDialog>
    )
  }
  // The dialog closes after confirming; the values are shown after that.
  let issued: Issued | null = null
  const setUp = async () => {
    issued = await call(setUpSourceEvents, { query: { id }, body: {} })
    await refreshSources()
  }
  return (
    <ConfirmDialog
      title={t('source-events.set-up-title', { name })}
      verb={t('source-events.set-up')}
      tone={isSetUp ? 'danger' : 'primary'}
      isAwaited
      onConfirm={setUp}
      onClose={() => setOpen(issued && { what: 'issued', values: issued })}
    >
      <p>{t(isSetUp ? 'source-events.renew-text' : 'source-events.set-up-text')}</p>
    </ConfirmDialog>
  )
}
