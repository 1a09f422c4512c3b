import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { PolicyKey } from '#shared/contract/login-config.ts'
import { isSameValue } from '../../platform/same-value.ts'
import { ChoiceList } from '../../ui/ChoiceList.tsx'
import { FixedReason } from '../../ui/fixed-field.ts'
import { focusFirstField } from '../../ui/restore-focus.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { CodesField } from './CodesField.tsx'
import { DaysField } from './DaysField.tsx'
import { DemandsField } from './DemandsField.tsx'
import { DurationField } from './DurationField.tsx'
import { LinesField } from './LinesField.tsx'
import { type ControlProps, toNumber, useBoundsError } from './policy-control.ts'
import { DEFAULTS, optionsOf, valueText } from './policy-values.ts'
import { RetentionField } from './RetentionField.tsx'
import type { LoginConfigDraft } from './use-login-config.ts'

type Props = { name: PolicyKey; draft: LoginConfigDraft }

/** One rule: its effect, its default, and a reset. */
export function PolicyField({ name, draft }: Props) {
  const id = useId()
  const isFixed = draft.isSetByFile(name)
  return (
    <div className="policy-field" data-dirty={draft.isDirty(name) || undefined} data-key={name}>
      <FixedReason value={isFixed ? id : undefined}>
        <PolicyControl name={name} draft={draft} />
      </FixedReason>
      {isFixed ? <SetByFile id={id} /> : <DefaultLine name={name} draft={draft} />}
    </div>
  )
}

function PolicyControl({ name, draft }: Props) {
  const { t } = useTranslation()
  const control: ControlProps = {
    label: t(`audit-field.${name}`),
    hint: t(`login-config.text.${name}`),
    name,
    value: draft.shownValue(name),
    onChange: (value) => draft.change(name, value),
  }
  if (name === 'rememberMeLongSecond') return <DurationField {...control} label={t('login-config.remembered')} />
  if (name === 'retention') return <RetentionField {...control} />
  if (name === 'passwordRules') return <DemandsField {...control} />
  if (name === 'dormantWarnDays') return <DaysField {...control} />
  if (name === 'secondFactorCategories' || name === 'secondFactorApplications' || name === 'dormantExemptCategories')
    return <CodesField {...control} kind={name} />
  if (name === 'restTicketAddresses' || name === 'passwordBlockWords') return <LinesField {...control} kind={name} />
  if (isSome(name)) return <SomeField {...control} kind={name} />
  if (isOne(name)) return <OneField {...control} kind={name} />
  if (typeof DEFAULTS[name] === 'number') return <NumberField {...control} />
  return <OnOffField {...control} />
}

function NumberField({ value, onChange, ...control }: ControlProps) {
  return (
    <TextField
      {...control}
      value={String(value)}
      error={useBoundsError(control.name, value)}
      inputMode="numeric"
      maxLength={12}
      onChange={(text) => onChange(toNumber(text))}
    />
  )
}

/** Two switches are stored as words, as the specification says. */
function OnOffField({ label, hint, name, value, onChange }: ControlProps) {
  const isWord = typeof DEFAULTS[name] === 'string'
  const checked = value === true || value === '1'
  const set = (on: boolean) => onChange(isWord ? (on ? '1' : '0') : on)
  return <Switch label={label} hint={hint} checked={checked} onChange={set} />
}

/** One of a few. */
const ONE_OF = ['passwordLevel', 'captchaKind', 'lockMode', 'onMoreSessions'] as const
type OneOf = (typeof ONE_OF)[number]
const isOne = (name: PolicyKey): name is OneOf => (ONE_OF as readonly PolicyKey[]).includes(name)

function OneField({ kind, value, onChange, ...control }: ControlProps & { kind: OneOf }) {
  const set = (chosen: string) => chosen !== '' && onChange(kind === 'passwordLevel' ? Number(chosen) : chosen)
  return <SelectField {...control} value={String(value)} options={optionsOf(kind)} onChange={set} />
}

/** Several of a few; the value says whether at least one is required. */
const SOME_OF = { loginTypes: true, captchaOn: false, passwordContext: false } as const
const isSome = (name: PolicyKey): name is keyof typeof SOME_OF => Object.hasOwn(SOME_OF, name)

function SomeField({ kind, value, onChange, ...control }: ControlProps & { kind: keyof typeof SOME_OF }) {
  const { t } = useTranslation()
  const chosen = value as string[]
  const options = optionsOf(kind)
  // In a fixed order, so that off and on again is no change.
  const set = (some: readonly string[]) =>
    onChange(options.map((option) => option.value).filter((one) => some.includes(one)))
  const error = SOME_OF[kind] && chosen.length === 0 ? t('login-config.choose-one') : undefined
  return <ChoiceList {...control} value={chosen} options={options} error={error} onChange={set} />
}

function DefaultLine({ name, draft }: Props) {
  const { t } = useTranslation()
  const isDefault = isSameValue(draft.shownValue(name), DEFAULTS[name])
  const value = valueText(t, name, DEFAULTS[name])
  return (
    <p className="policy-default muted">
      <span>{isDefault ? t('login-config.is-default') : t('login-config.default', { value })}</span>
      {draft.isDirty(name) && <span className="tag tag-caution">{t('login-config.unsaved')}</span>}
      {!isDefault && (
        <button
          type="button"
          className="button button-quiet"
          aria-label={t('login-config.back-of', { name: t(`audit-field.${name}`) })}
          onClick={({ currentTarget }) => {
            // The button disappears.
            focusFirstField(currentTarget.closest('.policy-field'))
            draft.reset(name)
          }}
        >
          {t('login-config.back')}
        </button>
      )}
    </p>
  )
}
