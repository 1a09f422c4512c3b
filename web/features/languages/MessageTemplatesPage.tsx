import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import type { MessageTemplate, MessageTemplateList } from '#shared/contract/message-templates.ts'
import { currentLanguage } from '../../platform/i18n.ts'
import { useValues } from '../../ui/list-state.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { DraftBar } from './DraftBar.tsx'
import { MessagePreviewPane, type PreviewView } from './MessagePreviewPane.tsx'
import { MessageTexts, type OpenText } from './MessageTexts.tsx'
import { isWorded, keysOf, messageTemplatesQuery } from './message-template-queries.ts'
import { SmsTemplates } from './SmsTemplates.tsx'
import { typedTexts } from './text-draft.ts'
import { type TextDrafts, useTextDrafts } from './text-drafts.ts'
import './language-list.css'
import './message-templates.css'

type Props = { history: ReactNode }

/** Every message that the product sends: its texts in all languages, with a preview. */
export function MessageTemplatesPage({ history }: Props) {
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(messageTemplatesQuery())
  return (
    <section className="message-templates" aria-labelledby={PAGE_TITLE}>
      <header>
        <PageTitle>{t('message-template.title')}</PageTitle>
        <p className="muted">{t('message-template.explain')}</p>
      </header>
      {isError && !data && <FailedBlock error={error} onRetry={() => void refetch()} />}
      {!isError && !data && <Skeleton lines={10} />}
      {data && <Chosen list={data} history={history} />}
    </section>
  )
}

function Chosen({ list, history }: Props & { list: MessageTemplateList }) {
  const [values, change] = useValues('address')
  const drafts = useTextDrafts()
  const chosen = list.templates.find(({ name }) => name === values['open']) ?? list.templates[0]
  if (!chosen) return null
  return (
    <div className="message-workbench">
      <TemplateList list={list} chosen={chosen.name} onChoose={(name) => change({ open: name })} />
      <Workbench key={chosen.name} list={list} template={chosen} drafts={drafts} history={history} />
      <DraftBar drafts={drafts} />
    </div>
  )
}

type Name = MessageTemplate['name']
type ListProps = { list: MessageTemplateList; chosen: Name; onChoose: (name: Name) => void }

const KINDS = ['code', 'link', 'notice', 'test'] as const

function TemplateList({ list, chosen, onChoose }: ListProps) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const nameOf = (name: Name) => t(`message-template.name.${name}`)
  if (isNarrow) {
    const options = list.templates.map(({ name }) => ({ value: name, label: nameOf(name) }))
    return (
      <SelectField
        label={t('message-template.choose')}
        value={chosen}
        options={options}
        onChange={(name) => name && onChoose(name)}
      />
    )
  }
  return (
    <nav className="message-list" aria-label={t('message-template.choose')}>
      {KINDS.map((kind) => (
        <div key={kind}>
          <h2>{t(`message-template.kind.${kind}`)}</h2>
          <ul>
            {list.templates
              .filter(({ name }) => name.split('.')[0] === kind)
              .map((template) => (
                <li key={template.name}>
                  <button
                    type="button"
                    aria-current={template.name === chosen || undefined}
                    onClick={() => onChoose(template.name)}
                  >
                    {nameOf(template.name)}
                    {isWorded(list, template) && <span className="tag">{t('language-list.state.own')}</span>}
                  </button>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

type WorkbenchProps = { list: MessageTemplateList; template: MessageTemplate; drafts: TextDrafts; history: ReactNode }

function Workbench({ list, template, drafts, history }: WorkbenchProps) {
  const { t } = useTranslation()
  const [language, setLanguage] = useState<Language>(currentLanguage)
  const [view, setView] = useState<PreviewView>('phone')
  const [open, setOpen] = useState<OpenText | null>(null)
  const keys = keysOf(template)
  const typed = typedTexts(drafts.all.filter(({ key }) => keys.includes(key)))[language] ?? {}
  const openText = (next: OpenText | null) => {
    setOpen(next)
    if (!next) return
    setLanguage(next.language)
    const isSms = next.key === template.texts.sms
    // A mail field keeps the current mail preview.
    if (isSms) setView('sms')
    else if (view === 'sms' && next.key !== template.event) setView('phone')
  }
  return (
    <>
      <div className="message-main">
        <h2>{t(`message-template.name.${template.name}`)}</h2>
        <MessageTexts list={list} template={template} open={open} onOpen={openText} drafts={drafts} />
        <SmsTemplates list={list} template={template} history={history} />
      </div>
      <MessagePreviewPane
        list={list}
        template={template}
        language={language}
        onLanguage={setLanguage}
        view={view}
        onView={setView}
        typed={typed}
      />
    </>
  )
}
