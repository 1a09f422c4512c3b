import { useTranslation } from 'react-i18next'
import { LOGGED_PURPOSES, LOGGED_RESULTS, type MessageLogLine, searchMessages } from '#shared/contract/message-log.ts'
import { MESSAGE_CHANNELS } from '#shared/contract/message-routes.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { useIsSuperUser } from '../../platform/session.ts'
import type { Filter } from '../../ui/list-filter.ts'
import { useListState } from '../../ui/list-state.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { useNamedFilters } from '../../ui/named-filters.ts'
import { Time } from '../../ui/Time.tsx'
import { LogPage } from './LogPage.tsx'
import { peopleColumns } from './log-columns.tsx'
import { LogWord, type Narrow, type Pivot } from './log-pivots.tsx'
import { MessageLine } from './MessageLine.tsx'
import { MessageState } from './MessageState.tsx'

/** What was sent to whom by which channel, and what became of it; never what it said. */
export function MessageLogPage() {
  const { t, i18n } = useTranslation()
  const isSuperUser = useIsSuperUser()
  const nameOf = ({ at, template }: MessageLogLine) =>
    `${formatDateTime(new Date(at), i18n.language)}, ${t(`message-template.name.${template}`)}`
  return (
    <LogPage<MessageLogLine>
      title={t('message-log.title')}
      explain={t(isSuperUser ? 'message-log.explain' : 'message-log.explain-own')}
      endpoint={searchMessages}
      tableKey="message-log"
      rowName={nameOf}
      columns={useColumns()}
      filters={useFilters()}
      pivots={usePivots()}
      drawer={(key, narrow) => <MessageLine id={key} onPick={narrow} />}
    />
  )
}

function useColumns(): (narrow: Narrow) => Column<MessageLogLine>[] {
  const { t } = useTranslation()
  return (onPick) => [
    { key: 'at', title: t('records.time'), opensDrawer: true, render: ({ at }) => <Time value={at} /> },
    { key: 'state', title: t('message-log.state'), render: (line) => <MessageState sending={line} next={line.next} /> },
    ...Object.values(peopleColumns(t, onPick)),
    {
      key: 'channel',
      title: t('message-log.channel'),
      render: ({ channel }) => (
        <LogWord name="channel" value={channel} word={t(`message-channel.${channel}`)} onPick={onPick} />
      ),
    },
    { key: 'to', title: t('message-log.receiver'), render: ({ to }) => to },
    {
      key: 'purpose',
      title: t('message-log.purpose'),
      isExtra: true,
      render: ({ purpose }) => (
        <LogWord name="purpose" value={purpose} word={t(`message-purpose.${purpose}`)} onPick={onPick} />
      ),
    },
    {
      key: 'template',
      title: t('message-log.template'),
      render: ({ template }) => t(`message-template.name.${template}`),
    },
    { key: 'attempts', title: t('message-log.attempts'), isExtra: true, render: ({ attempts }) => attempts },
  ]
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  const { filters } = useListState(['organizationId'], 'address', 'log').state
  const named = useNamedFilters(filters)
  return [
    { kind: 'period', label: t('records.time') },
    {
      name: 'channel',
      label: t('message-log.channel'),
      options: MESSAGE_CHANNELS.map((value) => ({ value, label: t(`message-channel.${value}`) })),
    },
    { name: 'receiver', label: t('message-log.receiver-complete') },
    {
      name: 'purpose',
      label: t('message-log.purpose'),
      options: LOGGED_PURPOSES.map((value) => ({ value, label: t(`message-purpose.${value}`) })),
    },
    {
      name: 'state',
      label: t('message-log.state'),
      options: LOGGED_RESULTS.map((value) => ({ value, label: t(`message-log.state.${value}`) })),
    },
    named.organization,
  ]
}

function usePivots(): Pivot[] {
  const { t } = useTranslation()
  return [
    { name: 'userId', label: t('log.person') },
    { name: 'categoryId', label: t('log.category') },
  ]
}
