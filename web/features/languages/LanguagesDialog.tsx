import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteLanguage, type ManagedLanguage } from '#shared/contract/languages.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { useCount } from '../../platform/format-number.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { LeaveButton } from '../../ui/LeaveButton.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { StateWord } from '../../ui/StateWord.tsx'
import { LanguageForm } from './LanguageForm.tsx'
import { languageLabels } from './language-labels.ts'
import { managedLanguagesQuery, refreshLanguages } from './text-queries.ts'

type Open = { verb: 'edit' | 'delete'; language: ManagedLanguage } | { verb: 'add' } | null

/** The languages, their coverage, and which are available. */
export function LanguagesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open>(null)
  const languages = useQuery({ ...managedLanguagesQuery(), refetchOnMount: 'always' })
  const all = languages.data ?? []
  const back = () => setOpen(null)
  if (open?.verb === 'edit') return <LanguageForm edited={open.language} all={all} onClose={back} />
  if (open?.verb === 'add') return <LanguageForm edited={null} all={all} onClose={back} />
  if (open?.verb === 'delete') return <DeleteLanguage language={open.language} onClose={back} />
  return (
    <Dialog
      title={t('language-settings.title')}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <LeaveButton verb="close" onLeave={onClose} />
          <button type="button" className="button button-primary" onClick={() => setOpen({ verb: 'add' })}>
            {t('language-settings.add')}
          </button>
        </>
      }
    >
      <p className="muted">{t('language-settings.explain')}</p>
      {languages.isPending && <Skeleton lines={6} />}
      {languages.isError && <FailedBlock error={languages.error} onRetry={() => void languages.refetch()} />}
      <ul className="languages">
        {all.map((language) => (
          <LanguageRow key={language.code} language={language} onOpen={(verb) => setOpen({ verb, language })} />
        ))}
      </ul>
    </Dialog>
  )
}

type RowProps = { language: ManagedLanguage; onOpen: (verb: 'edit' | 'delete') => void }

function LanguageRow({ language, onOpen }: RowProps) {
  const { t } = useTranslation()
  const number = useCount()
  const { code, name, direction, enabled, fallback, coverage, groups } = language
  const { total, translated, own, outdated, problems } = coverage
  return (
    <li className="language-row">
      <div className="language-head">
        <strong lang={languageTag(code)} dir={direction}>
          {name}
        </strong>
        <code>{languageTag(code)}</code>
        <StateWord tone={enabled ? 'well' : 'quiet'}>{t(`language-settings.${enabled ? 'on' : 'off'}`)}</StateWord>
        <span className="language-verbs">
          <Link
            className="button button-quiet"
            to="/manage/tip-edit/account-login"
            search={{ language: code }}
            aria-label={t('language-settings.preview', { name })}
          >
            {t('language-settings.preview-verb')}
          </Link>
          <button
            type="button"
            className="button button-quiet"
            aria-label={t('language-settings.edit', { name })}
            onClick={() => onOpen('edit')}
          >
            {t('language-settings.edit-verb')}
          </button>
          {fallback !== null && !enabled && (
            <button
              type="button"
              className="button button-quiet"
              aria-label={t('language-settings.delete', { name })}
              onClick={() => onOpen('delete')}
            >
              {t('language-settings.delete-verb')}
            </button>
          )}
        </span>
      </div>
      <progress
        className="language-progress"
        max={total}
        value={translated}
        aria-label={t('language-settings.groups')}
      />
      <p className="muted">
        {t('language-settings.coverage', { translated: number(translated), total: number(total) })} ·{' '}
        {t('language-settings.figures', {
          own: number(own),
          outdated: number(outdated),
          problems: number(problems),
        })}
      </p>
      {translated < total && (
        <details>
          <summary>{t('language-settings.groups')}</summary>
          <ul className="language-groups">
            {groups.map((group) => (
              <li key={group.code}>
                <span>{group.code}</span>
                <span className="tabular">
                  {number(group.translated)} / {number(group.total)}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

function DeleteLanguage({ language, onClose }: { language: ManagedLanguage; onClose: () => void }) {
  const { t } = useTranslation()
  const { name } = language
  return (
    <DeleteDialog
      remove={deleteLanguage}
      row={{ ...language, id: language.code }}
      words={{ labels: languageLabels(t) }}
      title={t('language-settings.delete', { name })}
      verb={t('language-settings.delete-verb')}
      done={t('language-settings.deleted', { name })}
      refresh={refreshLanguages}
      onClose={onClose}
    >
      <p>{t('language-settings.delete-explain')}</p>
    </DeleteDialog>
  )
}
