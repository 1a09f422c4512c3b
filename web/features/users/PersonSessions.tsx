import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endUserSessions, listUserSessions, type PersonSession } from '#shared/contract/user-verbs.ts'
import { call } from '../../platform/api.ts'
import { authTypeName } from '../../ui/auth-type-name.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import { useEndedLogins } from '../../ui/LogoutDeliveries.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { NamedLogin } from '../../ui/NamedLogin.tsx'
import { Time } from '../../ui/Time.tsx'
import { refreshPeople } from './people-queries.ts'

/** `name`: with the account. */
type Props = { id: string; name: string; mayEdit: boolean }

/** A person's current logins, with kick out. */
export function PersonSessions({ id, name, mayEdit }: Props) {
  const { t } = useTranslation()
  /** The confirmation asked: for one login, or all. */
  const [asked, setAsked] = useState<PersonSession | 'all' | null>(null)
  const { dialog, onEnded } = useEndedLogins()
  const end = async () => {
    try {
      onEnded(await call(endUserSessions, { query: { id }, body: asked && asked !== 'all' ? { ids: [asked.id] } : {} }))
    } finally {
      await refreshPeople()
    }
  }
  const all = (
    <button type="button" className="button" onClick={() => setAsked('all')}>
      {t('person.end-all')}
    </button>
  )
  return (
    <ListPage<PersonSession>
      title={t('person.sessions')}
      endpoint={listUserSessions as never}
      fixedQuery={{ id }}
      queryKey="person-sessions"
      pageSizes="log"
      rowKey="id"
      rowName={({ browser, ip }) => `${browser} ${ip}`}
      rowsActions={mayEdit && all}
      columns={useColumns()}
      filters={[]}
      searchLabel={t('current-login.search')}
      rowActions={(row) =>
        row.current ? (
          <span className="muted">{t('current-login.current')}</span>
        ) : (
          mayEdit && (
            <button type="button" className="button button-quiet" onClick={() => setAsked(row)}>
              {t('current-login-manage.kick-out')}
            </button>
          )
        )
      }
      empty={t('person.no-sessions')}
      place="memory"
      embedded
    >
      {asked && (
        <ConfirmDialog
          title={
            asked === 'all' ? t('person.end-all.title', { name }) : t('current-login-manage.kick-out.title', { name })
          }
          verb={t(asked === 'all' ? 'person.end-all' : 'current-login-manage.kick-out')}
          onConfirm={end}
          onClose={() => setAsked(null)}
        >
          {asked !== 'all' && <NamedLogin login={asked} />}
          <p>{t(asked === 'all' ? 'person.end-all.text' : 'current-login-manage.kick-out.text')}</p>
        </ConfirmDialog>
      )}
      {dialog}
    </ListPage>
  )
}

function useColumns(): Column<PersonSession>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'device',
      title: t('person.device'),
      render: (row) => [row.browser, row.device].filter(Boolean).join(' · ') || '—',
    },
    {
      key: 'ip',
      title: t('person.address'),
      render: ({ ip, onCampus }) => `${ip} · ${t(onCampus ? 'place.on-campus' : 'place.off-campus')}`,
    },
    {
      key: 'authType',
      title: t('records.auth-type'),
      render: ({ authType, provider }) => provider ?? authTypeName(authType),
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
  ]
}
