import { useTranslation } from 'react-i18next'
import type { StoredFieldRules } from '#shared/contract/account-fields.ts'
import { CUSTOM_KINDS, CustomField } from '#shared/contract/custom-fields.ts'
import { EDITORS, MAX_PATTERN_LENGTH, REQUIREMENTS, VIEWERS } from '#shared/contract/field-rules.ts'
import { CUSTOM_TEXT } from '#shared/contract/field-values.ts'
import { fieldRulesImpact } from '#shared/contract/policy-impact.ts'
import { call } from '../../platform/api.ts'
import type { MessageKey } from '../../platform/i18n.ts'
import { notify } from '../../platform/notices.ts'
import { isSameValue } from '../../platform/same-value.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ImpactFigures } from '../../ui/ImpactFigures.tsx'
import { NameField } from '../../ui/NameField.tsx'
import { NamesFields } from '../../ui/NamesFields.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { ChoicesField } from './ChoicesField.tsx'
import {
  CUSTOM_PRESETS,
  type CustomDraft,
  choicesWords,
  customOf,
  draftOfCustom,
  fieldOfDraft,
  kindLabel,
  type LoadedCustom,
  nameOf,
  saveCustomField,
  withField,
} from './custom-fields.ts'
import { ExpectedFields } from './ExpectedFields.tsx'
import { FormatTester } from './FormatTester.tsx'
import { formatWords, ruleWord } from './field-rules.ts'

/** What is compared when somebody else has changed the field. */
const LABELS = {
  name: 'custom-field.name',
  names: 'audit-field.names',
  choices: 'custom-field.choices',
  format: 'audit-field.format',
  required: 'custom-field.required',
  editableBy: 'custom-field.editableBy',
  visibleTo: 'custom-field.visibleTo',
  isUnique: 'custom-field.isUnique',
  isSensitive: 'custom-field.isSensitive',
  askAtActivation: 'audit-field.askAtActivation',
  isRemoved: 'audit-field.isRemoved',
} as const satisfies Partial<Record<keyof CustomField, MessageKey>>

type Props = {
  /** Null: a new field. */
  edited: CustomField | null
  stored: StoredFieldRules
  onClose: () => void
}

/** A field that the institution defines, with its rules. */
export function CustomFieldDialog({ edited, stored, onClose }: Props) {
  const { t } = useTranslation()
  const first: LoadedCustom | null = edited && { ...edited, version: stored.version }
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(first, (one) =>
    draftOfCustom(one && withoutVersion(one)),
  )
  const submit = async () => {
    await saveCustomField({ stored, loaded, field: fieldOfDraft(draft) })
    notify('well', t('custom-field.saved', { name: draft.name }))
  }
  const words = {
    labels: Object.fromEntries(Object.entries(LABELS).map(([name, key]) => [name, t(key)])),
    show: customValueWords,
  }
  const part = { draft, set }
  return (
    <FormDialog<LoadedCustom>
      title={edited ? t('field-rule.edit', { field: nameOf(edited) }) : t('custom-field.new')}
      verb={t('action.save')}
      isDirty={isDirty}
      size="wide"
      impact={<CustomImpact stored={stored} field={fieldOfDraft(draft)} />}
      {...conflictOf(words)}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameField label={t('custom-field.name')} value={draft.name} onChange={(name) => set({ name })} />
      <TextField
        label={t('custom-field.key')}
        name="key"
        value={draft.key}
        maxLength={40}
        disabled={edited !== null}
        hint={t('custom-field.key.text')}
        onChange={(key) => set({ key })}
      />
      <NamesFields names={draft.names} onChange={(names) => set({ names })} />
      <SelectField
        label={t('custom-field.kind')}
        name="kind"
        value={draft.kind}
        disabled={edited !== null}
        hint={t('custom-field.kind.text-hint')}
        options={CUSTOM_KINDS.map((value) => ({ value, label: kindLabel(value) }))}
        onChange={(kind) => kind && set({ kind })}
      />
      {draft.kind === 'choice' && <ChoicesField choices={draft.choices} onChange={(choices) => set({ choices })} />}
      {draft.kind === 'text' && <FormatFields {...part} />}
      <RuleFields {...part} />
      <p className="muted field-wide">{t('custom-field.no-login-name')}</p>
    </FormDialog>
  )
}

