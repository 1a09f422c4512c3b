import { useTranslation } from 'react-i18next'
import type { AddressRule } from '#shared/contract/mailbox-settings.ts'
import { CategoryPicker } from '../../ui/CategoryPicker.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { NEW_RULE } from './mailbox-draft.ts'

const MAX_RULES = 10

type Props = { rules: readonly AddressRule[]; onChange: (rules: AddressRule[]) => void }

/** How addresses are formed; the first rule for somebody's category applies. */
export function AddressRules({ rules, onChange }: Props) {
  const { t } = useTranslation()
  const [last] = rules.slice(-1)
  return (
    <section className="vendor-fields">
      <h2>{t('corporate-mailbox.rules')}</h2>
      <p className="muted">{t('corporate-mailbox.rules.text')}</p>
      {rules.map((rule, at) => (
        <Rule
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place.
          key={at}
          at={at}
          rule={rule}
          onChange={(next) => onChange(rules.with(at, next))}
          onRemove={rules.length > 1 ? () => onChange(rules.toSpliced(at, 1)) : undefined}
        />
      ))}
      {rules.length < MAX_RULES && (
        <div>
          <button
            type="button"
            className="button"
            // Before the last one, which usually is for everybody else.
            onClick={() =>
              onChange([...rules.slice(0, -1), { ...NEW_RULE, domain: last?.domain ?? '' }, ...(last ? [last] : [])])
            }
          >
            {t('corporate-mailbox.add-rule')}
          </button>
        </div>
      )}
    </section>
  )
}

type RuleProps = {
  at: number
  rule: AddressRule
  onChange: (rule: AddressRule) => void
  onRemove: (() => void) | undefined
}

function Rule({ at, rule, onChange, onRemove }: RuleProps) {
  const { t } = useTranslation()
  const name = (field: string) => `rules.${at}.${field}`
  const number = at + 1
  return (
    <fieldset className="mailbox-rule">
      <legend>{t('corporate-mailbox.rule', { number })}</legend>
      <CategoryPicker
        label={t('mailbox-field.categories')}
        name={name('categories')}
        {...(rule.categories.length === 0 && { placeholder: t('corporate-mailbox.everybody') })}
        value={rule.categories}
        onChange={(categories) => onChange({ ...rule, categories })}
      />
      <SelectField
        name={name('from')}
        label={t('mailbox-field.from')}
        {...(rule.from === 'recorded' && { hint: t('corporate-mailbox.recorded-hint') })}
        value={rule.from}
        options={(['number', 'recorded'] as const).map((value) => ({ value, label: t(`mailbox-field.from.${value}`) }))}
        onChange={(from) => onChange({ ...rule, from: from || 'number', prefix: '', suffix: '' })}
      />
      {rule.from === 'number' && (
        <div className="mailbox-parts">
          {(['prefix', 'suffix'] as const).map((part) => (
            <TextField
              key={part}
              name={name(part)}
              label={t(`mailbox-field.${part}`)}
              value={rule[part]}
              isOptional
              maxLength={20}
              onChange={(value) => onChange({ ...rule, [part]: value })}
            />
          ))}
        </div>
      )}
      <TextField
        name={name('domain')}
        label={t('mailbox-field.domain')}
        value={rule.domain}
        placeholder="example.edu"
        maxLength={190}
        onChange={(domain) => onChange({ ...rule, domain: domain.trim() })}
      />
      {onRemove && (
        <div>
          <button
            type="button"
            className="button button-quiet"
            aria-label={t('corporate-mailbox.remove-rule', { number })}
            onClick={onRemove}
          >
            {t('corporate-mailbox.remove')}
          </button>
        </div>
      )}
    </fieldset>
  )
}
