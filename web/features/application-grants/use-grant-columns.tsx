import { useTranslation } from 'react-i18next'
import type { Grant } from '#shared/contract/application-grants.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { Time } from '../../ui/Time.tsx'
import { GrantDates } from './GrantDates.tsx'

export function useGrantColumns(): Column<Grant>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'application',
      title: t('grant.application'),
      sortable: true,
      render: ({ application, applicationState }) => (
        <span className="access-app">
          <span>{application}</span>
          {applicationState === 0 && <span className="tag tag-plain">{t('authorise.disabled')}</span>}
        </span>
      ),
    },
    { key: 'kind', title: t('grant.kind'), render: ({ kind }) => t(`subject-kind.${kind}`) },
    {
      key: 'member',
      title: t('grant.member'),
      render: ({ member, code }) => (
        <span className="access-member">
          <span>{member || t('grant.unknown-member')}</span>
          <span className="muted">{code}</span>
        </span>
      ),
    },
    {
      key: 'validUntil',
      title: t('grant.dates'),
      sortable: true,
      render: (grant) => <GrantDates {...grant} />,
    },
    {
      key: 'grantedAt',
      title: t('grant.granted-at'),
      sortable: true,
      render: ({ grantedAt }) => (grantedAt ? <Time value={grantedAt} /> : '—'),
    },
    { key: 'grantedBy', title: t('grant.granted-by'), isExtra: true, render: ({ grantedBy }) => grantedBy ?? '—' },
  ]
}
