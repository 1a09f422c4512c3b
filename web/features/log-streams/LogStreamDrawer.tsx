import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type LogStream, logStreams, testLogStream } from '#shared/contract/log-streams.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { useCount } from '../../platform/format-number.ts'
import { useDrawerTitle } from '../../ui/drawer-title.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { Time } from '../../ui/Time.tsx'
import { STREAMS_KEY } from './log-stream-queries.ts'
import { placeOf, type StreamSlots, StreamState, useWaiting } from './StreamState.tsx'
import '../../ui/login-result.css'

type Props = { id: string; slots: StreamSlots; onMove: (stream: LogStream) => void; onClose: () => void }

const REFRESH_MS = 5000

/** A stream: what was delivered, what waits, and its last problem. */
export function LogStreamDrawer({ id, slots, onMove, onClose }: Props) {
  const key = [STREAMS_KEY, 'details', id]
  const stream = useQuery({
    queryKey: key,
    queryFn: ({ signal, client }) =>
      call(logStreams.details, { query: { id } }, { signal, background: client.getQueryData(key) !== undefined }),
    refetchInterval: REFRESH_MS,
  })
  if (!stream.data && stream.isError)
    return <FailedBlock error={stream.error} onRetry={() => void stream.refetch()} onBack={onClose} />
  if (!stream.data) return <Skeleton lines={6} />
  return <Parts stream={stream.data} slots={slots} onMove={onMove} />
}

function Parts({ stream, slots, onMove }: Pick<Props, 'slots' | 'onMove'> & { stream: LogStream }) {
  const { t } = useTranslation()
  useDrawerTitle(stream.name)
  return (
    <Tabs
      label={t('log-stream.parts')}
      param="part"
      tabs={[
        {
          key: 'delivery',
          label: t('log-stream.delivery'),
          render: () => <Delivery stream={stream} onMove={() => onMove(stream)} />,
        },
        { key: 'settings', label: t('log-stream.settings'), render: () => <Settings stream={stream} /> },
        { key: 'history', label: t('log-stream.history'), render: () => slots.history(stream.id) },
      ]}
    />
  )
}

function Delivery({ stream, onMove }: { stream: LogStream; onMove: () => void }) {
  const { t } = useTranslation()
  const { state, sentAt } = stream
  return (
    <div className="log-stream-parts">
      {state === 'failing' && <Failing stream={stream} />}
      <FactList
        rows={[
          [t('log-stream.state'), <StreamState state={state} key="state" />],
          [t('log-stream.sent-at'), sentAt && <Time value={sentAt} ago key="sent" />],
          ...(state === 'failing' ? [] : pastProblem(t('log-stream.last-problem'), stream)),
        ]}
      />
      <Cursors cursors={stream.cursors} />
      <div className="log-stream-verbs">
        <TestButton id={stream.id} />
        <button type="button" className="button" onClick={onMove}>
          {t('log-stream.move')}
        </button>
      </div>
    </div>
  )
}

const pastProblem = (label: string, stream: LogStream): [string, ReactNode][] =>
  stream.problem && stream.problemAt ? [[label, <Problem key="problem" stream={stream} />]] : []

function Problem({ stream: { problem, problemWords, problemAt } }: { stream: LogStream }) {
  const { t } = useTranslation()
  return (
    <>
      {problem && t(`log-stream-problem.${problem}`)} {problemWords && <q>{problemWords}</q>}{' '}
      {problemAt && (
        <span className="muted">
          <Time value={problemAt} ago />
        </span>
      )}
    </>
  )
}

/** Nothing is lost: the stream continues by itself. */
function Failing({ stream }: { stream: LogStream }) {
  const { t } = useTranslation()
  return (
    <div className="banner banner-danger log-stream-failing">
      <Icon name="warning" />
      <span>
        <Problem stream={stream} />
        <br />
        {t('log-stream.failed-times', { count: stream.failures })} {t('log-stream.next-attempt')}{' '}
        {stream.nextAttemptAt && <Time value={stream.nextAttemptAt} />}
      </span>
    </div>
  )
}

/** Per log: delivered, waiting, and since when. */
function Cursors({ cursors }: Pick<LogStream, 'cursors'>) {
  const { t } = useTranslation()
  const number = useCount()
  const waiting = useWaiting()
  return (
    <table className="tabular log-stream-cursors">
      <caption className="visually-hidden">{t('log-stream.delivery')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('log-stream.log')}</th>
          <th scope="col">{t('log-stream.sent')}</th>
          <th scope="col">{t('log-stream.waiting')}</th>
          <th scope="col">{t('log-stream.sent-up-to')}</th>
        </tr>
      </thead>
      <tbody>
        {cursors.map((cursor) => (
          <tr key={cursor.log}>
            <th scope="row">{t(`record-retention.kind.${cursor.log}`)}</th>
            <td>{number(cursor.sent)}</td>
            <td>{waiting([cursor])}</td>
            <td>
              <Time value={cursor.at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Sends a test record; the answer says what is wrong at the other side. */
function TestButton({ id }: { id: string }) {
  const { t } = useTranslation()
  const test = useMutation({ mutationFn: () => call(testLogStream, { query: { id }, body: {} }) })
  const { data, error } = test
  return (
    <>
      <button
        type="button"
        className="button"
        aria-disabled={test.isPending || undefined}
        onClick={() => !test.isPending && test.mutate()}
      >
        {t('log-stream.test')}
      </button>
      <span role="status" className="log-stream-tested">
        {test.isPending && t('log-stream.testing')}
        {data?.problem === null && (
          <span className="result result-well">
            <Icon name="check" />
            {t('log-stream.test-arrived')}
          </span>
        )}
        {data?.problem && (
          <span className="result result-danger">
            <Icon name="close" />
            {t(`log-stream-problem.${data.problem}`)} {data.words && <q>{data.words}</q>}
          </span>
        )}
        {error && failureText(error)}
      </span>
    </>
  )
}

function Settings({ stream }: { stream: LogStream }) {
  const { t } = useTranslation()
  const { kind, logs, tls, ca, facility, note, updatedAt } = stream
  const bySyslog: [string, ReactNode][] = [
    [t('log-stream.tls'), t(`data-source.tls.${tls}`)],
    [t('data-source.ca'), ca && t('data-source.ca-own')],
    [t('log-stream.facility'), facility],
  ]
  return (
    <FactList
      rows={[
        [t('log-stream.kind'), t(`log-stream.kind.${kind}`)],
        [t('log-stream.place'), placeOf(stream)],
        [t('log-stream.logs'), logs.map((log) => t(`record-retention.kind.${log}`)).join(t('list.separator'))],
        ...(kind === 'syslog' ? bySyslog : []),
        [t('log-stream.note'), note],
        [t('log-stream.updated-at'), <Time value={updatedAt} key="time" />],
      ]}
    />
  )
}
