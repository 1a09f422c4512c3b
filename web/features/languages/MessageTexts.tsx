import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import type { MessageTemplate, MessageTemplateList } from '#shared/contract/message-templates.ts'
import { MESSAGE_PARTS, type MessagePart } from '#shared/rules/message-templates.ts'
import { FOOTER_KEY, textOf } from './message-template-queries.ts'
import { TextCell } from './TextCell.tsx'
import type { TextDrafts } from './text-drafts.ts'
import { useLanguageName } from './use-language-name.ts'

/** The open field. */
export type OpenText = { key: string; language: Language }

type Props = {
  list: MessageTemplateList
  template: MessageTemplate
  open: OpenText | null
  onOpen: (open: OpenText | null) => void
  drafts: TextDrafts
}

/** The texts of a message, all languages side by side. */
export function MessageTexts(props: Props) {
  const { t } = useTranslation()
  const { list, template } = props
  const isAbout = MESSAGE_PARTS.some((part) => textOf(list, template.texts[part])?.placeholders.includes('event'))
  return (
    <>
      <SharedWith template={template} />
      <Part {...props} name={template.texts.subject} title={t('message-template.part.subject')}>
        <Fixed template={template} part="subject" />
      </Part>
      <Part {...props} name={template.texts.text} title={t('message-template.part.text')}>
        <Fixed template={template} part="text" />
      </Part>
      <Part {...props} name={template.texts.sms} title={t('message-template.part.sms')}>
        <p className="muted">{t('message-template.part.sms.hint')}</p>
        <Fixed template={template} part="sms" />
      </Part>
      {isAbout && (
        <Part {...props} name={template.event} title={t('message-template.part.event')}>
          <p className="muted">{t('message-template.part.event.hint', { name: 'event' })}</p>
        </Part>
      )}
      <Part {...props} name={FOOTER_KEY} title={t('message-template.part.footer')} />
    </>
  )
}

type PartProps = Props & { name: string; title: string; children?: ReactNode }

function Part({ list, name, title, open, onOpen, drafts, children }: PartProps) {
  const { t } = useTranslation()
  const text = textOf(list, name)
  if (!text) return null
  return (
    <section className="message-part" aria-label={title}>
      <div className="message-part-head">
        <h3>{title}</h3>
        <Link to="/manage/language-list" search={{ search: name, open: name, part: 'history' }}>
          {t('language-list.history')} <span className="visually-hidden">{title}</span>
        </Link>
      </div>
      {children}
      <div className="text-languages">
        {text.texts.map((one) => (
          <TextCell
            key={one.language}
            name={name}
            part={title}
            one={one}
            placeholders={text.placeholders}
            drafts={drafts}
            isOpen={open?.key === name && open.language === one.language}
            onOpen={(isOpen) => onOpen(isOpen ? { key: name, language: one.language } : null)}
          />
        ))}
      </div>
    </section>
  )
}

/** The other messages that use the same text. */
function SharedWith({ template: { sharedWith } }: { template: MessageTemplate }) {
  const { t } = useTranslation()
  if (sharedWith.length === 0) return null
  const names = sharedWith.map((name) => t(`message-template.name.${name}`))
  return (
    <details className="message-shared">
      <summary>{t('message-template.shared', { count: sharedWith.length })}</summary>
      <p className="muted">{names.join(t('list.separator'))}</p>
    </details>
  )
}

function Fixed({ template: { fixed }, part }: { template: MessageTemplate; part: MessagePart }) {
  return fixed.filter((one) => one.part === part).map(({ language }) => <FixedIn key={language} language={language} />)
}

function FixedIn({ language }: { language: Language }) {
  const { t } = useTranslation()
  const name = useLanguageName(language)
  return <p className="banner">{t('message-template.fixed', { language: name })}</p>
}
