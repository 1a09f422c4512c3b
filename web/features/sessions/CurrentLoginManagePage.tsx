import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CLIENT_TYPES } from '#shared/contract/list-filters.ts'
import { AUTH_TYPES } from '#shared/contract/records.ts'
import { SECOND_FACTORS } from '#shared/contract/second-factor-kinds.ts'
import { IDLE_MINUTES, listCurrentLogins, type ManagedLogin } from '#shared/contract/sessions.ts'
import { notify } from '../../platform/notices.ts'
import { authTypeName } from '../../ui/auth-type-name.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import { TaskDeliveriesDialog, useEndedLogins } from '../../ui/LogoutDeliveries.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import { useListState } from '../../ui/list-state.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { useNamedFilters } from '../../ui/named-filters.ts'
import type { Selection } from '../../ui/selection.ts'
import { Time } from '../../ui/Time.tsx'
import { CURRENT_LOGINS_KEY, KickOutDialog, type Leaving } from './KickOutDialog.tsx'
import { useDeviceName } from './use-device-name.ts'

type Login = ManagedLogin

export type CurrentLoginSlots = {
  /** Shows the progress of the task that ends logins. */
  task: (id: string, onClose: () => void, onEnded: (ended: number) => void) => ReactNode
}

/** Everyone who is logged in; kicks out one, several, all of a person or all that were found. */
export function CurrentLoginManagePage({ slots }: { slots: CurrentLoginSlots }) {
  const { t } = useTranslation()
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  const [task, setTask] = useState<{ id: string; hasEnded: boolean } | null>(null)
  const { dialog, onEnded } = useEndedLogins()
  const label = t('current-login-manage.kick-out')
  const onRun = (selection: Selection<Login>) =>
    setLeaving('rows' in selection ? selection : { filters: selection.all, expected: selection.expected, person: null })
  return (
    <ListPage<Login>
      title={t('current-login-manage.title')}
      endpoint={listCurrentLogins}
      queryKey={CURRENT_LOGINS_KEY}
      tableKey="current-login-manage"
      pageSizes="log"
      rowKey="id"
      rowName={({ name, account }) => `${name} ${account}`}
      columns={useColumns()}
      filters={useFilters()}
      searchLabel={t('current-login-manage.search')}
      bulkActions={[{ label, takesAll: true, onRun }]}
      isSelectable={(login) => !login.current}
      rowActions={(login) => <RowActions login={login} onKickOut={setLeaving} />}
      defaultSort="-loginTime"
      refreshEvery={30_000}
    >
      {leaving && (
        <KickOutDialog
          leaving={leaving}
          onEnded={onEnded}
          onTask={(id) => setTask({ id, hasEnded: false })}
          onClose={() => setLeaving(null)}
        />
      )}
      {task &&
        !task.hasEnded &&
        slots.task(
          task.id,
          () => setTask(null),
          (count) => {
            notify('well', t('current-login.ended', { count }))
            setTask({ ...task, hasEnded: true })
          },
        )}
      {task?.hasEnded && <TaskDeliveriesDialog taskId={task.id} onClose={() => setTask(null)} />}
      {dialog}
    </ListPage>
  )
}

function RowActions({ login, onKickOut }: { login: Login; onKickOut: (leaving: Leaving) => void }) {
  const { t } = useTranslation()
  const { name, userId, current } = login
  const ofPerson = { filters: { userId }, expected: null, person: t('person.named', login) }
  return (
    <>
      {current ? (
        <span className="muted">{t('current-login.current')}</span>
      ) : (
        <button
          type="button"
          className="button button-quiet"
          aria-label={t('current-login-manage.kick-out-person', { name })}
          onClick={() => onKickOut({ rows: [login] })}
        >
          {t('current-login-manage.kick-out')}
        </button>
      )}
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('current-login-manage.kick-out-everywhere', { name })}
        onClick={() => onKickOut(ofPerson)}
      >
        {t('current-login-manage.everywhere')}
      </button>
    </>
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
      key: 'authType',
      title: t('records.auth-type'),
      isExtra: true,
      render: ({ authType, provider }) => provider ?? authTypeName(authType),
    },
    {
      key: 'factor',
      title: t('log.factor'),
      isExtra: true,
      render: ({ factor }) => t(`log.factor.${factor ?? 'none'}`),
    },
    {
      key: 'remembered',
      title: t('current-login-manage.remembered'),
      isExtra: true,
      render: ({ remembered }) => t(remembered ? 'records.yes' : 'records.no'),
    },
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
  const { filters } = useListState(['organizationId', 'applicationId'], 'address', 'log').state
  const { organization, application, range } = useNamedFilters(filters, { portal: false })
  const yesOrNo = [
    { value: '1', label: t('records.yes') },
    { value: '0', label: t('records.no') },
  ]
  return [
    organization,
    application,
    { name: 'ip', label: t('current-login-manage.ip') },
    range,
    {
      name: 'idleMinutes',
      label: t('current-login-manage.idle'),
      options: IDLE_MINUTES.map((value) => ({
        value,
        label: t('current-login-manage.idle-for', { count: Number(value) }),
      })),
    },
    {
      name: 'clientType',
      label: t('current-login-manage.client-type'),
      options: CLIENT_TYPES.map((value) => ({ value, label: t(`client-type.${value}`) })),
    },
    {
      name: 'onCampus',
      label: t('current-login-manage.place'),
      options: [
        { value: '1', label: t('place.on-campus') },
        { value: '0', label: t('place.off-campus') },
      ],
    },
    {
      name: 'authType',
      label: t('records.auth-type'),
      options: AUTH_TYPES.map((value) => ({ value, label: authTypeName(value) })),
    },
    {
      name: 'factor',
      label: t('log.factor'),
      options: ['none' as const, ...SECOND_FACTORS].map((value) => ({ value, label: t(`log.factor.${value}`) })),
    },
    { name: 'remembered', label: t('current-login-manage.remembered'), options: yesOrNo },
  ]
}
