import { useTranslation } from 'react-i18next'
import { MESSAGE_CHANNELS } from '#shared/contract/message-routes.ts'
import { listUndeliveredCodes, type UndeliveredCode } from '#shared/contract/undelivered-codes.ts'
import { translateOr } from '../../platform/i18n.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/ListTable.tsx'
import { Time } from '../../ui/Time.tsx'

/** Verification codes that nobody received, with the reason. */
export function UndeliveredCodes() {
  const { t } = useTranslation()
  return (
    <ListPage<UndeliveredCode>
      title={t('undelivered-codes.title')}
      explain={t('undelivered-codes.explain')}
      embedded
      endpoint={listUndeliveredCodes}
      queryKey="undelivered-codes"
      pageSizes="log"
      rowKey="id"
      rowName={({ to }) => to}
      columns={useColumns()}
      filters={[
        { kind: 'period', label: t('records.time') },
        {
          name: 'channel',
          label: t('undelivered-codes.channel'),
          options: MESSAGE_CHANNELS.map((value) => ({ value, label: t(`message-channel.${value}`) })),
        },
      ]}
      empty={t('undelivered-codes.none')}
    />
  )
}

function useColumns(): Column<UndeliveredCode>[] {
  const { t } = useTranslation()
  return [
    { key: 'at', title: t('records.time'), render: ({ at }) => <Time value={at} /> },
    { key: 'to', title: t('undelivered-codes.to'), headsCard: true, render: ({ to }) => to },
    {
      key: 'person',
      title: t('log.person'),
      render: ({ person, personAccount }) => (person ? `${person} (${personAccount})` : '—'),
    },
    { key: 'channel', title: t('undelivered-codes.channel'), render: ({ channel }) => t(`message-channel.${channel}`) },
    {
      key: 'template',
      title: t('undelivered-codes.purpose'),
      render: ({ template }) => translateOr(`message-template.name.${template}`, 'undelivered-codes.code'),
    },
    {
      key: 'reason',
      title: t('records.reason'),
      render: ({ state, reason }) =>
        translateOr(
          `message-reason.${reason}`,
          state === 'expired' ? 'undelivered-codes.expired' : 'undelivered-codes.failed',
        ),
    },
  ]
}
