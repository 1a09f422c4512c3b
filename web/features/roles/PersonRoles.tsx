import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { rolesOfPerson } from '#shared/contract/roles.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import { PERSON_ROLES_KEY } from './role-queries.ts'

type Row = z.infer<typeof rolesOfPerson.output>['records'][number]

/** The roles of a person, each with how they got it. */
export function PersonRoles({ userId }: { userId: string }) {
  const { t } = useTranslation()
  return (
    <ListPage<Row>
      embedded
      place="memory"
      title={t('person-roles.title')}
      endpoint={rolesOfPerson}
      fixedQuery={{ userId }}
      queryKey={PERSON_ROLES_KEY}
      rowKey="id"
      rowName={({ name }) => name}
      columns={[
        { key: 'name', title: t('role.name'), render: ({ name }) => name },
        { key: 'code', title: t('role.code'), render: ({ code }) => code },
        {
          key: 'path',
          title: t('person-roles.path'),
          render: ({ kind, via }) => t(`person-roles.path.${kind}`, { via: via ?? t('access.path.above') }),
        },
      ]}
      filters={[]}
      searchLabel={t('role.search')}
      empty={t('person-roles.none')}
    />
  )
}
