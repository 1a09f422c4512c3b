import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApplicationDetails } from '#shared/contract/application-manage.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { AppIcon } from '../../ui/AppIcon.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { type FieldErrors, FieldErrorsContext } from '../../ui/field-errors.ts'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock, isNotFound, NotFoundCard } from '../../ui/StateBlock.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ApplicationState, BuiltInTag } from './ApplicationState.tsx'
import { AttributesSection } from './AttributesSection.tsx'
import { BasicSection } from './BasicSection.tsx'
import { CasSection } from './CasSection.tsx'
import { OpenIdSection } from './OpenIdSection.tsx'
import { PreviewSection } from './PreviewSection.tsx'
import { SaveBar } from './SaveBar.tsx'
import { SnippetsSection } from './SnippetsSection.tsx'
import { StateDialog, useRestore, useStateChange } from './StateDialog.tsx'
import { type ApplicationDraft, useApplicationDraft } from './use-application-draft.ts'
import '../../ui/form-card.css'
import './application-fields.css'
import './application-manage.css'
import './application-preview.css'

/** Tabs that other features contribute. */
type ApplicationSlots = {
  access?: (app: ApplicationDetails) => ReactNode
  interfaces?: (app: ApplicationDetails) => ReactNode
  statistics?: (app: ApplicationDetails) => ReactNode
  history?: (app: ApplicationDetails) => ReactNode
}

type Props = { id: string; slots: ApplicationSlots }

/** One application, in tabs that share unsaved input. */
export function ApplicationDetail({ id, slots }: Props) {
  const { draft, query } = useApplicationDraft(id)
  const [error, setError] = useState<unknown>()
  const errors = useMemo(() => errorsOf(error), [error])
  if (query.isError && !draft) return <Failed error={query.error} onRetry={() => void query.refetch()} />
  if (!draft) return <PageSkeleton />
  return (
    <FieldErrorsContext value={errors}>
      <div className="application-detail">
        <DetailHeader app={draft.value} />
        <DetailTabs draft={draft} slots={slots} />
        <SaveBar draft={draft} error={error} onError={setError} />
      </div>
    </FieldErrorsContext>
  )
}

function Failed(props: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const back = () => void navigate({ to: '/manage/application-manage' })
  return isNotFound(props.error) ? (
    <NotFoundCard title={t('application-detail.title')} onBack={back} />
  ) : (
    <FailedBlock {...props} />
  )
}

/** The name that people see, in the language of the page. */
function useDisplayName({ names, name }: ApplicationDetails): string {
  const { i18n } = useTranslation()
  return names[i18n.language as Language] || name
}

function DetailHeader({ app }: { app: ApplicationDetails }) {
  const { t } = useTranslation()
  const name = useDisplayName(app)
  const state = {
    state: app.enabled ? (1 as const) : (0 as const),
    deleted: app.deletedAt !== null,
    builtIn: app.builtIn,
  }
  return (
    <header className="card detail-head">
      <AppIcon app={app} />
      <div className="detail-name">
        <PageTitle>{name || app.appId}</PageTitle>
        <p className="muted">
          <code>{app.appId}</code>
          <CopyButton text={app.appId} label={t('application-manage.code')} />
          <span>{t(`application-protocol.${app.protocol}`)}</span>
        </p>
      </div>
      <BuiltInTag app={app} />
      <ApplicationState app={state} />
      {!app.builtIn && <StateButton app={app} name={name} />}
      <Link to="/manage/application-manage" className="button button-quiet">
        {t('application-settings.back')}
      </Link>
    </header>
  )
}

/** The action that fits the state. */
function StateButton({ app, name }: { app: ApplicationDetails; name: string }) {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const open = useStateChange('open')
  const restore = useRestore()
  const verb = app.deletedAt !== null ? 'restore' : app.enabled ? 'close' : 'open'
  const run = () => {
    if (verb === 'close') setAsked(true)
    else if (verb === 'open') open.mutate({ rows: [app] })
    else restore.mutate(app.id)
  }
  return (
    <>
      <button type="button" className="button" onClick={run}>
        {t(`application-manage.do-${verb}`)}
      </button>
      {isAsked && (
        <StateDialog
          verb="close"
          selection={{ rows: [{ id: app.id, appId: app.appId, name }] }}
          clear={() => undefined}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}

function DetailTabs({ draft, slots }: { draft: ApplicationDraft; slots: ApplicationSlots }) {
  const { t } = useTranslation()
  const { loaded } = draft
  const name = useDisplayName(loaded)
  const tab = (key: keyof ApplicationSlots | TabName, render: () => ReactNode) => ({
    key,
    label: t(`application-tab.${key}`),
    render,
  })
  const slot = (key: keyof ApplicationSlots) => {
    const render = slots[key]
    return render ? [tab(key, () => render({ ...loaded, name }))] : []
  }
  const own = loaded.builtIn
    ? []
    : [
        loaded.protocol === 'cas'
          ? tab('cas', () => <CasSection draft={draft} />)
          : tab('oauth2', () => <OpenIdSection draft={draft} />),
        tab('attributes', () => <AttributesSection draft={draft} />),
        tab('preview', () => <PreviewSection draft={draft} />),
        ...slot('access'),
        ...slot('interfaces'),
        tab('snippets', () => <SnippetsSection app={loaded} />),
      ]
  const tabs = [tab('basic', () => <BasicSection draft={draft} />), ...own, ...slot('statistics'), ...slot('history')]
  return (
    <div className="card detail-body">
      <Tabs label={t('application-settings.tabs')} tabs={tabs} param="tab" />
    </div>
  )
}

type TabName = 'basic' | 'cas' | 'oauth2' | 'attributes' | 'preview' | 'snippets'

/** The server names fields inside `changes`; the form uses their plain names. */
function errorsOf(error: unknown): FieldErrors {
  if (!isRefusal(error, 'request.invalid')) return {}
  const { fields = [] } = (error.data ?? {}) as { fields?: { field: string; reason: string }[] }
  const named = fields.flatMap(({ field, reason }): [string, string][] => {
    const name = field.replace(/^changes\./, '')
    const [first = name, second = ''] = name.split('.')
    return [
      [first, reason],
      [`${first}.${second}`, reason],
      [name, reason],
    ]
  })
  return Object.fromEntries(named.toReversed())
}
