import { type FormEvent, type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_TEXT_LENGTH, type TextInLanguage } from '#shared/contract/languages.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { fieldErrorsOf } from '../../ui/field-errors.ts'
import { UnsavedGuard } from '../../ui/UnsavedGuard.tsx'
import { saveText } from './text-queries.ts'

type Props = {
  name: string
  one: TextInLanguage
  placeholders: readonly string[]
  onDone: () => void
}

/** What somebody else has saved since the field was opened. */
type Theirs = { text: string | null; version: number }

/** The field of a text where it stands: saved by Ctrl and Enter, left by Escape. */
export function TextEditor({ name, one, placeholders, onDone }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const editor = useTextEditor(name, one, onDone)
  const { text, problem, theirs } = editor
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (!editor.busy) void editor.save(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onDone()
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
  }
  return (
    <form className="text-editor" noValidate onSubmit={submit}>
      <textarea
        className="input"
        lang={languageTag(one.language)}
        aria-label={t('language-list.field', { name })}
        aria-describedby={`${id}-help`}
        aria-invalid={problem ? true : undefined}
        // The person has just opened this field.
        // biome-ignore lint/a11y/noAutofocus: the focus stays where the person pressed
        autoFocus
        rows={Math.min(8, Math.max(2, Math.ceil(text.length / 36)))}
        maxLength={MAX_TEXT_LENGTH}
        value={text}
        onChange={(event) => editor.setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-help`} className="text-editor-help">
        {placeholders.length > 0 && (
          <p className="muted">
            {t('language-list.placeholders')} {placeholders.map((one) => `{{${one}}}`).join(' ')}
          </p>
        )}
        {one.own !== null && one.shipped !== null && (
          <p className="muted">{t('language-list.shipped', { text: one.shipped })}</p>
        )}
        {one.formerlyShipped !== null && (
          <p className="muted">{t('language-list.formerly-shipped', { text: one.formerlyShipped })}</p>
        )}
        {problem && (
          <p className="field-error" role="alert">
            {problem}
          </p>
        )}
      </div>
      {theirs && <TheirText theirs={theirs} onTake={editor.takeTheirs} onKeep={editor.keepMine} />}
      <div className="text-editor-verbs">
        <button type="submit" className="button button-primary" aria-disabled={editor.busy || undefined}>
          {t('action.save')}
        </button>
        <button type="button" className="button" onClick={onDone}>
          {t('action.cancel')}
        </button>
        {one.own !== null && (
          <button type="button" className="button button-quiet" onClick={() => void editor.save(null)}>
            {t('language-list.use-shipped')}
          </button>
        )}
      </div>
      <UnsavedGuard when={editor.isDirty && !editor.busy} />
    </form>
  )
}

function TheirText({ theirs, onTake, onKeep }: { theirs: Theirs; onTake: () => void; onKeep: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="conflict" role="alert">
      <p>{t('language-list.theirs', { text: theirs.text ?? t('language-list.as-shipped') })}</p>
      <div className="text-editor-verbs">
        <button type="button" className="button" onClick={onTake}>
          {t('conflict.take-theirs')}
        </button>
        <button type="button" className="button" onClick={onKeep}>
          {t('conflict.keep-mine')}
        </button>
      </div>
    </div>
  )
}

/** Null: it is another refusal. */
function theirsOf(error: unknown): Theirs | null {
  if (!isRefusal(error, 'version.conflict')) return null
  return (error.data as { current?: Theirs } | null)?.current ?? null
}

function useTextEditor(key: string, one: TextInLanguage, onDone: () => void) {
  const [text, setText] = useState(one.text)
  const [began, setBegan] = useState({ text: one.text, version: one.version, own: one.own })
  const [problem, setProblem] = useState('')
  const [theirs, setTheirs] = useState<Theirs | null>(null)
  const [busy, setBusy] = useState(false)
  const save = async (wanted: string | null) => {
    if (wanted === began.text) return onDone()
    setBusy(true)
    setProblem('')
    try {
      await saveText({ language: one.language, key, text: wanted, version: began.version }, began.own)
      onDone()
    } catch (error) {
      setBusy(false)
      setTheirs(theirsOf(error))
      setProblem(theirsOf(error) ? '' : (fieldErrorsOf(error)[`texts.${key}`] ?? (error as Error).message))
    }
  }
  const goOnFrom = ({ text: own, version }: Theirs) => {
    setBegan({ text: own ?? one.shipped ?? '', version, own })
    setTheirs(null)
  }
  return {
    text,
    setText,
    problem,
    theirs,
    busy,
    save,
    isDirty: text !== began.text,
    takeTheirs: () => {
      if (!theirs) return
      setText(theirs.text ?? one.shipped ?? '')
      goOnFrom(theirs)
    },
    keepMine: () => theirs && goOnFrom(theirs),
  }
}
