import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppIcon } from '../../ui/AppIcon.tsx'
import { ListFilters } from '../../ui/ListFilters.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { Pager } from '../../ui/Pager.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { ChangeDatesDialog, type Dated } from './ChangeDatesDialog.tsx'
import { GrantDates } from './GrantDates.tsx'
import type { AuthorisedApp, AuthorisedApps } from './use-authorised-apps.ts'

type Props = { memberId: string; apps: AuthorisedApps }

/** The granted applications, ten per page. */
export function AuthorisedTable({ memberId, apps }: Props) {
  const { t } = useTranslation()
  const [dated, setDated] = useState<AuthorisedApp | null>(null)
  const { query, state, change, ticked, tickPage } = apps.right
  const columns = useColumns()
  const { data } = query
  const title = t('authorise.right', { count: apps.counts.authorised })
  const grant = dated && datedOf(memberId, dated)
  return (
    <section className="authorised-side" aria-labelledby="authorise-right">
      <h3 id="authorise-right">{title}</h3>
      <ListFilters filters={[]} searchLabel={t('authorise.search-right')} state={state} onChange={change} />
      {query.isError && !data ? (
        <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <ListTable<AuthorisedApp>
          title={title}
          rows={data?.records}
          rowKey="appId"
          rowName={({ name }) => name}
          columns={columns}
          hidden={[]}
          isCompact
          state={state}
          isBusy={query.isPlaceholderData}
          selected={[...ticked]}
          onSelect={tickPage}
          onSort={() => {}}
          onOpen={null}
          empty={t('authorise.none-yet')}
          rowActions={(app) => (
            <button
              type="button"
              className="button button-quiet"
              aria-label={t('grant.change-dates-one', { name: app.name })}
              onClick={() => setDated(app)}
            >
              {t('grant.change-dates')}
            </button>
          )}
        />
      )}
      {data && (
        <Pager
          title={title}
          pageIndex={state.pageIndex}
          pageSize={state.pageSize}
          total={data.total}
          isLowerBound={data.totalIsLowerBound ?? false}
          isEmbedded
          onChange={change}
        />
      )}
      {grant && <ChangeDatesDialog grant={grant} name={dated.name} onClose={() => setDated(null)} />}
    </section>
  )
}

function datedOf(memberId: string, { appId, grant }: AuthorisedApp): Dated | null {
  if (!grant) return null
  const { validFrom, validUntil, version } = grant
  return { memberId, appId, validFrom, validUntil, version }
}

function useColumns(): Column<AuthorisedApp>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'name',
      title: t('grant.application'),
      render: (app) => (
        <span className="authorised-app">
          <AppIcon app={app} />
          <span>{app.name}</span>
          {app.state === 0 && <span className="tag tag-plain">{t('authorise.disabled')}</span>}
          {app.grant?.openToAll && <span className="tag tag-plain">{t('authorise.open')}</span>}
        </span>
      ),
    },
    {
      key: 'dates',
      title: t('grant.dates'),
      render: ({ grant }) => grant && <GrantDates {...grant} />,
    },
  ]
}
