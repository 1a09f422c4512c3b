import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ADMINISTRATION_STATES, type Administrator, listAdministrators } from '#shared/contract/administrators.ts'
import { PERMISSIONS } from '#shared/contract/permissions.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { StateWord } from '../../ui/StateWord.tsx'
import { Time } from '../../ui/Time.tsx'
import { AppointDialog } from './AppointDialog.tsx'
import { RenewDialog, WithdrawDialog } from './AppointmentDialogs.tsx'
import { ADMINISTRATORS_KEY } from './administrator-queries.ts'
import { ChangeAppointmentDialog } from './ChangeAppointmentDialog.tsx'
import './administrators.css'

type OpenDialog =
  | { what: 'appoint' }
  | { what: 'change'; administrator: Administrator }
  | { what: 'renew' | 'withdraw'; administrators: readonly Administrator[] }

/** Super users, and administrators of some organisations. */
export function AdministratorManagePage() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const close = () => setOpen(null)
  const verb = (what: 'renew' | 'withdraw') => ({
    label: t(`administrator.${what}`),
    onRun: (selection: { rows: Administrator[] } | { all: unknown }) =>
      'rows' in selection && setOpen({ what, administrators: selection.rows }),
  })
  return (
    <ListPage<Administrator>
      title={t('administrator-manage.title')}
      explain={t('administrator-manage.explain')}
      actions={
        <button type="button" className="button button-primary" onClick={() => setOpen({ what: 'appoint' })}>
          {t('administrator.appoint')}
        </button>
      }
      endpoint={listAdministrators}
      queryKey={ADMINISTRATORS_KEY}
      tableKey="administrator-manage"
      rowKey="id"
      rowName={({ name, account }) => `${name} ${account}`}
      columns={useColumns()}
      filters={useFilters()}
      searchLabel={t('administrator.search')}
      bulkActions={[verb('renew'), verb('withdraw')]}
      isSelectable={({ kind }) => kind === 'appointed'}
      rowActions={(administrator) => (
        <span className="administrator-verbs">
          {administrator.kind === 'appointed' && (
            <button
              type="button"
              className="button button-quiet"
              aria-label={t('administrator.change-person', { name: t('person.named', administrator) })}
              onClick={() => setOpen({ what: 'change', administrator })}
            >
              {t('administrator.change')}
            </button>
          )}
          <Link
            to="/manage/change-history"
            search={{ by: administrator.account } as never}
            className="button button-quiet"
            aria-label={t('administrator.changes-of', { name: administrator.name })}
          >
            {t('administrator.changes')}
          </Link>
        </span>
      )}
      defaultSort="account"
    >
      {open?.what === 'appoint' && <AppointDialog onClose={close} />}
      {open?.what === 'change' && <ChangeAppointmentDialog administrator={open.administrator} onClose={close} />}
      {open?.what === 'renew' && <RenewDialog administrators={open.administrators} onClose={close} />}
      {open?.what === 'withdraw' && <WithdrawDialog administrators={open.administrators} onClose={close} />}
    </ListPage>
  )
}

const TONES = { holds: 'well', planned: 'primary', over: 'quiet', dormant: 'caution' } as const

function useColumns(): Column<Administrator>[] {
  const { t } = useTranslation()
  const moment = (value: string | null) => (value ? <Time value={value} /> : '—')
  return [
    { key: 'account', title: t('administrator.account'), sortable: true, render: ({ account }) => account },
    { key: 'name', title: t('administrator.name'), sortable: true, render: ({ name }) => name },
    {
      key: 'organization',
      title: t('administrator.organization'),
      isLong: true,
      render: ({ kind, organizationPath }) =>
        kind === 'super' ? t('administrator.everywhere') : organizationPath.join(' / '),
    },
    {
      key: 'permissions',
      title: t('administrator.permissions'),
      isLong: true,
      render: ({ kind, permissions }) => {
        if (kind === 'super') return <span className="tag">{t('administrator.super')}</span>
        if (permissions.length === 0) return <span className="muted">{t('permission.look')}</span>
        return permissions.map((permission) => t(`permission.${permission}`)).join(t('list.separator'))
      },
    },
    {
      key: 'state',
      title: t('administrator.state'),
      render: ({ state }) => <StateWord tone={TONES[state]}>{t(`administrator.state.${state}`)}</StateWord>,
    },
    { key: 'validFrom', title: t('administrator.valid-from'), isExtra: true, render: (row) => moment(row.validFrom) },
    {
      key: 'validUntil',
      title: t('administrator.valid-until'),
      sortable: true,
      render: ({ kind, validUntil }) =>
        kind === 'appointed' && validUntil === null ? t('administrator.open-end') : moment(validUntil),
    },
    { key: 'grantedBy', title: t('administrator.granted-by'), render: ({ grantedBy }) => grantedBy ?? '—' },
    { key: 'grantedAt', title: t('administrator.granted-at'), isExtra: true, render: (row) => moment(row.grantedAt) },
  ]
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  return [
    {
      name: 'kind',
      label: t('administrator.kind'),
      options: (['super', 'appointed'] as const).map((value) => ({ value, label: t(`administrator.kind.${value}`) })),
    },
    {
      name: 'state',
      label: t('administrator.state'),
      options: ADMINISTRATION_STATES.map((value) => ({ value, label: t(`administrator.state.${value}`) })),
    },
    {
      name: 'permission',
      label: t('administrator.permissions'),
      options: PERMISSIONS.map((value) => ({ value, label: t(`permission.${value}`) })),
    },
  ]
}
