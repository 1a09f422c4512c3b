import { type FormEvent, type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { MAX_TEXT_LENGTH, type TextInLanguage } from '#shared/contract/languages.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { pluralOf } from '#shared/rules/plural-forms.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { fieldErrorsOf } from '../../ui/field-errors.ts'
import { UnsavedGuard } from '../../ui/UnsavedGuard.tsx'
import { saveChanges, type TextChange } from './text-queries.ts'
import { useInsert } from './use-insert.ts'

type Props = {
  name: string
  one: TextInLanguage
  placeholders: readonly string[]
  onDone: () => void
  /** Told as it is typed; null when the field is left. */
  onTyped?: ((text: string | null) => void) | undefined
}

/** What somebody else has saved since the field was opened. */
type Theirs = { text: string | null; version: number }

/** The field of a text where it stands: saved by Ctrl and Enter, left by Escape. */
export function TextEditor({ name, one, placeholders, onDone, onTyped }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const editor = useTextEditor(name, one, onDone)
  const { text, problem, theirs } = editor
  const type = (next: string) => {
    editor.setText(next)
    onTyped?.(next)
  }
  const { field, insert } = useInsert(text, type)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the field is left.
  useEffect(() => () => onTyped?.(null), [])
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
        ref={field}
        className="input"
        lang={languageTag(one.language)}
        dir="auto"
        aria-label={t('language-list.field', { name })}
        aria-describedby={`${id}-help`}
        aria-invalid={problem ? true : undefined}
        // The person has just opened this field.
        // biome-ignore lint/a11y/noAutofocus: the focus stays where the person pressed
        autoFocus
        rows={Math.min(8, Math.max(2, Math.ceil(text.length / 36)))}
        maxLength={MAX_TEXT_LENGTH}
        value={text}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKeyDown}
      />
      {editor.forms.map(({ key, text: form }) => (
        <FormField
          key={key}
          name={key}
          language={one.language}
          text={form}
          onChange={(next) => editor.setForm(key, next)}
        />
      ))}
      <div id={`${id}-help`} className="text-editor-help">
        {placeholders.length > 0 && <Placeholders names={placeholders} onInsert={insert} />}
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

type FormFieldProps = { name: string; language: Language; text: string; onChange: (text: string) => void }

/** Another form for numbers, which the text needs in this language. */
function FormField({ name, language, text, onChange }: FormFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{t('language-list.form', { form: pluralOf(name)?.form ?? '' })}</label>
      <textarea
        id={id}
        className="input"
        lang={languageTag(language)}
        dir="auto"
        rows={2}
        maxLength={MAX_TEXT_LENGTH}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}

/** The values of a text, put into it by a press. */
function Placeholders({ names, onInsert }: { names: readonly string[]; onInsert: (placeholder: string) => void }) {
  const { t } = useTranslation()
  return (
    <p className="muted text-placeholders">
      {t('language-list.placeholders')}
      {names.map((name) => (
        <button
          key={name}
          type="button"
          className="text-placeholder"
          aria-label={t('language-list.insert', { name })}
          onClick={() => onInsert(`{{${name}}}`)}
        >
          {`{{${name}}}`}
        </button>
      ))}
    </p>
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

/** Of the first text that is refused; the fields are named by their forms. */
const reasonOf = (error: unknown): string | undefined => Object.values(fieldErrorsOf(error))[0]

/** Null: it is another refusal. */
function theirsOf(error: unknown): Theirs | null {
  if (!isRefusal(error, 'version.conflict')) return null
  return (error.data as { current?: Theirs } | null)?.current ?? null
}

/** The forms for numbers that a text lacks in its language: worded with it, or nothing is saved. */
function useMissingForms({ forms }: TextInLanguage) {
  const [lacking] = useState(() => forms.filter(({ own }) => own === null))
  const [texts, setTexts] = useState<Record<string, string>>({})
  const shown = lacking.map(({ key, text, version }) => ({ key, text: texts[key] ?? text, version }))
  const setForm = (key: string, text: string) => setTexts((before) => ({ ...before, [key]: text }))
  /** With a text that is saved its other forms are; with one that is taken back they go too. */
  const changesWith = (wanted: string | null): TextChange[] =>
    wanted === null
      ? forms.flatMap(({ key, own, version }) => (own === null ? [] : [{ key, text: null, version, before: own }]))
      : shown.map((form) => ({ ...form, before: null }))
  return { forms: shown, setForm, changesWith, isTyped: Object.keys(texts).length > 0 }
}

function useTextEditor(key: string, one: TextInLanguage, onDone: () => void) {
  const [text, setText] = useState(one.text)
  const [began, setBegan] = useState({ text: one.text, version: one.version, own: one.own })
  const [problem, setProblem] = useState('')
  const [theirs, setTheirs] = useState<Theirs | null>(null)
  const [busy, setBusy] = useState(false)
  const { forms, setForm, changesWith, isTyped } = useMissingForms(one)
  const save = async (wanted: string | null) => {
    if (wanted === began.text && forms.length === 0) return onDone()
    setBusy(true)
    setProblem('')
    try {
      const change = { key, text: wanted, version: began.version, before: began.own }
      await saveChanges(one.language, [change, ...changesWith(wanted)])
      onDone()
    } catch (error) {
      setBusy(false)
      setTheirs(theirsOf(error))
      setProblem(theirsOf(error) ? '' : (reasonOf(error) ?? (error as Error).message))
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
    forms,
    setForm,
    isDirty: isTyped || text !== began.text,
    takeTheirs: () => {
      if (!theirs) return
      setText(theirs.text ?? one.shipped ?? '')
      goOnFrom(theirs)
    },
    keepMine: () => theirs && goOnFrom(theirs),
  }
}
