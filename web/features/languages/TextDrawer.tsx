import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { findText, type WordingText } from '#shared/contract/languages.ts'
import { call } from '../../platform/api.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { TextCell } from './TextCell.tsx'
import type { TextDrafts } from './text-drafts.ts'
import { managedLanguagesQuery, TEXTS_KEY } from './text-queries.ts'

type History = (language: string, key: string) => ReactNode
type Props = { name: string; drafts: TextDrafts; history: History; onClose: () => void }

/** One text in every language, with what ships, and how it came to be so. */
export function TextDrawer({ name, drafts, history, onClose }: Props) {
  const { t } = useTranslation()
  const text = useQuery({
    queryKey: [TEXTS_KEY, 'one', name],
    queryFn: ({ signal }) => call(findText, { query: { key: name } }, { signal }),
  })
  if (text.isError) return <FailedBlock error={text.error} onRetry={() => void text.refetch()} onBack={onClose} />
  if (!text.data) return <Skeleton lines={6} />
  const { data } = text
  return (
    <Tabs
      label={t('language-list.parts')}
      param="part"
      tabs={[
        { key: 'texts', label: t('language-list.texts'), render: () => <Texts text={data} drafts={drafts} /> },
        {
          key: 'history',
          label: t('language-list.history'),
          render: () => <TextHistory text={data} history={history} />,
        },
      ]}
    />
  )
}

function Texts({ text, drafts }: { text: WordingText; drafts: TextDrafts }) {
  const { t } = useTranslation()
  const [edited, setEdited] = useState<Language | null>(null)
  return (
    <div className="text-parts">
      {text.texts.map((one) => (
        <section key={one.language}>
          <TextCell
            name={text.key}
            one={one}
            placeholders={text.placeholders}
            drafts={drafts}
            isOpen={edited === one.language}
            onOpen={(isOpen) => setEdited(isOpen ? one.language : null)}
          />
          {one.own !== null && one.shipped !== null && edited !== one.language && (
            <p className="muted">{t('language-list.shipped', { text: one.shipped })}</p>
          )}
          {one.formerlyShipped !== null && edited !== one.language && (
            <p className="muted">{t('language-list.formerly-shipped', { text: one.formerlyShipped })}</p>
          )}
        </section>
      ))}
    </div>
  )
}

function TextHistory({ text, history }: { text: WordingText; history: History }) {
  const { t } = useTranslation()
  const { data: languages = [] } = useQuery(managedLanguagesQuery())
  const changed = text.texts.find(({ own }) => own !== null) ?? text.texts[0]
  const [chosen, setChosen] = useState<Language | null>(null)
  // A text just saved may arrive after this tab was opened.
  const language = chosen ?? changed?.language ?? 'en'
  const options = text.texts.map(({ language: value }) => ({
    value,
    label: languages.find(({ code }) => code === value)?.name ?? value,
  }))
  return (
    <div className="text-parts">
      <SelectField
        label={t('language-list.language')}
        value={language}
        options={options}
        onChange={(code) => code && setChosen(code)}
      />
      {history(language, text.key)}
    </div>
  )
}
