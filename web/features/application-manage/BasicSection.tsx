import { useTranslation } from 'react-i18next'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { addressError } from './address-error.ts'
import { IconField } from './IconField.tsx'
import { LanguageFields } from './LanguageFields.tsx'
import { SettingsSection } from './SettingsSection.tsx'
import type { ApplicationDraft } from './use-application-draft.ts'
import { useCategories } from './use-categories.ts'

type Props = { draft: ApplicationDraft }

/** Name, icon, category, start address and who may enter. */
export function BasicSection({ draft }: Props) {
  const { t } = useTranslation()
  const { value, change } = draft
  return (
    <>
      <SettingsSection name="names">
        <TextField
          label={t('application-field.name')}
          name="name"
          value={value.name}
          maxLength={100}
          onChange={(name) => change({ name })}
        />
        <IconField app={value} onChange={(icon) => change({ icon })} />
        <LanguageFields field="names" value={value.names} onChange={(names) => change({ names })} />
        <TextAreaField
          label={t('application-field.description')}
          name="description"
          value={value.description}
          maxLength={500}
          isOptional
          onChange={(description) => change({ description })}
        />
        <LanguageFields
          field="descriptions"
          value={value.descriptions}
          onChange={(descriptions) => change({ descriptions })}
        />
      </SettingsSection>
      {!value.builtIn && <EntrySections draft={draft} />}
    </>
  )
}

function EntrySections({ draft: { value, change } }: Props) {
  const { t } = useTranslation()
  const { categories, nameOf } = useCategories()
  return (
    <>
      <SettingsSection name="entry">
        <TextField
          label={t('application-field.url')}
          name="url"
          inputMode="url"
          value={value.url ?? ''}
          hint={t('application-hint.url')}
          error={addressError(t, 'page', value.url)}
          isOptional
          onChange={(url) => change({ url: url.trim() || null })}
        />
        <SelectField
          label={t('application-field.categoryId')}
          name="categoryId"
          value={value.categoryId ?? ''}
          none
          options={categories.map((one) => ({ value: one.id, label: nameOf(one) }))}
          onChange={(categoryId) => change({ categoryId: categoryId || null })}
        />
        <TextField
          label={t('application-field.position')}
          name="position"
          type="number"
          inputMode="numeric"
          value={String(value.position)}
          hint={t('application-hint.position')}
          onChange={(position) => change({ position: Math.max(0, Math.trunc(Number(position)) || 0) })}
        />
      </SettingsSection>
      <SettingsSection name="who">
        <SelectField
          label={t('application-field.type')}
          name="type"
          value={value.type}
          hint={t(`application-guide.type.${value.type}`)}
          options={(['system', 'whitelist'] as const).map((type) => ({
            value: type,
            label: t(`application-type.${type}`),
          }))}
          onChange={(type) => type && change({ type })}
        />
      </SettingsSection>
    </>
  )
}
