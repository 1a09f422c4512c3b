import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Interface, listInterfaces, updateInterface } from '#shared/contract/api-manage.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { useSeenVersion } from '../../ui/use-seen-version.ts'
import { CallPath, InterfaceName, InterfaceState, Usage } from './InterfaceCells.tsx'

const KEY = 'interfaces'

/** The calls that applications can be granted; each can be disabled for all. */
export function ApiManagePage() {
  const { t } = useTranslation()
  const [switching, setSwitching] = useState<Interface | null>(null)
  return (
    <ListPage<Interface>
      title={t('api-manage.title')}
      explain={
        <>
          {t('api-manage.explain')}{' '}
          <a className="docs-link" href="/auth_service/docs" target="_blank" rel="noreferrer">
            {t('api-manage.docs')}
          </a>
        </>
      }
      endpoint={listInterfaces}
      queryKey={KEY}
      tableKey="api-manage"
      rowKey="apiId"
      rowName={({ apiComment }) => apiComment}
      columns={useColumns()}
      filters={[
        {
          name: 'status',
          label: t('api-manage.status'),
          options: (['1', '0'] as const).map((value) => ({ value, label: t(`api-manage.status.${value}`) })),
        },
        {
          name: 'apiMethod',
          label: t('api-manage.method'),
          options: ['GET', 'POST'].map((value) => ({ value, label: value })),
        },
      ]}
      searchLabel={t('api-manage.search')}
      defaultSort="apiId"
      rowActions={(row) => (
        <button
          type="button"
          className="button button-quiet"
          aria-label={t(row.status ? 'api-manage.switch-off-one' : 'api-manage.switch-on-one', {
            name: row.apiComment,
          })}
          onClick={() => setSwitching(row)}
        >
          {t(row.status ? 'api-manage.switch-off' : 'api-manage.switch-on')}
        </button>
      )}
    >
      {switching && <SwitchDialog row={switching} onClose={() => setSwitching(null)} />}
    </ListPage>
  )
}

function useColumns(): Column<Interface>[] {
  const { t } = useTranslation()
  const number = useCount()
  return [
    { key: 'apiId', title: t('api-manage.id'), sortable: true, render: (row) => <InterfaceName {...row} /> },
    {
      key: 'apiPath',
      title: t('api-manage.path'),
      sortable: true,
      isLong: true,
      render: (row) => <CallPath {...row} />,
    },
    { key: 'status', title: t('api-manage.status'), render: ({ status }) => <InterfaceState status={status} /> },
    {
      key: 'applications',
      title: t('api-manage.applications'),
      isNumber: true,
      render: ({ applications }) => number(applications),
    },
    { key: 'calls', title: t('api-manage.calls'), isNumber: true, render: (row) => <Usage {...row} /> },
  ]
}

/** Disabling refuses every application that calls it, so it asks first. */
function SwitchDialog({ row, onClose }: { row: Interface; onClose: () => void }) {
  const { t } = useTranslation()
  const refresh = () => queryClient.invalidateQueries({ queryKey: [KEY] })
  const { current, inSeenVersion } = useSeenVersion<Interface>(row.version, { reread: refresh })
  const { apiId, apiComment, applications } = current ?? row
  // Asked for it stays, also when somebody else was faster.
  const next = row.status ? 0 : 1
  const save = async () => {
    await inSeenVersion((version) => call(updateInterface, { query: { apiId }, body: { status: next, version } }))
    notify('well', t(next ? 'api-manage.switched-on' : 'api-manage.switched-off', { name: apiComment }))
    await refresh()
  }
  return (
    <ConfirmDialog
      title={t(next ? 'api-manage.switch-on-title' : 'api-manage.switch-off-title', { name: apiComment })}
      verb={t(next ? 'api-manage.switch-on' : 'api-manage.switch-off')}
      onConfirm={save}
      onClose={onClose}
    >
      <p>{t(next ? 'api-manage.switch-on-text' : 'api-manage.switch-off-text', { count: applications })}</p>
    </ConfirmDialog>
  )
}
