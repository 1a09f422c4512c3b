import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type AccountField,
  FIELD_CHOICES,
  FIELD_RULE_NAMES,
  type FieldRuleName,
  type StoredFieldRules,
} from '#shared/contract/account-fields.ts'
import { MAX_PATTERN_LENGTH } from '#shared/contract/field-rules.ts'
import { fieldRulesImpact } from '#shared/contract/policy-impact.ts'
import { call } from '../../platform/api.ts'
import { ForceSave } from '../../ui/ForceSave.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { FixedReason } from '../../ui/fixed-field.ts'
import { ImpactFigures } from '../../ui/ImpactFigures.tsx'
import { focusFirstField } from '../../ui/restore-focus.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { ExpectedFields } from './ExpectedFields.tsx'
import { FormatTester } from './FormatTester.tsx'
import {
  DEFAULT_RULES,
  draftOf,
  editOf,
  fixedReasons,
  formatOf,
  formatWords,
  isOpenRule,
  type LoadedRules,
  presetsOf,
  type RuleDraft,
  rulesOfDraft,
  ruleWord,
  saveRules,
  toLoaded,
} from './field-rules.ts'

type Props = { field: AccountField; stored: StoredFieldRules; onClose: () => void }

/** The rules of one field. */
export function FieldRulesDialog({ field, stored, onClose }: Props) {
  const { t } = useTranslation()
  const label = t(`person-field.${field}`)
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(toLoaded(field, stored), draftOf)
  const part = { field, draft, set, isByFile: (name: FieldRuleName) => stored.setByFile.includes(`${field}.${name}`) }
  const edit = editOf(field, loaded, draft)
  const isJudged = [...Object.keys(edit.changes), ...edit.reset].some((key) =>
    /\.(isLoginName|required|format|isUnique)$/.test(key),
  )
  const words = {
    mine: rulesOfDraft(draft),
    labels: Object.fromEntries(FIELD_RULE_NAMES.map((name) => [name, t(`audit-field.${name}`)])),
    show: (name: keyof LoadedRules, value: unknown) => {
      if (name === 'version') return ''
      return name === 'format' ? formatWords(value as LoadedRules['format']) : ruleWord(name, value)
    },
  }
  return (
    <FormDialog<LoadedRules>
      title={t('field-rule.edit', { field: label })}
      verb={t('action.save')}
      size="wide"
      isDirty={isDirty}
      impact={
        <ImpactFigures
          name="account-fields"
          draft={isJudged ? edit : null}
          load={(body, signal) => call(fieldRulesImpact, { body }, { signal })}
        />
      }
      {...conflictOf(words)}
      onSubmit={() => saveRules({ field, loaded, draft, force: false })}
      errorAction={(error) => (
        <ForceSave error={error} onForce={() => saveRules({ field, loaded, draft, force: true }).then(onClose)} />
      )}
      onClose={onClose}
    >
      <ChoiceRule {...part} name="required" />
      <ChoiceRule {...part} name="editableBy" />
      <ChoiceRule {...part} name="visibleTo" />
      <FormatRule {...part} />
      <SwitchRule {...part} name="isUnique" />
      <SwitchRule {...part} name="isLoginName" />
      <SwitchRule {...part} name="askAtActivation" />
      <FixedRules field={field} />
    </FormDialog>
  )
}

type PartProps = {
  field: AccountField
  draft: RuleDraft
  set: (change: Partial<RuleDraft>) => void
  isByFile: (name: FieldRuleName) => boolean
}

type SwitchName = 'isUnique' | 'isLoginName' | 'askAtActivation'
type ChoiceName = 'required' | 'editableBy' | 'visibleTo'

/** What can’t be chosen, and why. */
function FixedRules({ field }: { field: AccountField }) {
  const { t } = useTranslation()
  const reasons = fixedReasons(field)
  if (reasons.length === 0) return null
  return (
    <ul className="field-rule-fixed muted">
      {reasons.map((reason) => (
        <li key={reason}>{t(`field-rule.fixed.${reason}`)}</li>
      ))}
    </ul>
  )
}

