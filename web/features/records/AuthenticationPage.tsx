import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  AUTH_TYPES,
  type AuthenticationRecord,
  exportMyAuthentications,
  listMyAuthentications,
} from '#shared/contract/records.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import { LoginResult } from '../../ui/LoginResult.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { Time } from '../../ui/Time.tsx'
import { NotMeDialog } from './NotMeDialog.tsx'
import { RecordNumber } from './RecordNumber.tsx'
import { useCommonFilters } from './use-common-filters.ts'
import './records.css'
import { authTypeName } from '../../ui/auth-type-name.ts'

type Login = AuthenticationRecord

export const AUTHENTICATION_KEY = 'my-authentications'

/** My logins and refused attempts. One that I don't recognise can be reported, with guidance on what to do. */
export function AuthenticationPage() {
  const { t, i18n } = useTranslation()
  const [disowned, setDisowned] = useState<Login | null>(null)
  const deviceName = useDeviceName()
  const nameOf = (login: Login) => `${formatDateTime(new Date(login.loginTime), i18n.language)}, ${deviceName(login)}`
  return (
    <div className="page">
      <ListPage<Login>
        title={t('my-authentication.title')}
        explain={t('my-authentication.explain')}
        endpoint={listMyAuthentications}
        exportEndpoint={exportMyAuthentications}
        queryKey={AUTHENTICATION_KEY}
        tableKey="my-authentication"
        pageSizes="log"
        rowKey="id"
        rowName={nameOf}
        columns={useColumns()}
        filters={useFilters()}
        searchLabel={t('my-authentication.search')}
        defaultSort="-loginTime"
        details={({ id }) => <RecordNumber id={id} />}
        rowActions={(login) =>
          isWorthDoubt(login) && (
            <button
              type="button"
              className="button button-quiet"
              aria-label={`${t('records.not-me')}: ${nameOf(login)}`}
              onClick={() => setDisowned(login)}
            >
              {t('records.not-me')}
            </button>
          )
        }
      >
        {disowned && <NotMeDialog login={disowned} name={nameOf(disowned)} onClose={() => setDisowned(null)} />}
      </ListPage>
    </div>
  )
}

/** A login, or an attempt that failed only at the second factor: whoever made it knew the password. */
const isWorthDoubt = ({ succeeded, current, reason }: Login): boolean =>
  (succeeded && !current) || (reason?.startsWith('second-factor.') ?? false)

/** "Chrome 140 · Windows 11", or a description of what is known. */
function useDeviceName(): (login: Pick<Login, 'browser' | 'device' | 'clientType'>) => string {
  const { t } = useTranslation()
  return ({ browser, device, clientType }) =>
    [browser, device].filter(Boolean).join(' · ') || t(`client-type.${clientType}`)
}

function useColumns(): Column<Login>[] {
  const { t } = useTranslation()
  const deviceName = useDeviceName()
  return [
    {
      key: 'loginTime',
      title: t('records.login-time'),
      sortable: true,
      render: ({ loginTime }) => <Time value={loginTime} />,
    },
    { key: 'result', title: t('records.result'), render: (login) => <Result login={login} /> },
    {
      key: 'authType',
      title: t('records.auth-type'),
      render: ({ authType, provider }) => provider ?? authTypeName(authType),
    },
    {
      key: 'device',
      title: t('records.device'),
      render: (login) => (
        <span className="record-words">
          {deviceName(login)}
          {login.unusual && <span className="tag tag-caution">{t('records.unusual')}</span>}
        </span>
      ),
    },
    {
      key: 'clientType',
      title: t('records.client-type'),
      isExtra: true,
      render: ({ clientType }) => t(`client-type.${clientType}`),
    },
    {
      key: 'place',
      title: t('records.place'),
      render: ({ onCampus, ipRange }) =>
        [t(onCampus ? 'place.on-campus' : 'place.off-campus'), ipRange].filter(Boolean).join(' · '),
    },
    { key: 'ip', title: t('records.ip'), render: ({ ip }) => ip },
    {
      key: 'logoutTime',
      title: t('records.logout-time'),
      render: ({ logoutTime }) => (logoutTime ? <Time value={logoutTime} /> : '—'),
    },
    { key: 'account', title: t('records.account'), isExtra: true, render: ({ account }) => account },
    {
      key: 'application',
      title: t('records.application'),
      isExtra: true,
      render: ({ application }) => application ?? t('records.portal'),
    },
  ]
}

function Result({ login: { succeeded, reason, current } }: { login: Login }) {
  const { t } = useTranslation()
  return (
    <LoginResult succeeded={succeeded} reason={reason}>
      {current && <span className="tag tag-well">{t('records.current')}</span>}
    </LoginResult>
  )
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  const { period, ip, clientType, onCampus } = useCommonFilters()
  return [
    period,
    {
      name: 'result',
      label: t('records.result'),
      options: [
        { value: '1', label: t('records.result.succeeded') },
        { value: '0', label: t('records.result.failed') },
      ],
    },
    {
      name: 'authType',
      label: t('records.auth-type'),
      options: AUTH_TYPES.map((value) => ({ value, label: authTypeName(value) })),
    },
    clientType,
    onCampus,
    ip,
  ]
}
