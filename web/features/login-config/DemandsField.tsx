import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordDemand } from '#shared/contract/sign-in-policy.ts'
import { useFieldError } from '../../ui/field-errors.ts'
import { describedBy, useFixedReason } from '../../ui/fixed-field.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { CodesField } from './CodesField.tsx'
import { type ControlProps, toNumber } from './policy-control.ts'
import { optionsOf } from './policy-values.ts'
import './demands.css'

/** As edited: a number may still be a text. */
type Demand = { categories: string[]; administrators: boolean; level: number | null } & Record<NumberName, unknown>
type NumberName = (typeof NUMBERS)[number]

const NUMBERS = ['minLength', 'history', 'maxAgeDays'] as const
const EMPTY: Demand = {
  categories: [],
  administrators: false,
  level: null,
  minLength: null,
  history: null,
  maxAgeDays: null,
}
const namesNobody = ({ categories, administrators }: Demand): boolean => !administrators && categories.length === 0
const demandsNothing = (demand: Demand): boolean =>
  demand.level === null && NUMBERS.every((name) => demand[name] === null)
const toText = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/** Stricter password rules for some people, each with the people it applies to. */
export function DemandsField({ label, hint, name, value, onChange }: ControlProps) {
  const { t } = useTranslation()
  const fixed = useFixedReason()
  const id = useId()
  const add = useRef<HTMLButtonElement>(null)
  const demands = value as Demand[]
  // Only of a save that was refused: an entry that was just added is not complete yet.
  const isRefused = useFieldError(name, value) !== undefined
  const replace = (at: number, changes: Partial<Demand>) =>
    onChange(demands.map((demand, other) => (other === at ? { ...demand, ...changes } : demand)))
  return (
    <fieldset className="demands" aria-describedby={describedBy(id, fixed)}>
      <legend>{label}</legend>
      <p id={id} className="muted">
        {hint}
      </p>
      {demands.map((demand, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a demand is nothing but its place and its values.
        <fieldset key={at} className="demand">
          <legend>{t('login-config.demand', { number: at + 1 })}</legend>
          <CodesField
            kind="passwordRules"
            label={t('login-config.demand.categories')}
            hint=""
            error={isRefused && namesNobody(demand) ? t('login-config.demand.nobody') : undefined}
            value={demand.categories}
            onChange={(categories) => replace(at, { categories: categories as string[] })}
          />
          <Switch
            label={t('login-config.demand.administrators')}
            checked={demand.administrators}
            onChange={(administrators) => replace(at, { administrators })}
          />
          <SelectField
            label={t('audit-field.passwordLevel')}
            none={t('login-config.demand.as-all')}
            value={toText(demand.level)}
            options={optionsOf('passwordLevel')}
            error={isRefused && demandsNothing(demand) ? t('login-config.demand.nothing') : undefined}
            onChange={(level) => replace(at, { level: level === '' ? null : Number(level) })}
          />
          {NUMBERS.map((key) => (
            <DemandNumber
              key={key}
              name={key}
              value={demand[key]}
              onChange={(typed) => replace(at, { [key]: typed })}
            />
          ))}
          <button
            type="button"
            className="button button-quiet"
            aria-disabled={fixed !== undefined || undefined}
            aria-describedby={fixed}
            onClick={() => {
              if (fixed !== undefined) return
              onChange(demands.filter((_, other) => other !== at))
              // Its own button goes with it.
              add.current?.focus()
            }}
          >
            {t('login-config.demand.remove', { number: at + 1 })}
          </button>
        </fieldset>
      ))}
      <button
        ref={add}
        type="button"
        className="button"
        aria-disabled={fixed !== undefined || undefined}
        aria-describedby={fixed}
        onClick={() => fixed === undefined && onChange([...demands, EMPTY])}
      >
        {t('login-config.demand.add')}
      </button>
    </fieldset>
  )
}

type NumberProps = { name: NumberName; value: unknown; onChange: (value: unknown) => void }

function DemandNumber({ name, value, onChange }: NumberProps) {
  const { t } = useTranslation()
  const isWrong = !PasswordDemand.shape[name].safeParse(value).success
  return (
    <TextField
      label={t(`login-config.demand.${name}`)}
      isOptional
      value={toText(value)}
      error={isWrong ? t('login-config.demand.bounds') : undefined}
      inputMode="numeric"
      maxLength={4}
      onChange={(text) => onChange(text.trim() === '' ? null : toNumber(text))}
    />
  )
}
