import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AccessRule, accessRules, RULE_MODES, RULE_OUTCOMES } from '#shared/contract/access-rules.ts'
import { loadChunk } from '../../platform/load-chunk.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { Time } from '../../ui/Time.tsx'
import { AccessRuleDrawer } from './AccessRuleDrawer.tsx'
import { LastWeek } from './LastWeek.tsx'
import { MissingTag } from './MissingTag.tsx'
import { ModeTag } from './ModeTag.tsx'
import { RuleImpact } from './RuleImpact.tsx'
import { RuleModeDialog } from './RuleModeDialog.tsx'
import { RulePresets } from './RulePresets.tsx'
import { SentenceOf } from './RuleSentence.tsx'
import type { RulePreset } from './rule-draft.ts'
import { RULES_KEY, refreshRules } from './rule-queries.ts'
import type { RuleSlots } from './rule-slots.types.ts'
import { useConflictWords } from './use-conflict-words.ts'
import './access-rules.css'

const AccessRuleForm = lazy(async () => ({
  default: (await loadChunk(() => import('./AccessRuleForm.tsx'))).AccessRuleForm,
}))

type OpenDialog = { what: 'new'; preset?: RulePreset } | { what: 'edit' | 'mode' | 'delete'; rule: AccessRule }

/** The access rules, each as a sentence. */
export function AccessRulesList({ slots }: { slots: RuleSlots }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <RulePresets onChoose={(preset) => setOpen({ what: 'new', preset })} />
      <ListPage<AccessRule>
        title={t('access-rule.title')}
        explain={t('access-rule.explain')}
        embedded
        actions={
          <button type="button" className="button button-primary" onClick={() => setOpen({ what: 'new' })}>
            {t('access-rule.create')}
          </button>
        }
        endpoint={accessRules.list}
        queryKey={RULES_KEY}
        tableKey="access-rule"
        rowKey="id"
        rowName={({ shownName }) => shownName}
        columns={useColumns()}
        filters={useFilters()}
        searchLabel={t('access-rule.search')}
        defaultSort="name"
        drawer={{
          title: (rule) => rule?.shownName ?? t('access-rule.one'),
          render: (id, { close: onClose }) => <AccessRuleDrawer id={id} slots={slots} onClose={onClose} />,
        }}
        rowActions={(rule) => <RowVerbs rule={rule} onOpen={setOpen} />}
      />
      <Suspense fallback={null}>
        {open?.what === 'new' && <AccessRuleForm edited={null} preset={open.preset} onClose={close} />}
        {open?.what === 'edit' && <AccessRuleForm edited={open.rule} onClose={close} />}
      </Suspense>
      {open?.what === 'mode' && <RuleModeDialog rule={open.rule} onClose={close} />}
      {open?.what === 'delete' && <DeleteRule rule={open.rule} onClose={close} />}
    </>
  )
}

type VerbsProps = { rule: AccessRule; onOpen: (open: OpenDialog) => void }

function RowVerbs({ rule, onOpen }: VerbsProps) {
  const { t } = useTranslation()
  const name = rule.shownName
  if (rule.settingsKey) {
    return (
      <Link
        to="/manage/login-config"
        className="button button-quiet"
        aria-label={t('access-rule.in-login-config.go-of', { name })}
      >
        {t('access-rule.in-login-config.go')}
      </Link>
    )
  }
  const verb = (what: 'mode' | 'edit' | 'delete', label: string, spoken: string) => (
    <button type="button" className="button button-quiet" aria-label={spoken} onClick={() => onOpen({ what, rule })}>
      {label}
    </button>
  )
  return (
    <span className="rule-verbs">
      {verb('mode', t('access-rule.switch'), t('access-rule.switch-one', { name }))}
      {verb('edit', t('access-rule.edit'), t('access-rule.edit-one', { name }))}
      {verb('delete', t('access-rule.delete'), t('access-rule.delete-one', { name }))}
    </span>
  )
}

function DeleteRule({ rule, onClose }: { rule: AccessRule; onClose: () => void }) {
  const { t } = useTranslation()
  const words = useConflictWords(rule)
  const { shownName: name } = rule
  return (
    <DeleteDialog
      remove={accessRules.remove}
      row={rule}
      words={words.conflict}
      onConflict={words.note}
      title={t('access-rule.delete-title', { name })}
      verb={t('access-rule.delete')}
      done={t('access-rule.deleted', { name })}
      refresh={refreshRules}
      onClose={onClose}
    >
      <p>{t(rule.mode === 'on' ? 'access-rule.delete-on' : 'access-rule.delete-text')}</p>
      {rule.mode === 'on' && <RuleImpact rule={rule} fields={null} />}
    </DeleteDialog>
  )
}

function useColumns(): Column<AccessRule>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'name',
      title: t('access-rule.name'),
      sortable: true,
      opensDrawer: true,
      render: ({ shownName }) => shownName,
    },
    {
      key: 'rule',
      title: t('access-rule.one'),
      isLong: true,
      render: (rule) => (
        <span className="rule-cell">
          <SentenceOf rule={rule} />
          <MissingTag rule={rule} />
          {rule.setByFile && <span className="tag tag-plain">{t('login-config.by-file')}</span>}
        </span>
      ),
    },
    { key: 'mode', title: t('access-rule.mode'), headsCard: true, render: ({ mode }) => <ModeTag mode={mode} /> },
    {
      key: 'lastWeek',
      title: t('access-rule.last-week'),
      render: (rule) => <LastWeek rule={rule} />,
    },
    {
      key: 'updatedAt',
      title: t('access-rule.updated-at'),
      sortable: true,
      isExtra: true,
      render: ({ updatedAt }) => (updatedAt ? <Time value={updatedAt} /> : '—'),
    },
  ]
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  return [
    {
      name: 'mode',
      label: t('access-rule.mode'),
      options: RULE_MODES.map((value) => ({ value, label: t(`access-rule.mode.${value}`) })),
    },
    {
      name: 'outcome',
      label: t('access-rule.then'),
      options: RULE_OUTCOMES.map((value) => ({ value, label: t(`access-rule.outcome.${value}`) })),
    },
    {
      name: 'missing',
      label: t('access-rule.references'),
      any: t('access-rule.references.any'),
      options: [{ value: '1', label: t('access-rule.references.missing') }],
    },
  ]
}
