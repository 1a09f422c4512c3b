import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type AccessRule, accessRules } from '#shared/contract/access-rules.ts'
import { call } from '../../platform/api.ts'
import { useDrawerTitle } from '../../ui/drawer-title.ts'
import { FactList } from '../../ui/FactList.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { Time } from '../../ui/Time.tsx'
import { ModeTag } from './ModeTag.tsx'
import { RuleOutcomes } from './RuleOutcomes.tsx'
import { SentenceOf } from './RuleSentence.tsx'
import { RULES_KEY } from './rule-queries.ts'
import type { RuleSlots } from './rule-slots.types.ts'
import { applicationsText, outcomeText, whenText, whereText, whoText, wordsOf } from './rule-words.ts'

type Props = { id: string; slots: RuleSlots; onClose: () => void }

/** A rule with its conditions, its effects and its history. */
export function AccessRuleDrawer({ id, slots, onClose }: Props) {
  const { i18n } = useTranslation()
  const rule = useQuery({
    queryKey: [RULES_KEY, 'details', id, i18n.language],
    queryFn: ({ signal }) => call(accessRules.details, { query: { id } }, { signal }),
  })
  if (rule.isError) return <FailedBlock error={rule.error} onRetry={() => void rule.refetch()} onBack={onClose} />
  if (!rule.data) return <Skeleton lines={6} />
  return <Parts rule={rule.data} slots={slots} />
}

function Parts({ rule, slots }: { rule: AccessRule; slots: RuleSlots }) {
  const { t } = useTranslation()
  useDrawerTitle(rule.shownName)
  return (
    <Tabs
      label={t('access-rule.parts')}
      param="part"
      tabs={[
        { key: 'facts', label: t('access-rule.facts'), render: () => <Facts rule={rule} /> },
        { key: 'outcomes', label: t('access-rule.outcomes'), render: () => <RuleOutcomes rule={rule} /> },
        { key: 'history', label: t('access-rule.history'), render: () => slots.history(rule) },
      ]}
    />
  )
}

function Facts({ rule }: { rule: AccessRule }) {
  const { t, i18n } = useTranslation()
  const { name, names, shownName, mode, outcome, message, messages, updatedAt } = rule
  const words = wordsOf(t, rule)
  const others = Object.values(names).filter((one) => one !== shownName && one !== name)
  const allMessages = [message, ...Object.values(messages)].filter(Boolean)
  const rows: [string, ReactNode][] = [
    [t('access-rule.mode'), <ModeTag mode={mode} key="mode" />],
    [t('access-rule.who'), whoText(t, words.who)],
    [t('access-rule.where'), whereText(t, words.where)],
    [t('access-rule.when'), whenText(t, i18n.language, words.when)],
    [t('access-rule.applications'), applicationsText(t, words.applications)],
    [t('access-rule.then'), outcomeText(t, outcome)],
    ...(outcome === 'refuse' ? ([[t('access-rule.message'), allMessages.join(' · ')]] as const) : []),
    [t('access-rule.names'), others.join(' · ')],
    [t('access-rule.updated-at'), updatedAt && <Time value={updatedAt} key="time" />],
  ].map(([label, value]) => [label as string, value])
  return (
    <>
      <p className="rule-preview">
        <SentenceOf rule={rule} />
      </p>
      <Notices rule={rule} />
      <FactList rows={rows} />
    </>
  )
}

/** Warnings about a rule, to be read before relying on it. */
function Notices({ rule }: { rule: AccessRule }) {
  const { t } = useTranslation()
  const { missing, outcome, settingsKey, setByFile } = rule
  const isClosed = outcome === 'second-factor' || outcome === 'captcha'
  return (
    <>
      {missing > 0 && (
        <p className="banner rule-caution">
          {t(isClosed ? 'access-rule.missing.closed' : 'access-rule.missing.open', { count: missing })}
        </p>
      )}
      {settingsKey && (
        <p className="banner">
          {t(setByFile ? 'access-rule.set-by-file' : 'access-rule.in-login-config')}{' '}
          <Link to="/manage/login-config">{t('login-config.title')}</Link>
        </p>
      )}
    </>
  )
}
