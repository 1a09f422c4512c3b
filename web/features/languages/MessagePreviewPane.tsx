import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import type { MessageChannel } from '#shared/contract/message-routes.ts'
import {
  type MessagePreview,
  type MessageTemplate,
  type MessageTemplateList,
  previewMessageTemplate,
  testMessageTemplate,
} from '#shared/contract/message-templates.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { smsLength } from '#shared/rules/sms-length.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PreviewFrame, usePreview } from '../../ui/PreviewFrame.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { keysOf, textOf } from './message-template-queries.ts'
import { managedLanguagesQuery, TEXTS_KEY } from './text-queries.ts'

const VIEWS = ['phone', 'desktop', 'text', 'sms'] as const
export type PreviewView = (typeof VIEWS)[number]

type Props = {
  list: MessageTemplateList
  template: MessageTemplate
  language: Language
  onLanguage: (language: Language) => void
  view: PreviewView
  onView: (view: PreviewView) => void
  /** The text in the open field, by key. */
  typed: Record<string, string>
}

/** A preview of a message with unsaved input; can be sent to oneself. */
export function MessagePreviewPane(props: Props) {
  const { t } = useTranslation()
  const { list, template, language, onLanguage, view, onView, typed } = props
  const { data: languages = [] } = useQuery(managedLanguagesQuery())
  const versions = keysOf(template).map(
    (key) => textOf(list, key)?.texts.find((one) => one.language === language)?.version ?? 0,
  )
  // A provider template for text messages is saved separately.
  const edition = [...versions, list.sms.version].join('.')
  return (
    <section className="message-preview" aria-label={t('message-template.preview')}>
      <div className="preview-tools">
        <SelectField
          label={t('message-template.view')}
          value={view}
          options={VIEWS.map((value) => ({ value, label: t(`message-template.view.${value}`) }))}
          onChange={(next) => next && onView(next)}
        />
        <SelectField
          label={t('preview.language')}
          value={language}
          options={languages.map(({ code, name }) => ({ value: code, label: name, lang: languageTag(code) }))}
          onChange={(next) => next && onLanguage(next)}
        />
      </div>
      <Shown name={template.name} language={language} view={view} typed={typed} edition={edition} />
      <TestMessage key={template.name} list={list} name={template.name} language={language} />
    </section>
  )
}

/** Milliseconds without typing before the preview is requested. */
const SETTLED_MS = 150

function useSettled<T extends object>(value: T): T {
  const written = JSON.stringify(value)
  const [settled, setSettled] = useState(written)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(written), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [written])
  return JSON.parse(settled) as T
}

type ShownProps = Pick<Props, 'language' | 'view' | 'typed'> & { name: MessageTemplate['name']; edition: string }

function Shown({ name, language, view, typed, edition }: ShownProps) {
  const { t } = useTranslation()
  const texts = useSettled(typed)
  const { data, error, isError, refetch } = useQuery({
    queryKey: [TEXTS_KEY, 'message-preview', name, language, edition, texts],
    queryFn: ({ signal }) => call(previewMessageTemplate, { body: { name, language, texts } }, { signal }),
    placeholderData: (before) => before,
  })
  const frame = usePreview(Object.keys(typed).length > 0 ? { texts: { [language]: typed } } : {})
  if (!data) return isError ? <FailedBlock error={error} onRetry={() => void refetch()} /> : <Skeleton lines={6} />
  if (view === 'sms') return <ShortMessage preview={data} language={language} />
  return (
    <div className="message-mail">
      <p className="muted">{t('message-template.from', { name: data.school })}</p>
      <p className="message-subject" lang={languageTag(language)} dir="auto">
        {data.subject}
      </p>
      {view === 'text' ? (
        <pre className="message-plain" lang={languageTag(language)} dir="auto">
          {data.text}
        </pre>
      ) : (
        <PreviewFrame
          preview={frame}
          page={`message/${name}`}
          title={t('preview.frame', { page: t(`message-template.name.${name}`) })}
          language={language}
          size={view}
          query={{ edition }}
        />
      )}
    </div>
  )
}

/** A text message on a phone screen, with its length. */
function ShortMessage({ preview, language }: { preview: MessagePreview; language: Language }) {
  const { t } = useTranslation()
  const { sms, school, provider } = preview
  const { characters, parts, added } = smsLength(sms, school)
  if (provider) {
    if (provider.id === null) return <p className="banner">{t('message-template.by-provider.none')}</p>
    return (
      <div className="message-phone">
        <p>{t('message-template.by-provider', { id: provider.id })}</p>
        <dl className="message-values">
          {provider.values.map(({ name, value }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    )
  }
  return (
    <div className="message-phone">
      <p className="message-bubble" lang={languageTag(language)} dir="auto">
        {added}
        {sms}
      </p>
      <p className="muted" role="status">
        {t('message-template.length', { characters, count: parts })}{' '}
        {added && t('message-template.length.signed', { signature: added })}
      </p>
    </div>
  )
}

type TestProps = { list: MessageTemplateList; name: MessageTemplate['name']; language: Language }

function TestMessage({ list, name, language }: TestProps) {
  const { t } = useTranslation()
  const reachable = list.channels.filter(({ isConfigured, hasAddress }) => isConfigured && hasAddress)
  const [chosen, setChosen] = useState<MessageChannel | null>(null)
  const channel = chosen ?? reachable[0]?.channel
  const test = useMutation({
    mutationFn: (by: MessageChannel) => call(testMessageTemplate, { body: { name, language, channel: by } }),
  })
  if (!channel) return <p className="muted">{t('message-template.test.none')}</p>
  return (
    <div className="message-test">
      <SelectField
        label={t('message-template.test.channel')}
        value={channel}
        options={reachable.map(({ channel: value }) => ({ value, label: t(`message-channel.${value}`) }))}
        hint={t('message-template.test.hint')}
        onChange={(next) => next && setChosen(next)}
      />
      <button
        type="button"
        className="button"
        aria-disabled={test.isPending || undefined}
        onClick={() => !test.isPending && test.mutate(channel)}
      >
        {t('message-template.test')}
      </button>
      <div role="status">
        {test.isPending && <p className="muted">{t('gateway.testing')}</p>}
        {!test.isPending && test.isError && <p className="banner banner-danger">{failureText(test.error)}</p>}
        {!test.isPending && test.data && <TestResultText result={test.data} />}
      </div>
    </div>
  )
}

function TestResultText({ result: { reason, words } }: { result: { reason: string | null; words: string | null } }) {
  const { t } = useTranslation()
  if (reason === null) return <p className="banner">{t('message-template.test.sent')}</p>
  return (
    <div className="banner banner-danger">
      <p>{t(`message-reason.${reason}` as never)}</p>
      {words && <p>{t('gateway.words', { words })}</p>}
    </div>
  )
}
