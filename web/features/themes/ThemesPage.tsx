import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Theme } from '#shared/contract/themes.ts'
import { notify } from '../../platform/notices.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useValues } from '../../ui/list-state.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { usePreview } from '../../ui/PreviewFrame.tsx'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { FailedBlock, NotFoundCard } from '../../ui/StateBlock.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { ThemeCard } from './ThemeCard.tsx'
import { ThemeEditor } from './ThemeEditor.tsx'
import { duplicate, remove, showTheme, themesQuery } from './theme-queries.ts'
import './themes.css'

export type ThemeSlots = {
  /** What changed a theme, with the way back. */
  history: (id: string) => ReactNode
}

/** The themes that there are, and the one that is edited: `?open=<id>`. */
export function ThemesPage({ slots }: { slots: ThemeSlots }) {
  const { t } = useTranslation()
  const query = useQuery(themesQuery())
  const [{ open }, change] = useValues('address')
  const back = () => change({ open: undefined })
  if (query.isPending) return <Skeleton lines={8} />
  if (query.isError) return <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
  const { themes, theme: shown } = query.data
  if (open) {
    const edited = themes.find(({ id, shipped }) => id === open && !shipped)
    if (!edited) return <NotFoundCard title={t('login-topic.title')} onBack={back} />
    return <ThemeEditor key={edited.id} theme={edited} isShown={edited.id === shown} slots={slots} onClose={back} />
  }
  return <ThemesList data={query.data} onOpen={(id) => change({ open: id })} />
}

type ListProps = {
  data: { themes: Theme[]; theme: string; version: number; setByFile: boolean }
  onOpen: (id: string) => void
}

type Asked = { what: 'duplicate' | 'delete'; theme: Theme }

function ThemesList({ data: { themes, theme: shown, version, setByFile }, onOpen }: ListProps) {
  const { t } = useTranslation()
  const preview = usePreview({})
  const [asked, setAsked] = useState<Asked | null>(null)
  const choose = (id: string) =>
    void showTheme(id, version, shown).catch((error: Error) => notify('danger', error.message))
  return (
    <section className="themes" aria-labelledby={PAGE_TITLE}>
      <header>
        <PageTitle>{t('login-topic.title')}</PageTitle>
        <p className="muted">{t('login-topic.explain')}</p>
        {setByFile && <SetByFile />}
      </header>
      <ul className="theme-cards">
        {themes.map((theme) => (
          <ThemeCard
            key={theme.id}
            theme={theme}
            preview={preview}
            isShown={theme.id === shown}
            canChoose={!setByFile}
            onChoose={() => choose(theme.id)}
            onDuplicate={() => setAsked({ what: 'duplicate', theme })}
            onEdit={() => onOpen(theme.id)}
            onDelete={() => setAsked({ what: 'delete', theme })}
          />
        ))}
      </ul>
      {asked?.what === 'duplicate' && (
        <DuplicateDialog base={asked.theme} onDone={onOpen} onClose={() => setAsked(null)} />
      )}
      {asked?.what === 'delete' && (
        <ConfirmDialog
          title={t('login-topic.delete-title', { name: asked.theme.shownName })}
          verb={t('login-topic.delete')}
          onConfirm={() => remove(asked.theme)}
          onClose={() => setAsked(null)}
        >
          <p>{t('login-topic.delete-text')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

function DuplicateDialog({
  base,
  onDone,
  onClose,
}: {
  base: Theme
  onDone: (id: string) => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  return (
    <FormDialog
      title={t('login-topic.duplicate-title', { name: base.shownName })}
      verb={t('login-topic.duplicate-verb')}
      isDirty={name !== ''}
      onSubmit={async () => onDone((await duplicate(name.trim(), base.id)).id)}
      onClose={onClose}
    >
      <TextField
        label={t('login-topic.name')}
        name="name"
        hint={t('login-topic.name-hint')}
        value={name}
        maxLength={100}
        isFirst
        onChange={setName}
      />
    </FormDialog>
  )
}
