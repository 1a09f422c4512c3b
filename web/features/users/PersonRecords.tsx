import { useTranslation } from 'react-i18next'
import { listUserRecords, type PersonRecord } from '#shared/contract/user-verbs.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import { LoginResult } from '../../ui/LoginResult.tsx'
import { Time } from '../../ui/Time.tsx'

/** A person's logins, or the changes to the account. */
export function PersonRecords({ id }: { id: string }) {
  const { t } = useTranslation()
  return (
    <ListPage<PersonRecord>
      title={t('person.records')}
      endpoint={listUserRecords as never}
      fixedQuery={{ id }}
      queryKey="person-records"
      rowKey="id"
      rowName={({ what }) => what}
      columns={[
        { key: 'at', title: t('person.when'), render: ({ at }) => <Time value={at} /> },
        {
          key: 'what',
          title: t('person.what'),
          render: ({ what }) => what,
        },
        {
          key: 'result',
          title: t('records.result'),
          render: ({ kind, succeeded, refusal }) =>
            kind === 'login' ? <LoginResult succeeded={succeeded} reason={refusal} /> : '—',
        },
        { key: 'ip', title: t('person.address'), render: ({ ip }) => ip ?? '—' },
        {
          key: 'detail',
          title: t('person.detail'),
          render: ({ by, detail }) => [by, detail].filter(Boolean).join(' · ') || '—',
        },
      ]}
      filters={[
        {
          name: 'kind',
          label: t('person.record-kind'),
          any: t('person.record-kind.login'),
          options: [{ value: 'change', label: t('person.record-kind.change') }],
        },
      ]}
      place="memory"
      embedded
    />
  )
}
