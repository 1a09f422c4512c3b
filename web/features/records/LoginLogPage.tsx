import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { RULE_OUTCOMES } from '#shared/contract/access-rules.ts'
import {
  type LoginLogLine,
  loginFigures,
  SAID_OUTCOMES,
  type SaidOutcome,
  searchLogins,
} from '#shared/contract/log-centre.ts'
import { AUTH_TYPES } from '#shared/contract/records.ts'
import { SECOND_FACTORS } from '#shared/contract/second-factor-kinds.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { useIsSuperUser } from '../../platform/session.ts'
import { authTypeName } from '../../ui/auth-type-name.ts'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { Time } from '../../ui/Time.tsx'
import { LoginLine } from './LogLines.tsx'
import { LogPage } from './LogPage.tsx'
import { useLogColumns } from './log-columns.tsx'
import { LogWord, type Narrow, type Pivot } from './log-pivots.tsx'
import { useLogFilters, useLogPivots } from './use-log-filters.ts'

/** Logins and refused attempts of everybody whom the administrator may see. */
export function LoginLogPage() {
  const { t, i18n } = useTranslation()
  const isSuperUser = useIsSuperUser()
  const nameOf = ({ at, person, account }: LoginLogLine) =>
    `${formatDateTime(new Date(at), i18n.language)}, ${person ?? account}`
  return (
    <LogPage<LoginLogLine>
      title={t('login-log.title')}
      explain={t(isSuperUser ? 'login-log.explain' : 'login-log.explain-own')}
      endpoint={searchLogins}
      counted={{ kind: 'login', figures: loginFigures }}
      tableKey="login-log"
      rowName={nameOf}
      columns={useColumns()}
      filters={useFilters()}
      pivots={usePivots()}
      drawer={(key, narrow) => <LoginLine id={key} onPick={narrow} />}
    />
  )
}

function useColumns(): (narrow: Narrow) => Column<LoginLogLine>[] {
  const { t } = useTranslation()
  const common = useLogColumns<LoginLogLine>('login')
  return (onPick) => {
    const { at, result, person, organization, category, application, ip, place, clientType, session } = common(onPick)
    return [
      at,
      result,
      person,
      {
        key: 'account',
        title: t('records.account'),
        render: ({ account }) => <LogWord name="accountIs" value={account} word={account} onPick={onPick} />,
      },
      organization,
      category,
      {
        key: 'authType',
        title: t('records.auth-type'),
        render: ({ authType, provider }) => (
          <LogWord name="authType" value={authType} word={provider ?? authTypeName(authType)} onPick={onPick} />
        ),
      },
      {
        key: 'factor',
        title: t('log.factor'),
        isExtra: true,
        render: ({ factor }) => (
          <LogWord name="factor" value={factor ?? 'none'} word={t(`log.factor.${factor ?? 'none'}`)} onPick={onPick} />
        ),
      },
      application,
      ip,
      place,
      {
        key: 'device',
        title: t('records.device'),
        render: ({ browser, device }) => (
          <span className="record-words">
            <LogWord name="browser" value={browser} word={browser} onPick={onPick} />
            <LogWord name="device" value={device} word={device} onPick={onPick} />
          </span>
        ),
      },
      clientType,
      {
        key: 'rules',
        title: t('log.rules'),
        isExtra: true,
        render: ({ rules }) => (
          <span className="record-words">
            {rules.length === 0 && '—'}
            {rules.map(({ rule, name }) => (
              <LogWord key={rule} name="rule" value={rule} word={name} onPick={onPick} />
            ))}
          </span>
        ),
      },
      {
        key: 'logoutAt',
        title: t('records.logout-time'),
        isExtra: true,
        render: ({ logoutAt }) => (logoutAt ? <Time value={logoutAt} /> : '—'),
      },
      session,
      { key: 'requestId', title: t('log.request'), isExtra: true, render: ({ requestId }) => requestId || '—' },
    ]
  }
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  return useLogFilters('login', [
    { name: 'account', label: t('records.account') },
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
    {
      name: 'ruleOutcome',
      label: t('log.rules'),
      options: SAID_OUTCOMES.map((value) => ({ value, label: saidWord(t, value) })),
    },
    { name: 'requestId', label: t('log.request') },
  ])
}

function saidWord(t: TFunction, said: SaidOutcome): string {
  const outcome = RULE_OUTCOMES.find((one) => said.endsWith(one)) ?? 'refuse'
  const word = t(`access-rule.outcome.${outcome}`)
  return said === outcome ? word : t('log.rule-would', { outcome: word })
}

const asIs = (value: string) => value

function usePivots(): Pivot[] {
  const { t } = useTranslation()
  return useLogPivots('login', [
    { name: 'rule', label: t('log.rules') },
    { name: 'accountIs', label: t('records.account'), nameOf: asIs },
    { name: 'browser', label: t('records.browser'), nameOf: asIs },
    { name: 'device', label: t('records.device'), nameOf: asIs },
  ])
}
