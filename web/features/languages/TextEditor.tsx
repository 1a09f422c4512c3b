import { type FormEvent, type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { MAX_TEXT_LENGTH, type TextInLanguage } from '#shared/contract/languages.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { pluralOf } from '#shared/rules/plural-forms.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { changesOf, draftOf, rebase, type TextDraft } from './text-draft.ts'
import { reasonsOf, type TextDrafts } from './text-drafts.ts'
import { refreshTexts, saveChanges, type TextChange } from './text-queries.ts'
import { useInsert } from './use-insert.ts'

type Props = {
  name: string
  /** The name of the field; absent: the key says which text it is. */
  label?: string | undefined
  one: TextInLanguage
  placeholders: readonly string[]
  drafts: TextDrafts
  onDone: () => void
}

/** The field of a text where it stands: saved by Ctrl and Enter, left by Escape. */
export function TextEditor({ name, label, one, placeholders, drafts, onDone }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const editor = useTextEditor(name, one, drafts, onDone)
  const { text, problem } = editor
  const { field, insert } = useInsert(text, editor.setText)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for as long as the field is there.
  useEffect(() => drafts.noteOpen(one.language, name), [one.language, name])
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (!editor.busy) void editor.save()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      editor.cancel()
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
        aria-label={label ?? t('language-list.field', { name })}
        aria-describedby={`${id}-help`}
        aria-invalid={problem ? true : undefined}
        // The person has just opened this field.
        // biome-ignore lint/a11y/noAutofocus: the focus stays where the person pressed
        autoFocus
        rows={Math.min(8, Math.max(2, Math.ceil(text.length / 36)))}
        maxLength={MAX_TEXT_LENGTH}
        value={text}
        onChange={({ target }) => editor.setText(target.value)}
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
        {one.source !== null && one.source !== one.text && (
          <p className="muted" dir="auto">
            {t('language-list.source', { text: one.source })}
          </p>
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
      {editor.isConflict && <TheirText text={one.own} onTake={editor.takeTheirs} onKeep={editor.keepMine} />}
      <div className="text-editor-verbs">
        <button type="submit" className="button button-primary" aria-disabled={editor.busy || undefined}>
          {t('action.save')}
        </button>
        <button type="button" className="button" onClick={editor.cancel}>
          {t('action.cancel')}
        </button>
        {one.own !== null && (
          <button type="button" className="button button-quiet" onClick={() => void editor.reset()}>
            {t('language-list.use-shipped')}
          </button>
        )}
      </div>
    </form>
  )
}

type FormFieldProps = { name: string; language: Language; text: string; onChange: (text: string) => void }

/** A further plural form that the text needs in this language. */
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

/** The placeholders of a text, inserted with a click. */
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

/** What somebody else has saved since the field was opened. */
function TheirText({ text, onTake, onKeep }: { text: string | null; onTake: () => void; onKeep: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="conflict" role="alert">
      <p>{t('language-list.theirs', { text: text ?? t('language-list.as-shipped') })}</p>
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

function useTextEditor(key: string, one: TextInLanguage, drafts: TextDrafts, onDone: () => void) {
  const { language } = one
  const typed = drafts.find(language, key)
  const draft = typed ?? draftOf(key, one)
  const [problem, setProblem] = useState('')
  const [isConflict, setConflict] = useState(false)
  const [busy, setBusy] = useState(false)
  /** @param sent the drafts that the changes are of. */
  const write = async (changes: TextChange[], sent: readonly TextDraft[]) => {
    setBusy(true)
    setProblem('')
    try {
      await saveChanges([{ language, changes, onSaved: (saved) => drafts.settle(sent, saved) }])
      onDone()
    } catch (error) {
      setBusy(false)
      const isTheirs = isRefusal(error, 'version.conflict')
      // Theirs is shown beside.
      if (isTheirs) await refreshTexts()
      setConflict(isTheirs)
      setProblem(isTheirs ? '' : ([...reasonsOf(error).values()][0] ?? (error as Error).message))
    }
  }
  return {
    text: draft.text,
    forms: draft.forms,
    problem: problem || (isConflict ? '' : draft.problem),
    isConflict,
    busy,
    setText: (text: string) => drafts.keep({ ...draft, text, problem: '' }),
    setForm: (form: string, text: string) =>
      drafts.keep({
        ...draft,
        problem: '',
        forms: draft.forms.map((some) => (some.key === form ? { ...some, text } : some)),
      }),
    save: () => {
      const sent = drafts.withForms(draft)
      return typed || draft.forms.length > 0 ? write(changesOf(sent), sent) : onDone()
    },
    /** With a text that is taken back its other forms go too. */
    reset: () => {
      const forms = one.forms.flatMap(({ key: form, own, version }) =>
        own === null ? [] : [{ key: form, text: null, version, before: own }],
      )
      return write([{ key, text: null, version: one.version, before: one.own }, ...forms], [draft])
    },
    cancel: () => {
      if (typed) drafts.discard(typed)
      onDone()
    },
    takeTheirs: () => {
      drafts.drop(draft)
      setConflict(false)
    },
    keepMine: () => {
      drafts.keep(rebase(draft, one))
      setConflict(false)
    },
  }
}
