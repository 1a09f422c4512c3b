import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listMyApplications, type MyApplication } from '#shared/contract/applications.ts'
import { AppIcon } from '../../ui/AppIcon.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import { GrantDates } from './GrantDates.tsx'
import { AUTHORISED_KEY } from './grant-queries.ts'
import { LazyAuthorisedAppsDialog } from './LazyAuthorisedAppsDialog.tsx'
import './access.css'

/** The applications of a role, an organisation or a category, with the dialog that changes them. */
export function MemberApplications({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <ListPage<MyApplication>
      embedded
      place="memory"
      title={t('role.applications')}
      actions={
        <button type="button" className="button button-primary" onClick={() => setOpen(true)}>
          {t('authorise.verb')}
        </button>
      }
      endpoint={listMyApplications}
      fixedQuery={{ id: memberId, memberId }}
      queryKey={AUTHORISED_KEY}
      rowKey="appId"
      rowName={({ name }) => name}
      columns={[
        {
          key: 'name',
          title: t('grant.application'),
          render: (app) => (
            <span className="access-app">
              <AppIcon app={app} />
              <span>{app.name}</span>
              {app.state === 0 && <span className="tag tag-plain">{t('authorise.disabled')}</span>}
            </span>
          ),
        },
        { key: 'category', title: t('authorise.category'), render: ({ categoryName }) => categoryName ?? '—' },
        { key: 'dates', title: t('grant.dates'), render: ({ grant }) => grant && <GrantDates {...grant} /> },
      ]}
      filters={[]}
      searchLabel={t('authorise.search-right')}
      empty={t('authorise.none-yet')}
    >
      {isOpen && <LazyAuthorisedAppsDialog memberId={memberId} onClose={() => setOpen(false)} />}
    </ListPage>
  )
}
