import { useTranslation } from 'react-i18next'
import { ACCOUNT_ACTIONS, PASSWORD_ACTIONS } from '#shared/contract/audit-actions.ts'
import {
  exportMyAccountMaintenance,
  exportMyPasswordMaintenance,
  listMyAccountMaintenance,
  listMyPasswordMaintenance,
  type MaintenanceRecord,
} from '#shared/contract/records.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { translateOr } from '../../platform/i18n.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { Time } from '../../ui/Time.tsx'
import { RecordNumber } from './RecordNumber.tsx'
import { useChangeText } from './use-change-text.ts'
import { useCommonFilters } from './use-common-filters.ts'
import './records.css'

const operationName = (action: string) => translateOr(`action.${action}`, 'action.unknown')

/** When my password was set or changed, by whom and from where. */
export function PasswordMaintenancePage() {
  const { t } = useTranslation()
  return (
    <div className="page">
      <ListPage<MaintenanceRecord>
        title={t('my-password.title')}
        explain={t('my-password.explain')}
        endpoint={listMyPasswordMaintenance}
        exportEndpoint={exportMyPasswordMaintenance}
        queryKey="my-password-maintenance"
        tableKey="my-password-maintenance"
        pageSizes="log"
        filters={useFilters(PASSWORD_ACTIONS)}
        {...useCommonProps()}
      />
    </div>
  )
}

/** All changes to my account. */
export function AccountMaintenancePage() {
  const { t } = useTranslation()
  return (
    <div className="page">
      <ListPage<MaintenanceRecord>
        title={t('my-maintenance.title')}
        explain={t('my-maintenance.explain')}
        endpoint={listMyAccountMaintenance}
        exportEndpoint={exportMyAccountMaintenance}
        queryKey="my-account-maintenance"
        tableKey="my-account-maintenance"
        pageSizes="log"
        filters={useFilters(ACCOUNT_ACTIONS)}
        {...useCommonProps()}
      />
    </div>
  )
}

function useCommonProps() {
  const { t, i18n } = useTranslation()
  return {
    rowKey: 'id' as const,
    columns: useColumns(),
    searchLabel: t('my-maintenance.search'),
    defaultSort: '-maintenanceTime',
    rowName: ({ action, maintenanceTime }: MaintenanceRecord) =>
      `${operationName(action)}, ${formatDateTime(new Date(maintenanceTime), i18n.language)}`,
    details: (record: MaintenanceRecord) => <Details record={record} />,
  }
}

function useColumns(): Column<MaintenanceRecord>[] {
  const { t } = useTranslation()
  const changeText = useChangeText()
  return [
    {
      key: 'maintenanceTime',
      title: t('records.maintenance-time'),
      sortable: true,
      render: ({ maintenanceTime }) => <Time value={maintenanceTime} />,
    },
    { key: 'operation', title: t('records.operation'), render: ({ action }) => operationName(action) },
    {
      key: 'maintainer',
      title: t('records.maintainer'),
      render: ({ by, maintainer }) => maintainer ?? t(`records.by.${by}`),
    },
    {
      key: 'description',
      title: t('records.description'),
      render: ({ changes, reason }) => (
        <span className="record-description">
          {[...changes.map(changeText), reason].filter(Boolean).join(' · ') || '—'}
        </span>
      ),
    },
    { key: 'ip', title: t('records.ip'), render: ({ ip }) => ip ?? '—' },
  ]
}

/** The device, and the record number to quote when asking for help. */
function Details({ record: { id, browser, device } }: { record: MaintenanceRecord }) {
  const { t } = useTranslation()
  const from = [browser, device].filter(Boolean).join(' · ')
  return (
    <>
      {from && (
        <dl>
          <div>
            <dt>{t('records.device')}</dt>
            <dd>{from}</dd>
          </div>
        </dl>
      )}
      <RecordNumber id={id} />
    </>
  )
}

function useFilters(actions: readonly string[]): Filter[] {
  const { t, i18n } = useTranslation()
  const { period, ip } = useCommonFilters()
  return [
    period,
    {
      name: 'operation',
      label: t('records.operation'),
      options: actions
        .map((value) => ({ value, label: operationName(value) }))
        .sort((one, other) => one.label.localeCompare(other.label, i18n.language.replace('_', '-'))),
    },
    {
      name: 'by',
      label: t('records.maintainer'),
      options: (['self', 'other', 'system'] as const).map((value) => ({ value, label: t(`records.by.${value}`) })),
    },
    ip,
  ]
}
