import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { kickOut, listCurrentLogins, type ManagedLogin } from '#shared/contract/sessions.ts'
import { call } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/ListTable.tsx'
import { useEndedLogins } from '../../ui/LogoutDeliveries.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import { NamedLogin } from '../../ui/NamedLogin.tsx'
import { Time } from '../../ui/Time.tsx'
import { useDeviceName } from './use-device-name.ts'

type Login = ManagedLogin

const KEY = 'current-logins'

/** Everyone who is logged in; one or several can be kicked out. */
export function CurrentLoginManagePage() {
  const { t } = useTranslation()
  const [leaving, setLeaving] = useState<Login[]>([])
  const { dialog, onEnded } = useEndedLogins()
  const label = t('current-login-manage.kick-out')
  return (
    <ListPage<Login>
      title={t('current-login-manage.title')}
      endpoint={listCurrentLogins}
      queryKey={KEY}
      tableKey="current-login-manage"
      pageSizes="log"
      rowKey="id"
      rowName={({ name, account }) => `${name} ${account}`}
      columns={useColumns()}
      filters={useFilters()}
      searchLabel={t('current-login-manage.search')}
      bulkActions={[{ label, onRun: (selection) => setLeaving('rows' in selection ? selection.rows : []) }]}
      isSelectable={(login) => !login.current}
      rowActions={(login) =>
        login.current ? (
          <span className="muted">{t('current-login.current')}</span>
        ) : (
          <button
            type="button"
            className="button button-quiet"
            aria-label={t('current-login-manage.kick-out-person', { name: login.name })}
            onClick={() => setLeaving([login])}
          >
            {label}
          </button>
        )
      }
      defaultSort="-loginTime"
      refreshEvery={30_000}
    >
      {leaving.length > 0 && <KickOutDialog logins={leaving} onEnded={onEnded} onClose={() => setLeaving([])} />}
      {dialog}
    </ListPage>
  )
}

function useColumns(): Column<Login>[] {
  const { t } = useTranslation()
  const deviceName = useDeviceName()
  return [
    { key: 'account', title: t('current-login-manage.account'), render: ({ account }) => account },
    { key: 'name', title: t('current-login-manage.name'), render: ({ name }) => name },
    {
      key: 'organization',
      title: t('current-login-manage.organization'),
      render: ({ organization }) => organization ?? '—',
    },
    { key: 'device', title: t('current-login-manage.device'), render: deviceName },
    {
      key: 'place',
      title: t('current-login-manage.place'),
      render: ({ onCampus }) => t(onCampus ? 'place.on-campus' : 'place.off-campus'),
    },
    { key: 'ip', title: t('current-login-manage.ip'), render: ({ ip }) => ip },
    {
      key: 'loginTime',
      title: t('current-login.login-time'),
      sortable: true,
      render: ({ loginTime }) => <Time value={loginTime} />,
    },
    { key: 'lastSeen', title: t('current-login.last-seen'), render: ({ lastSeen }) => <Time value={lastSeen} ago /> },
  ]
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  return [
    { name: 'ip', label: t('current-login-manage.ip') },
    {
      name: 'clientType',
      label: t('current-login-manage.client-type'),
      options: (['pc', 'mobile', 'tablet', 'other'] as const).map((value) => ({
        value,
        label: t(`client-type.${value}`),
      })),
    },
    {
      name: 'onCampus',
      label: t('current-login-manage.place'),
      options: [
        { value: '1', label: t('place.on-campus') },
        { value: '0', label: t('place.off-campus') },
      ],
    },
  ]
}

type KickOutProps = {
  logins: Login[]
  onEnded: ReturnType<typeof useEndedLogins>['onEnded']
  onClose: () => void
}

function KickOutDialog({ logins, onEnded, onClose }: KickOutProps) {
  const { t } = useTranslation()
  const [first] = logins
  const kick = useMutation({
    mutationFn: () => call(kickOut, { body: { ids: logins.map(({ id }) => id) } }),
    onSuccess: onEnded,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [KEY] }),
  })
  const count = logins.length
  return (
    <ConfirmDialog
      title={
        count === 1 && first
          ? t('current-login-manage.kick-out.title', { name: t('person.named', first) })
          : t('current-login-manage.kick-out.title-many', { count })
      }
      verb={t('current-login-manage.kick-out')}
      onConfirm={() => kick.mutateAsync()}
      onClose={onClose}
    >
      {count === 1 && first && <NamedLogin login={first} />}
      <p>{t('current-login-manage.kick-out.text')}</p>
    </ConfirmDialog>
  )
}
