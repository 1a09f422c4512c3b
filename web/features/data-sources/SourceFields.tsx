import { useTranslation } from 'react-i18next'
import { REST_AUTHS, REST_PAGINGS, SFTP_AUTHS, type SourceOptions } from '#shared/contract/data-source-options.ts'
import { DATA_SOURCE_TLS, type DataSourceFields, MAX_SOURCE_SECRET } from '#shared/contract/data-sources.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { isFieldShown, needsPrivateKey, SOURCE_FORMS, type SourceField, wordsOf } from './source-forms.ts'

/** The form's state; numbers as text. */
export type Draft = Omit<DataSourceFields, 'port' | 'timeoutSeconds'> & { port: string; timeoutSeconds: string }

type Props = { draft: Draft; set: (change: Partial<Draft>) => void }

/** The fields of a source of the selected kind. */
export function SourceFields({ draft, set }: Props) {
  const shown = SOURCE_FORMS[draft.kind].fields.filter((field) => isFieldShown(field, draft))
  return shown.map((field) => <AnyField key={field} field={field} draft={draft} set={set} />)
}

type OneProps = Props & { field: SourceField }

const LONG: ReadonlySet<SourceField> = new Set(['ca'])
const DIGITS: ReadonlySet<SourceField> = new Set(['port', 'timeoutSeconds', 'pageSize'])
const OPTIONAL: ReadonlySet<SourceField> = new Set([
  ...(['port', 'ca', 'peopleFilter', 'departmentFilter', 'columns'] as const),
  ...([
    'departmentsUrl',
    'scope',
    'rowsPath',
    'sizeParameter',
    'totalPath',
    'hostKey',
    'doneSuffix',
    'rootIds',
  ] as const),
])
/** An address book has the vendor's usual address unless another one is entered. */
const isOptionalField = (field: SourceField, kind: DataSourceFields['kind']): boolean =>
  OPTIONAL.has(field) || (field === 'url' && (kind === 'wecom' || kind === 'dingtalk'))

const LENGTHS: Partial<Record<SourceField, number>> = {
  ...{ port: 5, timeoutSeconds: 3, ca: 20_000, columns: 2000, peopleFilter: 1000, departmentFilter: 1000 },
  ...{
    url: 2000,
    departmentsUrl: 2000,
    tokenUrl: 2000,
    pageSize: 5,
    path: 1000,
    hostKey: 200,
    doneSuffix: 20,
    rootIds: 500,
  },
}

function useWords({ field, draft }: Pick<OneProps, 'field' | 'draft'>) {
  const { t } = useTranslation()
  /** The kind's own wording, or the general one. */
  const say = (key: string): string =>
    t([...wordsOf(draft).map((words) => `data-source.${key}.${words}`), `data-source.${key}`], '')
  return { label: say(field), hint: say(`${field}-hint`) }
}

function AnyField(props: OneProps) {
  const { field, draft, set } = props
  const { label, hint } = useWords({ field, draft })
  if (field === 'tls') return <TlsField label={label} draft={draft} set={set} />
  if (isChoice(field)) return <ChoiceField field={field} label={label} hint={hint} draft={draft} set={set} />
  return <TypedField {...props} label={label} hint={hint} />
}

/** A switch or an input. */
function TypedField({ field, draft, set, label, hint }: OneProps & { label: string; hint: string }) {
  const isOption = field in draft.options
  const values: Record<string, unknown> = isOption ? draft.options : draft
  const value = values[field]
  const change = (to: unknown) =>
    set(isOption ? { options: { ...draft.options, [field]: to } as SourceOptions } : { [field]: to })
  if (typeof value === 'boolean') return <Switch label={label} hint={hint} checked={value} onChange={change} />
  const { examples = {}, port } = SOURCE_FORMS[draft.kind]
  const common = {
    ...{ label, hint: hint || undefined, name: isOption ? `options.${field}` : field, value: String(value) },
    ...{
      maxLength: LENGTHS[field] ?? 255,
      isOptional: isOptionalField(field, draft.kind),
      placeholder: examples[field] ?? '',
    },
  }
  if (LONG.has(field))
    return <TextAreaField {...common} rows={3} placeholder="-----BEGIN CERTIFICATE-----" onChange={change} />
  if (field === 'password') {
    const secret = { ...common, maxLength: MAX_SOURCE_SECRET, onChange: change }
    return needsPrivateKey(draft) ? (
      <TextAreaField {...secret} rows={4} placeholder="-----BEGIN OPENSSH PRIVATE KEY-----" />
    ) : (
      <TextField {...secret} type="password" autoComplete="new-password" />
    )
  }
  if (!DIGITS.has(field)) return <TextField {...common} onChange={change} />
  const changeDigits = (text: string) => {
    const digits = text.replace(/\D/g, '')
    change(typeof value === 'number' ? Number(digits) : digits)
  }
  const placeholder = field === 'port' ? port : ''
  return <TextField {...common} inputMode="numeric" placeholder={placeholder} onChange={changeDigits} />
}

const CHOICES = { auth: REST_AUTHS, paging: REST_PAGINGS, firstPage: ['0', '1'], sftpAuth: SFTP_AUTHS } as const
const isChoice = (field: SourceField): field is keyof typeof CHOICES => Object.hasOwn(CHOICES, field)
type ChoiceProps = Props & { field: keyof typeof CHOICES; label: string; hint: string }

/** A selection; which other fields are shown depends on it. */
function ChoiceField({ field, label, hint, draft: { options }, set }: ChoiceProps) {
  const { t } = useTranslation()
  return (
    <SelectField
      label={label}
      name={`options.${field}`}
      hint={hint || undefined}
      value={String(options[field])}
      options={CHOICES[field].map((value) => ({ value, label: t([`data-source.${field}.${value}`], value) }))}
      onChange={(value) =>
        value &&
        set({ options: { ...options, [field]: field === 'firstPage' ? Number(value) : value } as SourceOptions })
      }
    />
  )
}

function TlsField({ label, draft: { kind, tls }, set }: Props & { label: string }) {
  const { t } = useTranslation()
  return (
    <SelectField
      label={label}
      name="tls"
      value={tls}
      hint={t(`data-source.tls-hint.${tls}`)}
      options={DATA_SOURCE_TLS.filter((value) => kind !== 'oracle' || value !== 'require').map((value) => ({
        value,
        label: t(`data-source.tls.${value}`),
      }))}
      onChange={(chosen) => chosen && set({ tls: chosen })}
    />
  )
}
