import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { endUserSessions, listUserSessions, type PersonSession } from '#shared/contract/user-verbs.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import { Time } from '../../ui/Time.tsx'
import { refreshPeople } from './people.ts'

type Props = { id: string; mayEdit: boolean }

/** Where a person is logged in, and the way to end it. */
export function PersonSessions({ id, mayEdit }: Props) {
  const { t } = useTranslation()
  const end = useMutation({
    mutationFn: (ids?: string[]) => call(endUserSessions, { query: { id }, body: ids ? { ids } : {} }),
    onSuccess: ({ ended }) => notify('well', t('current-login.ended', { count: ended })),
    onError: (error) => notify('danger', isRefusal(error) ? error.message : t('network.unreachable')),
    onSettled: refreshPeople,
  })
  const all = (
    <button type="button" className="button" onClick={() => end.mutate(undefined)}>
      {t('person.end-all')}
    </button>
  )
  return (
    <ListPage<PersonSession>
      title={t('person.sessions')}
      endpoint={listUserSessions as never}
      fixedQuery={{ id }}
      queryKey="person-sessions"
      rowKey="id"
      rowName={({ browser, ip }) => `${browser} ${ip}`}
      actions={mayEdit && all}
      columns={[
        {
          key: 'device',
          title: t('person.device'),
          render: (row) => [row.browser, row.device].filter(Boolean).join(' · ') || '—',
        },
        {
          key: 'ip',
          title: t('person.address'),
          render: ({ ip, onCampus }) => `${ip} ${t(onCampus ? 'place.on-campus' : 'place.off-campus')}`,
        },
        {
          key: 'loginTime',
          title: t('current-login.login-time'),
          render: ({ loginTime }) => <Time value={loginTime} />,
        },
        {
          key: 'lastSeen',
          title: t('current-login.last-seen'),
          render: ({ lastSeen }) => <Time value={lastSeen} ago />,
        },
      ]}
      filters={[]}
      rowVerbs={(row) =>
        row.current ? (
          <span className="muted">{t('current-login.current')}</span>
        ) : (
          mayEdit && (
            <button type="button" className="button button-quiet" onClick={() => end.mutate([row.id])}>
              {t('current-login-manage.kick-out')}
            </button>
          )
        )
      }
      place="memory"
      embedded
    />
  )
}
