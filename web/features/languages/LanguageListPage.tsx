import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exportTexts, listTextGroups, listTexts, TEXT_STATES, type WordingText } from '#shared/contract/languages.ts'
import { call } from '../../platform/api.ts'
import { Breakable } from '../../ui/Breakable.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { DraftBar } from './DraftBar.tsx'
import { ImportTextsDialog } from './ImportTextsDialog.tsx'
import { LanguagesDialog } from './LanguagesDialog.tsx'
import { TextCell } from './TextCell.tsx'
import { TextDrawer } from './TextDrawer.tsx'
import { type TextDrafts, useTextDrafts } from './text-drafts.ts'
import { managedLanguagesQuery, TEXTS_KEY } from './text-queries.ts'
import './language-list.css'

type Props = { history: (language: string, key: string) => ReactNode }

/** Every text of the product in all its languages, edited in place. */
export function LanguageListPage({ history }: Props) {
  const { t } = useTranslation()
  const [isImporting, setImporting] = useState(false)
  const [isManaging, setManaging] = useState(false)
  const drafts = useTextDrafts()
  return (
    <ListPage<WordingText>
      title={t('language-list.title')}
      explain={t('language-list.explain')}
      endpoint={listTexts}
      exportEndpoint={exportTexts}
      actions={
        <>
          <button type="button" className="button" onClick={() => setManaging(true)}>
            {t('language-settings.open')}
          </button>
          <button type="button" className="button" onClick={() => setImporting(true)}>
            {t('text-import.open')}
          </button>
        </>
      }
      fixedQuery={{ id: 'all' }}
      queryKey={TEXTS_KEY}
      tableKey="language-list"
      rowKey="key"
      rowName={({ key }) => key}
      columns={useColumns(drafts)}
      filters={useFilters()}
      searchLabel={t('language-list.search')}
      defaultSort="key"
      drawer={{
        title: (text) => text?.key ?? t('change-kind.text'),
        render: (key, { close }) => <TextDrawer name={key} drafts={drafts} history={history} onClose={close} />,
      }}
    >
      <DraftBar drafts={drafts} />
      {isManaging && <LanguagesDialog onClose={() => setManaging(false)} />}
      {isImporting && <ImportTextsDialog onClose={() => setImporting(false)} />}
    </ListPage>
  )
}

function useColumns(drafts: TextDrafts): Column<WordingText>[] {
  const { t } = useTranslation()
  const [edited, setEdited] = useState('')
  return [
    {
      key: 'key',
      title: t('language-list.key'),
      sortable: true,
      opensDrawer: true,
      width: 220,
      render: ({ key }) => (
        <code className="text-key">
          <Breakable text={key} />
        </code>
      ),
    },
    {
      key: 'texts',
      title: t('language-list.texts'),
      isLong: true,
      render: (text) => (
        <div className="text-languages">
          {text.texts.map((one) => {
            const place = `${one.language}/${text.key}`
            return (
              <TextCell
                key={one.language}
                name={text.key}
                one={one}
                placeholders={text.placeholders}
                drafts={drafts}
                isOpen={edited === place}
                onOpen={(isOpen) => setEdited((now) => (isOpen ? place : now === place ? '' : now))}
              />
            )
          })}
          <FormSource text={text} />
        </div>
      ),
    },
    {
      key: 'group',
      title: t('language-list.group'),
      render: ({ group, surface }) => (
        <span className="text-group">
          {group}
          <span className="muted">{t(`language-list.surface.${surface}`)}</span>
        </span>
      ),
    },
  ]
}

/** A form for numbers that no shipped language has stands in a row without what it is translated from. */
function FormSource({ text: { texts } }: { text: WordingText }) {
  const { t } = useTranslation()
  const source = texts.find((one) => one.source !== null)?.source
  if (!source || texts.some(({ shipped }) => shipped !== null)) return null
  return <p className="muted">{t('language-list.source', { text: source })}</p>
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  const { data: languages = [] } = useQuery(managedLanguagesQuery())
  const { data: groups = [] } = useQuery({
    queryKey: [TEXTS_KEY, 'groups'],
    queryFn: ({ signal }) => call(listTextGroups, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return [
    {
      name: 'state',
      label: t('language-list.state'),
      options: TEXT_STATES.map((value) => ({ value, label: t(`language-list.state.${value}`) })),
    },
    {
      name: 'id',
      label: t('language-list.language'),
      options: languages.map(({ code, name }) => ({ value: code, label: name })),
    },
    {
      name: 'group',
      label: t('language-list.group'),
      options: groups.map(({ code, total }) => ({ value: code, label: `${code} (${total})` })),
    },
  ]
}
