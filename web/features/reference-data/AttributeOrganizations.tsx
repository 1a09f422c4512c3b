import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type OrganizationFound, searchOrganizations } from '#shared/contract/organizations.ts'
import { organizationAttributes } from '#shared/contract/reference-data.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { useDrawerTitle } from '../../ui/drawer-title.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'

/** The organisations with an attribute, each with a link. */
export function AttributeOrganizations({ id, onClose }: { id: string; onClose: () => void }) {
  const entry = useQuery({
    queryKey: ['org-attribute', 'details', id],
    queryFn: ({ signal }) => call(organizationAttributes.details, { query: { id } }, { signal }),
  })
  if (entry.isError) return <FailedBlock error={entry.error} onRetry={() => void entry.refetch()} onBack={onClose} />
  if (!entry.data) return <Skeleton lines={6} />
  return <Filed code={entry.data.code} name={entry.data.shownName} />
}

function Filed({ code, name }: { code: string; name: string }) {
  const { t } = useTranslation()
  useDrawerTitle(name)
  const number = useCount()
  return (
    <ListPage<OrganizationFound>
      embedded
      place="memory"
      title={t('reference-data.filed-organizations')}
      endpoint={searchOrganizations}
      fixedQuery={{ attribute: code }}
      queryKey="organizations"
      rowKey="id"
      rowName={(row) => row.name}
      columns={[
        {
          key: 'name',
          title: t('organization.name'),
          render: (row) => (
            <Link to="/manage/organization" search={{ organization: row.id } as never}>
              {row.name}
            </Link>
          ),
        },
        {
          key: 'path',
          title: t('organization.parent'),
          render: ({ path }) => path.map((step) => step.name).join(' / ') || '—',
        },
        { key: 'people', title: t('reference-data.people'), isNumber: true, render: ({ people }) => number(people) },
      ]}
      filters={[]}
      searchLabel={t('organization.search')}
    />
  )
}
