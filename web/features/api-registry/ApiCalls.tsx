import { useTranslation } from 'react-i18next'
import { type ApiCall, listApiCalls } from '#shared/contract/api-manage.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { StateWord } from '../../ui/StateWord.tsx'
import { Time } from '../../ui/Time.tsx'

/** The calls that an application made, newest first. */
export function ApiCalls({ applicationId }: { applicationId: string }) {
  const { t } = useTranslation()
  return (
    <div>
      <ListPage<ApiCall>
        title={t('api-call.title')}
        explain={t('api-call.explain')}
        endpoint={listApiCalls}
        queryKey="api-calls"
        fixedQuery={{ id: applicationId }}
        rowKey="id"
        rowName={({ apiComment }) => apiComment}
        columns={useColumns()}
        filters={[
          { kind: 'period', label: t('api-call.time') },
          {
            name: 'result',
            label: t('api-call.result'),
            options: (['answered', 'refused'] as const).map((value) => ({ value, label: t(`api-call.${value}`) })),
          },
        ]}
        defaultSort="-at"
        place="memory"
        embedded
        empty={t('api-call.none')}
      />
    </div>
  )
}

function useColumns(): Column<ApiCall>[] {
  const { t } = useTranslation()
  return [
    { key: 'at', title: t('api-call.time'), sortable: true, render: ({ at }) => <Time value={at} /> },
    { key: 'apiComment', title: t('api-manage.comment'), render: ({ apiComment }) => apiComment },
    { key: 'result', title: t('api-call.result'), render: (row) => <Result {...row} /> },
    { key: 'ms', title: t('api-call.ms'), render: ({ ms }) => <span className="tabular">{ms} ms</span> },
    { key: 'ip', title: t('api-call.ip'), render: ({ ip }) => ip },
    { key: 'requestId', title: t('api-call.request'), render: ({ requestId }) => <code>{requestId}</code> },
  ]
}

function Result({ status, reason, code }: ApiCall) {
  const { t } = useTranslation()
  if (status < 400) return <StateWord tone="well">{t('api-call.answered')}</StateWord>
  return (
    <StateWord tone="danger">
      {reason ?? code} <span className="muted">{status}</span>
    </StateWord>
  )
}
