import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataSource, dataSources } from '#shared/contract/data-sources.ts'
import { tellsEvents } from '#shared/contract/source-events.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { useDrawerTitle } from '../../ui/drawer-title.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { Time } from '../../ui/Time.tsx'
import { SOURCES_KEY } from './data-source-queries.ts'
import { SourceEventsTab } from './SourceEventsTab.tsx'
import { type SourceSlots, SourceState, sourceAddress } from './SourceState.tsx'

type Props = { id: string; slots: SourceSlots; onClose: () => void }

/** A data source without its password, and its history. */
export function DataSourceDrawer({ id, slots, onClose }: Props) {
  const { i18n } = useTranslation()
  const source = useQuery({
    queryKey: [SOURCES_KEY, 'details', id, i18n.language],
    queryFn: ({ signal }) => call(dataSources.details, { query: { id } }, { signal }),
  })
  if (source.isError) return <FailedBlock error={source.error} onRetry={() => void source.refetch()} onBack={onClose} />
  if (!source.data) return <Skeleton lines={6} />
  return <Parts source={source.data} slots={slots} />
}

function Parts({ source, slots }: { source: DataSource; slots: SourceSlots }) {
  const { t } = useTranslation()
  useDrawerTitle(source.name)
  return (
    <Tabs
      label={t('data-source.parts')}
      param="part"
      tabs={[
        { key: 'facts', label: t('data-source.facts'), render: () => <Facts source={source} /> },
        ...(tellsEvents(source.kind)
          ? [{ key: 'events', label: t('source-events.title'), render: () => <SourceEventsTab source={source} /> }]
          : []),
        { key: 'history', label: t('data-source.history'), render: () => slots.history(source.id) },
      ]}
    />
  )
}

function Facts({ source }: { source: DataSource }) {
  const { t } = useTranslation()
  const { kind, note, state, problem, checkedAt, updatedAt } = source
  const rows: [string, ReactNode][] = [
    [t('data-source.kind'), t(`data-source.kind.${kind}`)],
    [t('data-source.place'), sourceAddress(source)],
    ...useFactsOfKind(source),
    [t('data-source.state'), <SourceState state={state} key="state" />],
    [t('data-source.problem'), problem],
    [t('data-source.checked-at'), checkedAt && <Time value={checkedAt} key="checked" />],
    [t('data-source.note'), note],
    [t('data-source.updated-at'), <Time value={updatedAt} key="time" />],
  ]
  return <FactList rows={rows} />
}

function useFactsOfKind({ kind, user, tls, ca, timeoutSeconds, file, options }: DataSource): [string, ReactNode][] {
  const { t } = useTranslation()
  const number = useCount()
  const timeout: [string, ReactNode] = [
    t('data-source.timeoutSeconds'),
    t('data-source.seconds', { count: timeoutSeconds }),
  ]
  if (kind === 'csv-upload')
    return [
      [t('data-source.rows'), file && number(file.rows)],
      [t('data-source.uploaded-at'), file && <Time value={file.uploadedAt} key="uploaded" />],
    ]
  if (kind === 'rest')
    return [
      [t('data-source.departmentsUrl'), options.departmentsUrl],
      [t('data-source.auth'), t(`data-source.auth.${options.auth}`)],
      [t('data-source.paging'), t(`data-source.paging.${options.paging}`)],
      timeout,
    ]
  if (kind === 'scim')
    return [
      [t('data-source.auth'), t(`data-source.auth.${options.auth}`)],
      [t('data-source.peopleFilter.scim'), options.peopleFilter],
      [t('data-source.departmentFilter.scim'), options.departmentFilter],
      timeout,
    ]
  if (kind === 'wecom' || kind === 'dingtalk')
    return [[t(`data-source.user.${kind}`), user], [t('data-source.rootIds'), options.rootIds], timeout]
  if (kind === 'csv-sftp')
    return [
      [t('data-source.user'), user],
      [t('data-source.sftpAuth'), t(`data-source.sftpAuth.${options.sftpAuth}`)],
      [t('data-source.hostKey'), options.hostKey],
      [t('data-source.doneSuffix'), options.doneSuffix],
      timeout,
    ]
  return [
    [t('data-source.user'), user],
    [t('data-source.tls'), t(`data-source.tls.${tls}`)],
    [t('data-source.ca'), ca && t('data-source.ca-own')],
    timeout,
  ]
}
