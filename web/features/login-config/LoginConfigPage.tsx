import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoginConfig, POLICY_KEYS, type PolicyKey } from '#shared/contract/login-config.ts'
import { FIGURE_KEYS, loginConfigImpact } from '#shared/contract/policy-impact.ts'
import { call } from '../../platform/api.ts'
import { FieldErrorsContext, fieldErrorsOf } from '../../ui/field-errors.ts'
import { ImpactFigures } from '../../ui/ImpactFigures.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { SaveBar } from '../../ui/SaveBar.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { PasswordTestDialog } from './PasswordTestDialog.tsx'
import { PolicySections } from './PolicySections.tsx'
import { valueText } from './policy-values.ts'
import { type LoadedPolicy, type LoginConfigDraft, useLoginConfig } from './use-login-config.ts'
import './login-config.css'

/** The login rules: every key with its default and effect. */
export function LoginConfigPage({ history }: { history: ReactNode }) {
  const { t } = useTranslation()
  const { draft, query } = useLoginConfig()
  return (
    <section className="login-config" aria-labelledby="page-title">
      <header className="login-config-head">
        <PageTitle>{t('login-config.title')}</PageTitle>
        <p className="muted">{t('login-config.explain')}</p>
      </header>
      {draft ? (
        <LoadedPage draft={draft} history={history} />
      ) : (
        <div className="card login-config-body">
          {query.isError ? (
            <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <Skeleton lines={8} />
          )}
        </div>
      )}
    </section>
  )
}

/** Without a change in these, there is no impact to compute. */
const JUDGED_KEYS: ReadonlySet<PolicyKey> = new Set(Object.values(FIGURE_KEYS).flat())

const loadImpact = (body: LoginConfigDraft['unsaved'], signal: AbortSignal) =>
  call(loginConfigImpact, { body }, { signal })

function LoadedPage({ draft, history }: { draft: LoginConfigDraft; history: ReactNode }) {
  const { t } = useTranslation()
  const [error, setError] = useState<unknown>()
  const [isTesting, setTesting] = useState(false)
  const [search, setSearch] = useState('')
  const errors = useMemo(() => policyErrorsOf(error), [error])
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error !== undefined) body.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  const refuse = (refusal: unknown) => {
    setError(refusal)
    // The fields that it names are shown, to be marked and focused.
    if (Object.keys(policyErrorsOf(refusal)).length > 0) setSearch('')
  }
  const tabs = [
    {
      key: 'settings',
      label: t('login-config.tab.settings'),
      render: () => <PolicySections {...{ draft, search }} onSearch={setSearch} onTest={() => setTesting(true)} />,
    },
    { key: 'history', label: t('login-config.tab.history'), render: () => history },
  ]
  const unreadable = draft.loaded.config.unreadable.map((key) => t(`audit-field.${key}`))
  const judged = draft.dirty.some((key) => JUDGED_KEYS.has(key)) ? draft.unsaved : null
  return (
    <FieldErrorsContext value={errors}>
      {unreadable.length > 0 && (
        <p className="banner banner-danger">
          {t('login-config.unreadable', { settings: unreadable.join(t('list.separator')) })}
        </p>
      )}
      <div className="card login-config-body" ref={body}>
        <Tabs label={t('login-config.tabs')} tabs={tabs} param="tab" />
      </div>
      <SaveBar<LoadedPolicy>
        count={draft.dirty.length}
        onSave={draft.save}
        onForce={async () => {
          await draft.force()
          setError(undefined)
        }}
        onDiscard={draft.discard}
        impact={<ImpactFigures name="login-config" draft={judged} load={loadImpact} />}
        error={error}
        onError={refuse}
        conflict={{
          loaded: draft.loaded,
          labels: Object.fromEntries(POLICY_KEYS.map((key) => [key, t(`audit-field.${key}`)])),
          mine: Object.fromEntries(draft.dirty.map((key) => [key, draft.shownValue(key)])),
          show: (key, value) => (key === 'config' ? '' : valueText(t, key, value)),
          onTakeTheirs: draft.takeTheirs,
          onKeepMine: draft.keepMine,
        }}
      />
      {isTesting && <PasswordTestDialog draft={draft} onClose={() => setTesting(false)} />}
    </FieldErrorsContext>
  )
}

/** The server names fields inside `changes`, or a part of a list; the page uses the key. */
function policyErrorsOf(error: unknown): Readonly<Record<string, string>> {
  const named = Object.entries(fieldErrorsOf(error))
  const toKey = (field: string) => field.replace(/^changes\./, '').split('.')[0] as keyof LoginConfig['values']
  return Object.fromEntries(named.filter(([field]) => field !== 'changes').map(([field, text]) => [toKey(field), text]))
}
