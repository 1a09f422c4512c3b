import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Theme } from '#shared/contract/themes.ts'
import type { Scheme } from '#shared/rules/design-tokens.ts'
import { DEFAULT_DESIGN } from '#shared/rules/theme-design.ts'
import { fieldDiff } from '../../ui/field-diff.ts'
import { FieldErrorsContext, fieldErrorsOf } from '../../ui/field-errors.ts'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { SaveBar } from '../../ui/SaveBar.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { BackgroundFields } from './BackgroundFields.tsx'
import { ColourFields } from './ColourFields.tsx'
import { ContrastMeter } from './ContrastMeter.tsx'
import { designPartName, designPartText } from './design-words.ts'
import { GeneralFields } from './GeneralFields.tsx'
import { PublishDialog } from './PublishDialog.tsx'
import { ThemePreview } from './ThemePreview.tsx'
import type { ThemeSlots } from './ThemesPage.tsx'
import { saveDraft, type ThemeDraft } from './theme-queries.ts'

type Props = { theme: Theme; isShown: boolean; slots: ThemeSlots; onClose: () => void }

const draftOf = ({ name, design, draft }: Theme): ThemeDraft => ({ name, draft: draft ?? design ?? DEFAULT_DESIGN })

/** What is typed on the left is worn by the real pages on the right at once; saved it is a draft, until it is published. */
export function ThemeEditor({ theme, isShown, slots, onClose }: Props) {
  const { t } = useTranslation()
  const [stored, setStored] = useState(theme)
  const { loaded, draft, set, conflictOf } = useEditedDraft<Theme, ThemeDraft>(stored, draftOf)
  const [scheme, setScheme] = useState<Scheme>('light')
  const [error, setError] = useState<unknown>()
  const [isPublishing, setPublishing] = useState(false)
  const errors = useMemo(() => fieldErrorsOf(error), [error])
  const count = fieldDiff(draftOf(loaded), draft).length
  const { conflict } = conflictOf({
    labels: { name: t('login-topic.name'), draft: t('audit-field.draft') },
    // A draft that is there on one side only.
    show: (_field, value) => (typeof value === 'string' ? value : value === null ? '—' : t('login-topic.has-draft')),
    parts: {
      draft: { nameOf: (path) => designPartName(t, path), textOf: (path, value) => designPartText(t, path, value) },
    },
  })
  const take = (current: Theme) => {
    setStored(current)
    conflict?.onTakeTheirs(current)
  }
  const look = draft.draft
  const change = (part: Partial<ThemeDraft['draft']>) => set({ draft: { ...look, ...part } })
  const fields = (
    <>
      <GeneralFields draft={draft} onChange={set} />
      <ColourFields design={look} scheme={scheme} onScheme={setScheme} onChange={change} />
      <BackgroundFields value={look.background} onChange={(background) => change({ background })} />
    </>
  )
  const meter = <ContrastMeter design={look} onChange={(next) => set({ draft: next })} />
  const tabs = [
    { key: 'look', label: t('login-topic.tab.look'), render: () => fields },
    { key: 'contrast', label: t('login-topic.tab.contrast'), render: () => meter },
    { key: 'history', label: t('login-config.tab.history'), render: () => slots.history(theme.id) },
  ]
  return (
    <section className="theme-editor" aria-labelledby={PAGE_TITLE}>
      <header className="theme-editor-head">
        <PageTitle>{t('login-topic.edit-title', { name: loaded.name })}</PageTitle>
        <span className="form-actions">
          <button type="button" className="button" onClick={onClose}>
            {t('login-topic.back')}
          </button>
          <button
            type="button"
            className="button button-primary"
            aria-disabled={count > 0 || !loaded.draft || undefined}
            aria-describedby="publish-hint"
            onClick={() => count === 0 && loaded.draft && setPublishing(true)}
          >
            {t('login-topic.publish')}
          </button>
        </span>
      </header>
      <p className="muted" id="publish-hint">
        {t(stateOf({ count, hasDraft: loaded.draft !== null, isShown }))}
      </p>
      <FieldErrorsContext value={errors}>
        <div className="theme-editor-body">
          <div className="card theme-fields">
            <Tabs label={t('login-topic.parts')} tabs={tabs} />
          </div>
          <ThemePreview design={look} scheme={scheme} onScheme={setScheme} />
        </div>
        {conflict && (
          <SaveBar<Theme>
            count={count}
            onSave={async () => take(await saveDraft(loaded, draft))}
            onDiscard={() => take(loaded)}
            error={error}
            onError={setError}
            conflict={conflict}
          />
        )}
      </FieldErrorsContext>
      {isPublishing && <PublishDialog theme={loaded} onDone={take} onClose={() => setPublishing(false)} />}
    </section>
  )
}

type State = { count: number; hasDraft: boolean; isShown: boolean }

function stateOf({ count, hasDraft, isShown }: State) {
  if (count > 0) return 'login-topic.state.unsaved'
  if (hasDraft) return 'login-topic.state.draft'
  return isShown ? 'login-topic.state.shown' : 'login-topic.state.published'
}
