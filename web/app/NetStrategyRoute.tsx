import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { RuleSlots } from '../features/access-rules/rule-slots.types.ts'
import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { IpRangesList } from '../features/ip-ranges/IpRangesList.tsx'
import type { RangeSlots } from '../features/ip-ranges/range-slots.types.ts'
import { loadChunk } from '../platform/load-chunk.ts'
import { Skeleton } from '../ui/PageSkeleton.tsx'
import { PAGE_TITLE, PageTitle } from '../ui/PageTitle.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import './net-strategy.css'

const RANGE_SLOTS: RangeSlots = { history: (id) => <HistoryTab kind="ip-range" id={id} /> }
const RULE_SLOTS: RuleSlots = {
  history: ({ id, settingsKey }) =>
    settingsKey ? <HistoryTab kind="settings" id="login" /> : <HistoryTab kind="access-rule" id={id} />,
}

const AccessRulesList = lazy(async () => ({
  default: (await loadChunk(() => import('../features/access-rules/AccessRulesList.tsx'))).AccessRulesList,
}))
const RuleTester = lazy(async () => ({
  default: (await loadChunk(() => import('../features/access-rules/RuleTester.tsx'))).RuleTester,
}))
const RuleOutcomes = lazy(async () => ({
  default: (await loadChunk(() => import('../features/access-rules/RuleOutcomes.tsx'))).RuleOutcomes,
}))

/** IP ranges, with the access rules that use them. */
export function NetStrategyRoute() {
  const { t } = useTranslation()
  const tabs = [
    { key: 'ranges', label: t('ip-range.title'), render: () => <IpRangesList slots={RANGE_SLOTS} /> },
    { key: 'rules', label: t('access-rule.title'), render: () => <AccessRulesList slots={RULE_SLOTS} /> },
    { key: 'test', label: t('access-rule.test'), render: () => <RuleTester /> },
    { key: 'outcomes', label: t('access-rule.outcomes'), render: () => <RuleOutcomes /> },
  ].map((tab) => ({ ...tab, render: () => <Suspense fallback={<Skeleton lines={6} />}>{tab.render()}</Suspense> }))
  return (
    <section className="net-strategy" aria-labelledby={PAGE_TITLE}>
      <header>
        <PageTitle>{t('net-strategy.title')}</PageTitle>
        <p className="muted">{t('net-strategy.explain')}</p>
      </header>
      <div className="card net-strategy-body">
        <Tabs label={t('net-strategy.parts')} tabs={tabs} param="tab" isPage />
      </div>
    </section>
  )
}