/** Counts the people whom the field, as edited, would ask for a value, or whose value would no longer match. */
function CustomImpact({ stored, field }: { stored: StoredFieldRules; field: CustomField }) {
  const isWhole = CustomField.safeParse(field).success
  const former = customOf(stored).find(({ key }) => key === field.key)
  const isJudged =
    field.required !== (former?.required ?? 'never') ||
    field.isUnique !== (former?.isUnique ?? false) ||
    !isSameValue(field.format, former?.format ?? 'any')
  return (
    <ImpactFigures
      name="custom-field"
      draft={isWhole && isJudged ? { changes: { custom: withField(stored, field) }, reset: [] } : null}
      load={(body, signal) => call(fieldRulesImpact, { body }, { signal })}
    />
  )
}

/** A compared value, where the form shows it as a word. */
function customValueWords(name: keyof LoadedCustom, value: unknown): string | undefined {
  if (name === 'required' || name === 'editableBy' || name === 'visibleTo') return ruleWord(name, value)
  if (name === 'format') return formatWords(value as CustomField['format'])
  if (name === 'choices') return choicesWords(value as CustomField['choices'])
  return typeof value === 'boolean' ? ruleWord('isUnique', value) : undefined
}

const withoutVersion = ({ version: _, ...field }: LoadedCustom): CustomField => field

type PartProps = { draft: CustomDraft; set: (change: Partial<CustomDraft>) => void }

function RuleFields({ draft, set }: PartProps) {
  const { t } = useTranslation()
  return (
    <>
      <SelectField
        label={t('custom-field.required')}
        name="required"
        value={draft.required}
        hint={t(`field-rule.required.${draft.required}.text`)}
        options={REQUIREMENTS.map((value) => ({ value, label: ruleWord('required', value) }))}
        onChange={(required) => required && set({ required })}
      />
      <SelectField
        label={t('custom-field.editableBy')}
        name="editableBy"
        value={draft.editableBy}
        hint={t(`field-rule.editableBy.${draft.editableBy}.text`)}
        options={EDITORS.map((value) => ({ value, label: ruleWord('editableBy', value) }))}
        onChange={(editableBy) => editableBy && set({ editableBy })}
      />
      <SelectField
        label={t('custom-field.visibleTo')}
        name="visibleTo"
        value={draft.visibleTo}
        hint={t(`field-rule.visibleTo.${draft.visibleTo}.text`)}
        options={VIEWERS.map((value) => ({ value, label: ruleWord('visibleTo', value) }))}
        onChange={(visibleTo) => visibleTo && set({ visibleTo })}
      />
      {draft.kind === 'text' && (
        <Switch
          label={t('custom-field.isUnique')}
          hint={t('custom-field.isUnique.text')}
          checked={draft.isUnique}
          onChange={(isUnique) => set({ isUnique })}
        />
      )}
      <Switch
        label={t('custom-field.isSensitive')}
        hint={t('custom-field.isSensitive.text')}
        checked={draft.isSensitive}
        onChange={(isSensitive) => set({ isSensitive })}
      />
      <Switch
        label={t('audit-field.askAtActivation')}
        hint={t('custom-field.askAtActivation.text')}
        checked={draft.askAtActivation}
        onChange={(askAtActivation) => set({ askAtActivation })}
      />
    </>
  )
}

/** A named format, or a pattern with the description that people see. */
function FormatFields({ draft, set }: PartProps) {
  const { t } = useTranslation()
  return (
    <>
      <SelectField
        label={t('audit-field.format')}
        name="format"
        value={draft.preset}
        options={CUSTOM_PRESETS.map((value) => ({
          value,
          label: t(value === 'pattern' ? 'field-rule.format.own' : `field-rule.format.${value}`),
        }))}
        onChange={(preset) => preset && set({ preset })}
      />
      {draft.preset === 'pattern' && (
        <>
          <TextField
            label={t('audit-field.pattern')}
            name="pattern"
            hint={t('field-rule.pattern.text')}
            value={draft.pattern}
            maxLength={MAX_PATTERN_LENGTH}
            isOptional
            onChange={(pattern) => set({ pattern })}
          />
          {(['minLength', 'maxLength'] as const).map((name) => (
            <TextField
              key={name}
              label={t(`audit-field.${name}`)}
              value={draft[name]}
              inputMode="numeric"
              maxLength={4}
              onChange={(text) => /^\d*$/.test(text) && set({ [name]: text })}
            />
          ))}
          <ExpectedFields expected={draft.expected} onChange={(expected) => set({ expected })} />
        </>
      )}
      <FormatTester field={CUSTOM_TEXT} format={fieldOfDraft(draft).format} />
    </>
  )
}
