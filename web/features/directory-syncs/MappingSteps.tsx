import { useTranslation } from 'react-i18next'
import type { Transform } from '#shared/contract/sync-mappings.ts'
import { MenuButton } from '../../ui/MenuButton.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import type { FieldOption, MappingEntry } from './mapping.types.ts'
import { TransformParts } from './TransformParts.tsx'
import { newTransform, TRANSFORM_KINDS } from './transform-forms.ts'

type Props<Field extends string> = {
  fields: readonly FieldOption<Field>[]
  mapping: readonly MappingEntry<Field>[]
  columns: readonly string[]
  onChange: (mapping: MappingEntry<Field>[]) => void
}

const MAX_STEPS = 10

/** The transforms of each field's values, step by step. */
export function MappingSteps<Field extends string>({ fields, mapping, columns, onChange }: Props<Field>) {
  const { t } = useTranslation()
  const free = fields.filter(({ value }) => !mapping.some(({ field }) => field === value))
  return (
    <details className="sync-steps">
      <summary>
        {t('directory-sync.steps', { count: mapping.reduce((sum, { transforms }) => sum + transforms.length, 0) })}
      </summary>
      <p className="muted">{t('directory-sync.steps-hint')}</p>
      {mapping.map((entry, at) => (
        <StepsOfField
          key={entry.field}
          label={fields.find(({ value }) => value === entry.field)?.label ?? entry.field}
          entry={entry}
          columns={columns}
          onChange={(changed) => onChange(mapping.toSpliced(at, 1, ...changed))}
        />
      ))}
      {free.length > 0 && (
        <MenuButton
          label={t('directory-sync.steps-new-field')}
          className="button"
          entries={free.map(({ value: field, label }) => ({
            label,
            onSelect: () => onChange([...mapping, { field, column: '', transforms: [newTransform('const')] }]),
          }))}
        >
          {t('directory-sync.steps-new-field')}
        </MenuButton>
      )}
    </details>
  )
}

type FieldProps<Field extends string> = {
  label: string
  entry: MappingEntry<Field>
  columns: readonly string[]
  /** The changed field; empty: no longer filled. */
  onChange: (entry: MappingEntry<Field>[]) => void
}

function StepsOfField<Field extends string>({ label, entry, columns, onChange }: FieldProps<Field>) {
  const { t } = useTranslation()
  const { column, transforms } = entry
  const put = (steps: Transform[]) =>
    onChange(column === '' && steps.length === 0 ? [] : [{ ...entry, transforms: steps }])
  const kinds = TRANSFORM_KINDS.map((value) => ({ value, label: t(`sync-transform.${value}`) }))
  return (
    <fieldset className="sync-fieldset sync-field-steps">
      <legend>{column ? t('directory-sync.steps-of', { field: label, column }) : label}</legend>
      {transforms.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same step may stand here twice.
        <div key={at} className="sync-step">
          <SelectField
            label={t('sync-transform.nth', { what: t('directory-sync.step'), at: at + 1 })}
            value={step.kind}
            options={kinds}
            onChange={(kind) => kind && put(transforms.toSpliced(at, 1, newTransform(kind)))}
          />
          <TransformParts
            step={step}
            columns={columns}
            onChange={(changed) => put(transforms.toSpliced(at, 1, changed))}
          />
          <span className="sync-verbs">
            {at > 0 && (
              <button
                type="button"
                className="button button-quiet"
                aria-label={t('directory-sync.step-up', { at: at + 1, field: label })}
                onClick={() => put(transforms.toSpliced(at, 1).toSpliced(at - 1, 0, step))}
              >
                {t('login-page-setup.up')}
              </button>
            )}
            <button
              type="button"
              className="button button-quiet"
              aria-label={t('directory-sync.step-remove', { at: at + 1, field: label })}
              onClick={() => put(transforms.toSpliced(at, 1))}
            >
              {t('directory-sync.remove')}
            </button>
          </span>
        </div>
      ))}
      {transforms.length < MAX_STEPS && (
        <MenuButton
          label={t('directory-sync.step-add', { field: label })}
          entries={kinds.map(({ value, label: name }) => ({
            label: name,
            onSelect: () => put([...transforms, newTransform(value)]),
          }))}
        >
          {t('directory-sync.step-add-short')}
        </MenuButton>
      )}
    </fieldset>
  )
}