function ChoiceRule({ field, draft, set, isByFile, name }: PartProps & { name: ChoiceName }) {
  const { t } = useTranslation()
  if (!isOpenRule(field, name)) return null
  const value = draft[name]
  const isDefault = value === DEFAULT_RULES[field][name]
  return (
    <Rule
      {...{ field, name, isDefault, isByFile: isByFile(name) }}
      onBack={() => set({ [name]: DEFAULT_RULES[field][name] })}
    >
      <SelectField
        label={t(`audit-field.${name}`)}
        name={`${field}.${name}`}
        value={value}
        hint={t(`field-rule.${name as 'required'}.${value as 'never'}.text`)}
        options={FIELD_CHOICES[field][name].map((one) => ({ value: one as string, label: ruleWord(name, one) }))}
        onChange={(chosen) => chosen && set({ [name]: chosen })}
      />
    </Rule>
  )
}

function SwitchRule({ field, draft, set, isByFile, name }: PartProps & { name: SwitchName }) {
  const { t } = useTranslation()
  if (!isOpenRule(field, name)) return null
  const isDefault = draft[name] === DEFAULT_RULES[field][name]
  return (
    <Rule
      {...{ field, name, isDefault, isByFile: isByFile(name) }}
      onBack={() => set({ [name]: DEFAULT_RULES[field][name] })}
    >
      <Switch
        label={t(`audit-field.${name}`)}
        hint={t(`field-rule.${name}.text`)}
        checked={draft[name]}
        onChange={(checked) => set({ [name]: checked })}
      />
    </Rule>
  )
}

/** A named format, or a custom pattern. */
function FormatRule({ field, draft, set, isByFile }: PartProps) {
  const { t } = useTranslation()
  if (!isOpenRule(field, 'format')) return null
  const isOwn = draft.preset === 'own'
  return (
    <Rule
      field={field}
      name="format"
      isDefault={draft.preset === DEFAULT_RULES[field].format}
      isByFile={isByFile('format')}
      onBack={() => set({ preset: 'any' })}
      below={
        <FixedReason value={undefined}>
          <FormatTester field={field} format={formatOf(draft)} />
        </FixedReason>
      }
    >
      <SelectField
        label={t('audit-field.format')}
        name={`${field}.format.preset`}
        value={draft.preset}
        hint={t(isOwn ? 'field-rule.format.own.text' : 'field-rule.format.text')}
        options={presetsOf(field).map((value) => ({ value, label: t(`field-rule.format.${value}`) }))}
        onChange={(preset) => preset && set({ preset })}
      />
      {isOwn && (
        <>
          <TextField
            label={t('audit-field.pattern')}
            name={`${field}.format`}
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
              name={`changes.${field}.format.${name}`}
              value={draft[name]}
              inputMode="numeric"
              maxLength={4}
              onChange={(text) => /^\d*$/.test(text) && set({ [name]: text })}
            />
          ))}
          <ExpectedFields expected={draft.expected} onChange={(expected) => set({ expected })} />
        </>
      )}
    </Rule>
  )
}

type LineProps = { field: AccountField; name: FieldRuleName; isDefault: boolean; onBack: () => void }

type RuleProps = LineProps & {
  isByFile: boolean
  children: ReactNode
  /** What isn't part of the rule. */
  below?: ReactNode
}

/** The fields of a rule, and its default. */
function Rule({ isByFile, children, below, ...line }: RuleProps) {
  const id = useId()
  return (
    <div className="field-rule">
      <FixedReason value={isByFile ? id : undefined}>{children}</FixedReason>
      {isByFile ? <SetByFile id={id} /> : <DefaultLine {...line} />}
      {below}
    </div>
  )
}

function DefaultLine({ field, name, isDefault, onBack }: LineProps) {
  const { t } = useTranslation()
  if (isDefault) return <p className="field-rule-default muted">{t('login-config.is-default')}</p>
  return (
    <p className="field-rule-default muted">
      <span>{t('login-config.default', { value: ruleWord(name, DEFAULT_RULES[field][name]) })}</span>
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('login-config.back-of', { name: t(`audit-field.${name}`) })}
        onClick={({ currentTarget }) => {
          // The button disappears.
          focusFirstField(currentTarget.closest('.field-rule'))
          onBack()
        }}
      >
        {t('login-config.back')}
      </button>
    </p>
  )
}
