import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { discardTheme, type Theme } from '#shared/contract/themes.ts'
import { lookOn } from '#shared/rules/theme-schedule.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useValues } from '../../ui/list-state.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { putOn, usePreview } from '../../ui/PreviewFrame.tsx'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { FailedBlock, NotFoundCard } from '../../ui/StateBlock.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { BannerPanel } from './BannerPanel.tsx'
import { SchedulePanel } from './SchedulePanel.tsx'
import type { Themes } from './schedule-draft.ts'
import { ThemeCard } from './ThemeCard.tsx'
import { ThemeEditor } from './ThemeEditor.tsx'
import { duplicate, refreshThemes, shownStyles, showTheme, themesQuery } from './theme-queries.ts'
import type { ThemeSlots } from './theme-slots.types.ts'
import { themeWords } from './theme-words.ts'
import './themes.css'
import './schedule.css'

/** The themes, and the one being edited: `?open=<id>`. */
export function ThemesPage({ slots }: { slots: ThemeSlots }) {
  const { t } = useTranslation()
  const query = useQuery(themesQuery())
  const [{ open }, change] = useValues('address')
  const back = () => change({ open: undefined })
  useShownTheme(query.data)
  if (query.isPending) return <Skeleton lines={8} />
  if (query.isError) return <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
  const { themes, theme: shown, version, setByFile } = query.data
  if (open) {
    const edited = themes.find(({ id, shipped }) => id === open && !shipped)
    if (!edited) return <NotFoundCard title={t('login-topic.title')} onBack={back} />
    return (
      <ThemeEditor
        key={edited.id}
        theme={edited}
        isShown={edited.id === shown}
        slots={slots}
        onUse={setByFile.includes('theme') ? undefined : () => use(edited.id, version, shown)}
        onClose={back}
      />
    )
  }
  return <ThemesHome data={query.data} slots={slots} onOpen={(id) => change({ open: id })} />
}

const use = (id: string, version: number, before: string) => void showTheme(id, version, before).catch(notifyFailure)

/** What everybody sees from now on this page shows at once, too; it came with what was in use then. */
function useShownTheme(data: Themes | undefined): void {
  const styles = data && shownStyles(data)
  const first = useRef(styles)
  first.current ??= styles
  useEffect(() => {
    if (styles && styles !== first.current) putOn(document, styles)
    if (styles) first.current = styles
  }, [styles])
}

type ListProps = { data: Themes; onOpen: (id: string) => void }
type HomeProps = ListProps & { slots: ThemeSlots }

function ThemesHome({ data, slots, onOpen }: HomeProps) {
  const { t } = useTranslation()
  const tabs = [
    { key: 'themes', label: t('login-topic.title'), render: () => <ThemesList data={data} onOpen={onOpen} /> },
    { key: 'schedule', label: t('login-topic.tab.schedule'), render: () => <SchedulePanel /> },
    { key: 'banner', label: t('login-topic.tab.banner'), render: () => <BannerPanel /> },
    { key: 'history', label: t('login-config.tab.history'), render: () => slots.history() },
  ]
  return (
    <section className="themes" aria-labelledby={PAGE_TITLE}>
      <header>
        <PageTitle>{t('login-topic.title')}</PageTitle>
        <p className="muted">{t('login-topic.explain')}</p>
        <p className="form-actions">
          <Link to="/manage/system-settings" className="page-link">
            {t('login-page-setup.institution')}
          </Link>
          <Link to="/manage/login-page-setup" className="page-link">
            {t('login-topic.layout')}
          </Link>
        </p>
      </header>
      <Tabs label={t('login-topic.page-parts')} tabs={tabs} param="tab" />
    </section>
  )
}

const ownFirst = (a: Theme, b: Theme): number => Number(a.shipped) - Number(b.shipped)

type OpenDialog = { what: 'duplicate' | 'delete'; theme: Theme }

function ThemesList({ data: { themes, theme, schedule, today, version, setByFile }, onOpen }: ListProps) {
  const { t } = useTranslation()
  const preview = usePreview({})
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const isFixed = setByFile.includes('theme')
  const now = lookOn({ theme, schedule }, today)
  return (
    <>
      {isFixed && <SetByFile />}
      {now.window && <p className="banner">{t('login-topic.scheduled-now', { window: now.window.name })}</p>}
      <ul className="theme-cards">
        {themes.toSorted(ownFirst).map((one) => (
          <ThemeCard
            key={one.id}
            theme={one}
            preview={preview}
            isShown={one.id === now.theme}
            isChosen={one.id === theme}
            canChoose={!isFixed}
            onChoose={() => use(one.id, version, theme)}
            onDuplicate={() => setOpenDialog({ what: 'duplicate', theme: one })}
            onEdit={() => onOpen(one.id)}
            onDelete={() => setOpenDialog({ what: 'delete', theme: one })}
          />
        ))}
      </ul>
      {openDialog?.what === 'duplicate' && (
        <DuplicateDialog base={openDialog.theme} onDone={onOpen} onClose={() => setOpenDialog(null)} />
      )}
      {openDialog?.what === 'delete' && (
        <DeleteDialog
          remove={discardTheme}
          row={openDialog.theme}
          words={themeWords(t)}
          title={t('login-topic.delete-title', { name: openDialog.theme.shownName })}
          verb={t('login-topic.delete')}
          done={t('login-topic.deleted', { name: openDialog.theme.shownName })}
          refresh={refreshThemes}
          onClose={() => setOpenDialog(null)}
        >
          <p>{t('login-topic.delete-text')}</p>
        </DeleteDialog>
      )}
    </>
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
