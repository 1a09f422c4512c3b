import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  ATTRIBUTE_SOURCES,
  AttributeName,
  AttributeSource,
  type ReleasedAttribute,
} from '#shared/contract/attributes.ts'
import { listPersonFields } from '#shared/contract/custom-fields.ts'
import { isCustomName, keyOfCustom } from '#shared/contract/field-rules.ts'
import { call } from '../../platform/api.ts'
import { useFieldError } from '../../ui/field-errors.ts'
import { Icon } from '../../ui/Icon.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { SettingsSection } from './SettingsSection.tsx'

const FIXED = 'fixed'

/** The default name of an attribute. */
const nameOf = (source: AttributeSource): string => (isCustomName(source) ? keyOfCustom(source) : source)

/** Custom fields as attribute sources. */
function useCustomSources(): { value: string; label: string }[] {
  const { i18n } = useTranslation()
  const { data } = useQuery({
    queryKey: ['person-fields', i18n.language],
    queryFn: ({ signal }) => call(listPersonFields, {}, { signal }),
  })
  return (data?.custom ?? []).map(({ name, label }) => ({ value: name, label }))
}

type AttributesDraft = {
  value: { attributes: readonly ReleasedAttribute[] }
  change: (edits: { attributes: ReleasedAttribute[] }) => void
}

/** The released attributes, and the names under which the application receives them. */
export function AttributesSection({ draft }: { draft: AttributesDraft }) {
  const { t } = useTranslation()
  const { attributes } = draft.value
  const change = (next: ReleasedAttribute[]) => draft.change({ attributes: next })
  const next = ATTRIBUTE_SOURCES.find((source) => !attributes.some(({ name }) => name === source)) ?? 'account'
  return (
    <SettingsSection name="attributes">
      {attributes.map((attribute, at) => (
        <AttributeRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name but their place.
          key={at}
          at={at}
          attribute={attribute}
          onChange={(changed) => change(attributes.map((one, index) => (index === at ? changed : one)))}
          onRemove={() => change(attributes.filter((_, index) => index !== at))}
        />
      ))}
      <button
        type="button"
        className="button button-quiet address-add"
        onClick={() => change([...attributes, { name: next, from: next }])}
      >
        {t('released-attributes.add')}
      </button>
    </SettingsSection>
  )
}

type RowProps = {
  at: number
  attribute: ReleasedAttribute
  onChange: (attribute: ReleasedAttribute) => void
  onRemove: () => void
}

function AttributeRow({ at, attribute, onChange, onRemove }: RowProps) {
  const { t } = useTranslation()
  const refused = useFieldError(`attributes.${at}`, attribute)
  const custom = useCustomSources()
  const { name } = attribute
  const isFixed = 'value' in attribute
  const isBad = !AttributeName.safeParse(name).success
  const choose = (source: string) => {
    const known = AttributeSource.safeParse(source)
    if (!known.success) return onChange({ name, value: '' })
    // A name that was never changed follows its source.
    const follows = !isFixed && name === nameOf(attribute.from)
    onChange({ name: follows ? nameOf(known.data) : name, from: known.data })
  }
  return (
    <div className="attribute-row">
      <SelectField
        label={t('released-attributes.from')}
        value={isFixed ? FIXED : attribute.from}
        options={[
          ...ATTRIBUTE_SOURCES.map((value) => ({ value, label: t(`attribute-source.${value}`) })),
          ...custom,
          { value: FIXED, label: t('attribute-source.fixed') },
        ]}
        onChange={choose}
      />
      {isFixed && (
        <TextField
          label={t('released-attributes.value')}
          value={attribute.value}
          maxLength={1000}
          onChange={(value) => onChange({ name, value })}
        />
      )}
      <TextField
        label={t('released-attributes.name')}
        value={name}
        maxLength={64}
        error={isBad ? t('released-attributes.bad-name') : refused}
        onChange={(changed) => onChange({ ...attribute, name: changed })}
      />
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('released-attributes.remove', { name })}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}
