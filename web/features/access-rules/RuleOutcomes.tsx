import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type AccessRule,
  accessRules,
  DEFAULT_OUTCOME_DAYS,
  listRuleOutcomes,
  MAX_ACCESS_RULES,
  RULE_OUTCOMES,
  type RuleLogin,
  SETTINGS_RULES,
} from '#shared/contract/access-rules.ts'
import { call } from '../../platform/api.ts'
import { translateOr } from '../../platform/i18n.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { StateWord } from '../../ui/StateWord.tsx'
import { Time } from '../../ui/Time.tsx'
import { OutcomeWord } from './RuleSentence.tsx'
import { OUTCOMES_KEY, RULES_KEY } from './rule-queries.ts'
import './access-rules.css'

/** Logins to which rules applied, with what each did or would have done. @param rule absent: all rules. */
export function RuleOutcomes({ rule }: { rule?: AccessRule }) {
  const { t } = useTranslation()
  return (
    <ListPage<RuleLogin>
      title={t('access-rule.outcomes')}
      explain={t('access-rule.outcomes.explain', { count: DEFAULT_OUTCOME_DAYS })}
      embedded
      endpoint={listRuleOutcomes}
      queryKey={OUTCOMES_KEY}
      {...(rule && { fixedQuery: { rule: rule.id }, place: 'memory' as const })}
      pageSizes="log"
      rowKey="id"
      rowName={({ person, account }) => person?.name ?? account}
      columns={useColumns(rule)}
      filters={useFilters(!rule)}
      searchLabel={t('access-rule.outcomes.search')}
      defaultSort="-at"
      empty={t(rule?.mode === 'off' ? 'access-rule.outcomes.off' : 'access-rule.outcomes.none')}
    />
  )
}

function useColumns(rule: AccessRule | undefined): Column<RuleLogin>[] {
  const { t } = useTranslation()
  return [
    { key: 'at', title: t('records.login-time'), sortable: true, render: ({ at }) => <Time value={at} /> },
    {
      key: 'person',
      title: t('access-rule.person'),
      headsCard: true,
      render: ({ person, account }) => (person ? `${person.name} (${account})` : account),
    },
    {
      key: 'outcomes',
      title: t('access-rule.outcome'),
      render: ({ outcomes }) => <Outcomes of={rule} outcomes={outcomes} />,
    },
    { key: 'result', title: t('records.result'), render: (login) => <Result login={login} /> },
    {
      key: 'ip',
      title: t('records.ip'),
      render: ({ ip, ipRange }) => [ip, ipRange].filter(Boolean).join(' · '),
    },
    {
      key: 'application',
      title: t('records.application'),
      render: ({ application }) => application ?? t('records.portal'),
    },
  ]
}

/** The list of one rule shows only its outcome, without the name. */
function Outcomes({ of, outcomes }: { of: AccessRule | undefined; outcomes: RuleLogin['outcomes'] }) {
  const { t } = useTranslation()
  const shown = of ? outcomes.filter(({ rule }) => rule === of.id) : outcomes
  return (
    <span className="rule-outcomes">
      {shown.map(({ rule, name, outcome, did }) => (
        <span key={rule}>
          {!did && <span className="muted">{t('access-rule.would')} </span>}
          <OutcomeWord outcome={outcome} />
          {!of && <span className="muted"> · {name}</span>}
        </span>
      ))}
    </span>
  )
}

function Result({ login: { succeeded, reason } }: { login: RuleLogin }) {
  const { t } = useTranslation()
  return (
    <StateWord tone={succeeded ? 'well' : 'danger'}>
      {succeeded ? t('access-rule.got-in') : translateOr(`login-reason.${reason}`, 'access-rule.refused')}
    </StateWord>
  )
}

/** As many as there can be. */
const NAMED = MAX_ACCESS_RULES + Object.keys(SETTINGS_RULES).length

function useFilters(withRules: boolean): Filter[] {
  const { t, i18n } = useTranslation()
  const { data } = useQuery({
    queryKey: [RULES_KEY, 'names', i18n.language],
    queryFn: ({ signal }) => call(accessRules.list, { query: { pageSize: NAMED } }, { signal }),
    enabled: withRules,
  })
  const rules = (data?.records ?? []).map(({ id, shownName }) => ({ value: id, label: shownName }))
  return [
    ...(withRules ? [{ name: 'rule', label: t('access-rule.one'), options: rules, gone: t('access-rule.gone') }] : []),
    {
      name: 'did',
      label: t('access-rule.did'),
      options: [
        { value: '1', label: t('access-rule.did.1') },
        { value: '0', label: t('access-rule.did.0') },
      ],
    },
    {
      name: 'outcome',
      label: t('access-rule.outcome'),
      options: RULE_OUTCOMES.map((value) => ({ value, label: t(`access-rule.outcome.${value}`) })),
    },
    { kind: 'period', label: t('access-rule.period') },
  ]
}
