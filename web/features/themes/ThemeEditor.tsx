import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Theme } from '#shared/contract/themes.ts'
import type { Scheme } from '#shared/rules/design-tokens.ts'
import { DEFAULT_DESIGN } from '#shared/rules/theme-design.ts'
import { fieldDiff } from '../../ui/field-diff.ts'
import { FieldErrorsContext, fieldErrorsOf } from '../../ui/field-errors.ts'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { useRestoreFocus } from '../../ui/restore-focus.ts'
import { SaveBar } from '../../ui/SaveBar.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { BackgroundFields } from './BackgroundFields.tsx'
import { ColourFields } from './ColourFields.tsx'
import { ContrastMeter } from './ContrastMeter.tsx'
import { GeneralFields } from './GeneralFields.tsx'
import { PublishDialog } from './PublishDialog.tsx'
import { ThemeDifference } from './ThemeDifference.tsx'
import { ThemePreview } from './ThemePreview.tsx'
import { saveDraft, type ThemeDraft } from './theme-queries.ts'
import type { ThemeSlots } from './theme-slots.types.ts'
import { themeWords } from './theme-words.ts'

type Props = {
  theme: Theme
  isShown: boolean
  slots: ThemeSlots
  /** Absent: which theme is in use is not decided here. */
  onUse?: (() => void) | undefined
  onClose: () => void
}

const draftOf = ({ name, names, design, draft }: Theme): ThemeDraft => ({
  name,
  names,
  draft: draft ?? design ?? DEFAULT_DESIGN,
})

/** What is typed on the left is worn by the real pages on the right at once; saved it is a draft, until it is published. */
export function ThemeEditor({ theme, isShown, slots, onUse, onClose }: Props) {
  const { t } = useTranslation()
  const [stored, setStored] = useState(theme)
  const { loaded, draft, set, conflictOf } = useEditedDraft<Theme, ThemeDraft>(stored, draftOf)
  const [scheme, setScheme] = useState<Scheme>('light')
  const [error, setError] = useState<unknown>()
  const [isPublishing, setPublishing] = useState(false)
  const errors = useMemo(() => fieldErrorsOf(error), [error])
  const count = fieldDiff(draftOf(loaded), draft).length
  const { conflict } = conflictOf(themeWords(t))
  const take = (current: Theme) => {
    setStored(current)
    conflict?.onTakeTheirs(current)
  }
  const latest = useRef(draft)
  latest.current = draft
  const save = async () => {
    const current = await saveDraft(loaded, draft)
    if (latest.current === draft) return take(current)
    // What was typed meanwhile stays unsaved.
    setStored(current)
    conflict?.onKeepMine(current)
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
        <PageTitle>{t('login-topic.edit-title', { name: loaded.shownName })}</PageTitle>
        <button type="button" className="button" onClick={onClose}>
          {t('login-topic.back')}
        </button>
      </header>
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
            onSave={save}
            onDiscard={() => take(loaded)}
            impact={<Changes before={draftOf(loaded)} after={draft} />}
            error={error}
            onError={setError}
            conflict={conflict}
          />
        )}
        {count === 0 && (
          <NextStep
            hasDraft={loaded.draft !== null}
            isShown={isShown}
            onPublish={() => setPublishing(true)}
            onUse={onUse}
          />
        )}
      </FieldErrorsContext>
      {isPublishing && <PublishDialog theme={loaded} onRead={take} onClose={() => setPublishing(false)} />}
    </section>
  )
}

/** What is typed and not saved, part by part: much follows from one brand colour. */
function Changes({ before, after }: { before: ThemeDraft; after: ThemeDraft }) {
  const { t } = useTranslation()
  return (
    <details className="save-difference">
      <summary>{t('save-bar.difference')}</summary>
      <ThemeDifference before={before} after={after} />
    </details>
  )
}

type NextStepProps = {
  hasDraft: boolean
  isShown: boolean
  onPublish: () => void
  onUse?: (() => void) | undefined
}

/** Where a saved theme stands, with what leads on from there, where the bar that saved it was. */
function NextStep({ hasDraft, isShown, onPublish, onUse }: NextStepProps) {
  const { t } = useTranslation()
  const step = hasDraft
    ? { text: t('login-topic.state.draft'), verb: t('login-topic.publish'), run: onPublish }
    : isShown
      ? { text: t('login-topic.state.shown') }
      : { text: t('login-topic.state.published'), verb: t('login-topic.use-now'), run: onUse }
  return (
    <div className="save-bar save-line">
      <span role="status">{step.text}</span>
      {step.run && <StepButton key={step.verb} verb={step.verb} onClick={step.run} />}
    </div>
  )
}

function StepButton({ verb, onClick }: { verb: string; onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  // It goes away with what it did.
  useRestoreFocus(button)
  return (
    <button ref={button} type="button" className="button button-primary" onClick={onClick}>
      {verb}
    </button>
  )
}
