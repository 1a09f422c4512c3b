import { useTranslation } from 'react-i18next'
import {
  type Announcement,
  announcements,
  MAX_ANNOUNCEMENT_TEXT,
  MAX_ANNOUNCEMENT_TITLE,
} from '#shared/contract/announcements.ts'
import { SHIPPED_LANGUAGES } from '#shared/contract/endpoint.ts'
import { type OrganizationFound, searchOrganizations } from '#shared/contract/organizations.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { saveResource } from '../../platform/save-resource.ts'
import { CategoryPicker } from '../../ui/CategoryPicker.tsx'
import { DateTimeField } from '../../ui/DateTimeField.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { givenNames, type Names } from '../../ui/NamesFields.tsx'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { ANNOUNCEMENTS_KEY } from './announcement-queries.ts'
import { announcementWords } from './announcement-words.ts'

type Draft = {
  titles: Names
  texts: Names
  url: string
  shownFrom: string | null
  shownUntil: string | null
  categories: readonly string[]
  organizations: readonly PickerOption[]
}

const draftOf = (one: Announcement | null): Draft => ({
  titles: one?.titles ?? {},
  texts: one?.texts ?? {},
  url: one?.url ?? '',
  shownFrom: one?.shownFrom ?? null,
  shownUntil: one?.shownUntil ?? null,
  categories: one?.categories ?? [],
  organizations: (one?.organizations ?? []).map((id) => ({ id, label: one?.organizationNames[id] ?? id })),
})

const fieldsOf = ({ titles, texts, url, categories, organizations, ...period }: Draft) => ({
  ...period,
  titles: givenNames(titles),
  texts: givenNames(texts),
  url: url.trim() || null,
  categories: [...categories],
  organizations: organizations.map(({ id }) => id),
})

type Props = {
  /** Null: a new one. */
  edited: Announcement | null
  onClose: () => void
}

/** An announcement in several languages, with its period and audience. */
export function AnnouncementForm({ edited, onClose }: Props) {
  const { t } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(edited, draftOf)
  const save = async () => {
    await saveResource(announcements, loaded, fieldsOf(draft))
    await queryClient.invalidateQueries({ queryKey: [ANNOUNCEMENTS_KEY] })
    notify('well', t('announcement.saved'))
  }
  return (
    <FormDialog<Announcement>
      title={edited ? t('announcement.edit-one', { name: edited.name }) : t('announcement.create')}
      verb={t('action.save')}
      size="wide"
      isDirty={isDirty}
      {...conflictOf(announcementWords(t))}
      onSubmit={save}
      onClose={onClose}
    >
      <Words draft={draft} set={set} />
      <TextField
        label={t('announcement.url')}
        name="url"
        value={draft.url}
        inputMode="url"
        maxLength={500}
        isOptional
        onChange={(url) => set({ url })}
      />
      <DateTimeField
        label={t('announcement.shownFrom')}
        name="shownFrom"
        value={draft.shownFrom}
        isOptional
        onChange={(shownFrom) => set({ shownFrom })}
      />
      <DateTimeField
        label={t('announcement.shownUntil')}
        name="shownUntil"
        value={draft.shownUntil}
        isOptional
        onChange={(shownUntil) => set({ shownUntil })}
      />
      <Audience draft={draft} set={set} />
    </FormDialog>
  )
}

type PartProps = { draft: Draft; set: (change: Partial<Draft>) => void }

function Words({ draft, set }: PartProps) {
  const { t } = useTranslation()
  return (
    <>
      {SHIPPED_LANGUAGES.map((language, at) => (
        <TextField
          key={language}
          label={t('announcement.title-in', { language: t(`preview.language.${language}`) })}
          // Errors about all titles are shown at the first.
          name={at === 0 ? 'titles' : `titles.${language}`}
          value={draft.titles[language] ?? ''}
          maxLength={MAX_ANNOUNCEMENT_TITLE}
          isOptional
          isFirst={at === 0}
          onChange={(text) => set({ titles: { ...draft.titles, [language]: text } })}
        />
      ))}
      {SHIPPED_LANGUAGES.map((language) => (
        <TextAreaField
          key={language}
          label={t('announcement.text-in', { language: t(`preview.language.${language}`) })}
          name={`texts.${language}`}
          value={draft.texts[language] ?? ''}
          maxLength={MAX_ANNOUNCEMENT_TEXT}
          rows={3}
          isOptional
          onChange={(text) => set({ texts: { ...draft.texts, [language]: text } })}
        />
      ))}
    </>
  )
}

function Audience({ draft, set }: PartProps) {
  const { t } = useTranslation()
  return (
    <>
      <CategoryPicker
        label={t('announcement.categories')}
        name="categories"
        hint={t('announcement.audience-hint')}
        value={draft.categories}
        onChange={(categories) => set({ categories })}
      />
      <Picker<OrganizationFound>
        label={t('announcement.organizations')}
        name="organizations"
        multiple
        isOptional
        endpoint={searchOrganizations}
        toOption={({ id, name, path }) => ({ id, label: name, hint: path.map((step) => step.name).join(' / ') })}
        value={draft.organizations}
        onChange={(organizations) => set({ organizations })}
      />
    </>
  )
}
