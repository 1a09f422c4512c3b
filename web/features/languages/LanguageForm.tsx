import { useTranslation } from 'react-i18next'
import { SHIPPED_LANGUAGES, type ShippedLanguage } from '#shared/contract/endpoint.ts'
import { addLanguage, changeLanguage, type ManagedLanguage } from '#shared/contract/languages.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { languageLabels } from './language-labels.ts'
import { refreshLanguages } from './text-queries.ts'

type Props = {
  /** Null: a new language. */
  edited: ManagedLanguage | null
  all: readonly ManagedLanguage[]
  onClose: () => void
}

/** Right-to-left languages, for browsers without the data. */
const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ks|ku_Arab|kk_Arab|ky_Arab|ps|sd|syr|ug|ur|yi)(_|$)/

function useDraft(edited: ManagedLanguage | null, count: number) {
  return useEditedDraft(edited, (language) => ({
    tag: '',
    name: language?.name ?? '',
    direction: language?.direction ?? ('ltr' as 'ltr' | 'rtl'),
    fallback: language ? language.fallback : ('zh_CN' as ShippedLanguage | null),
    position: String(language?.position ?? count + 1),
    enabled: language?.enabled ?? false,
  }))
}

type Draft = ReturnType<typeof useDraft>['draft']

/** Own names of languages of China that browsers have no data for. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  bo: 'བོད་སྐད་',
  ii: 'ꆈꌠꉙ',
  ug: 'ئۇيغۇرچە',
  za: 'Vahcuengh',
}

/** @throws RangeError for an invalid tag. */
function ownNameOf(tag: string): string | undefined {
  const { language } = new Intl.Locale(tag)
  const names = new Intl.DisplayNames([tag], { type: 'language', fallback: 'none' })
  // A browser that doesn't know the language uses its own name for it.
  const isKnown = new Intl.Locale(names.resolvedOptions().locale).language === language
  return isKnown ? names.of(tag) : OWN_NAMES[language]
}

/** What can be derived from a tag: the language's own name and direction. */
function guess(tag: string): { name?: string; direction?: 'ltr' | 'rtl' } {
  try {
    const name = ownNameOf(tag)
    const direction = RIGHT_TO_LEFT.test(tag.replaceAll('-', '_')) ? 'rtl' : 'ltr'
    return { direction, ...(name && { name }) }
  } catch {
    return {}
  }
}

/** A language: name, direction, fallback, and whether it is available to visitors. */
export function LanguageForm({ edited, all, onClose }: Props) {
  const { t } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useDraft(edited, all.length)
  const save = async () => {
    const { tag, enabled, position, ...rest } = draft
    const fields = { ...rest, position: Number(position) }
    if (loaded)
      await call(changeLanguage, {
        query: { id: loaded.code },
        body: { ...fields, enabled, version: loaded.version },
      })
    else await call(addLanguage, { query: { id: tag.trim() }, body: fields })
    await refreshLanguages()
    notify('well', t('language-settings.saved', { name: draft.name }))
  }
  return (
    <FormDialog<ManagedLanguage>
      title={edited ? t('language-settings.edit', { name: edited.name }) : t('language-settings.add')}
      verb={t('action.save')}
      isDirty={isDirty}
      {...conflictOf({ labels: languageLabels(t) })}
      onSubmit={save}
      onClose={onClose}
    >
      <NameFields isNew={loaded === null} draft={draft} set={set} />
      {draft.fallback !== null && (
        <SelectField
          label={t('language-settings.fallback')}
          value={draft.fallback}
          options={SHIPPED_LANGUAGES.map((value) => ({
            value,
            label: all.find(({ code }) => code === value)?.name ?? value,
          }))}
          onChange={(fallback) => fallback && set({ fallback })}
        />
      )}
      <SelectField
        label={t('language-settings.position')}
        hint={t('language-settings.position-hint')}
        value={draft.position}
        options={Array.from({ length: all.length + (loaded ? 0 : 1) }, (_, at) => ({
          value: String(at + 1),
          label: String(at + 1),
        }))}
        onChange={(position) => position && set({ position })}
      />
      {loaded && (
        <Switch
          label={t('language-settings.enabled')}
          hint={loaded.fallback === null ? undefined : t('language-settings.enabled-hint', loaded.needed)}
          checked={draft.enabled}
          onChange={(enabled) => set({ enabled })}
        />
      )}
    </FormDialog>
  )
}

type NameProps = { isNew: boolean; draft: Draft; set: (change: Partial<Draft>) => void }

function NameFields({ isNew, draft, set }: NameProps) {
  const { t } = useTranslation()
  return (
    <>
      {isNew && (
        <TextField
          label={t('language-settings.tag')}
          hint={t('language-settings.tag-hint')}
          name="id"
          value={draft.tag}
          maxLength={35}
          isFirst
          onChange={(tag) => set({ tag, ...guess(tag) })}
        />
      )}
      <TextField
        label={t('language-settings.name')}
        name="name"
        value={draft.name}
        maxLength={60}
        isFirst={!isNew}
        onChange={(name) => set({ name })}
      />
      <SelectField
        label={t('language-settings.direction')}
        value={draft.direction}
        options={(['ltr', 'rtl'] as const).map((value) => ({
          value,
          label: t(`language-settings.direction.${value}`),
        }))}
        onChange={(direction) => direction && set({ direction })}
      />
    </>
  )
}
