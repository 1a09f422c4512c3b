import { useContext, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type CustomChoice, MAX_CUSTOM_CHOICES } from '#shared/contract/custom-fields.ts'
import { FieldErrorsContext, useFieldError } from '../../ui/field-errors.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { languageLabel, wordingLanguages } from '../../ui/wording-languages.ts'

type Props = { choices: readonly CustomChoice[]; onChange: (choices: CustomChoice[]) => void }

/** The choices of a field, each with its code and names. */
export function ChoicesField({ choices, onChange }: Props) {
  const { t } = useTranslation()
  const refused = useFieldError('choices', choices)
  const named = Object.keys(useContext(FieldErrorsContext)).some((field) => field.startsWith('choices.'))
  const add = useRef<HTMLButtonElement>(null)
  const set = (at: number, change: Partial<CustomChoice>) =>
    onChange(choices.map((one, index) => (index === at ? { ...one, ...change } : one)))
  return (
    <fieldset className="field-wide custom-choices">
      <legend>{t('custom-field.choices')}</legend>
      {choices.map((choice, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a new one has no code yet.
        <fieldset key={at} className="custom-choice">
          <legend className="visually-hidden">{t('custom-field.choice', { number: at + 1, name: choice.name })}</legend>
          <TextField
            label={t('custom-field.choice-code')}
            name={`choices.${at}.code`}
            value={choice.code}
            maxLength={64}
            onChange={(code) => set(at, { code })}
          />
          <TextField
            label={t('custom-field.name')}
            name={`choices.${at}.name`}
            value={choice.name}
            maxLength={100}
            onChange={(name) => set(at, { name })}
          />
          <Switch
            label={t('custom-field.choice-offered')}
            checked={choice.isOffered}
            onChange={(isOffered) => set(at, { isOffered })}
          />
          <button
            type="button"
            className="button button-quiet"
            aria-label={t('custom-field.choice-remove', { name: choice.name || String(at + 1) })}
            onClick={() => {
              onChange(choices.filter((_, index) => index !== at))
              // Its own button goes with it.
              add.current?.focus()
            }}
          >
            <Icon name="close" />
          </button>
          <div className="custom-choice-names">
            {wordingLanguages().map((language) => (
              <TextField
                key={language}
                label={t('name-in', { language: languageLabel(t, language) })}
                value={choice.names[language] ?? ''}
                maxLength={100}
                isOptional
                onChange={(text) => set(at, { names: { ...choice.names, [language]: text } })}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {refused && !named && (
        <span className="field-error" role="alert">
          {refused}
        </span>
      )}
      <button
        ref={add}
        type="button"
        className="button button-quiet"
        disabled={choices.length >= MAX_CUSTOM_CHOICES}
        onClick={() => onChange([...choices, { code: '', name: '', names: {}, isOffered: true }])}
      >
        {t('custom-field.choice-add')}
      </button>
    </fieldset>
  )
}
