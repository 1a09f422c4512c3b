import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AccessRule, accessRules, RULE_MODES, RULE_OUTCOMES } from '#shared/contract/access-rules.ts'
import { notify } from '../../platform/notices.ts'
import { saveResource } from '../../platform/save-resource.ts'
import { ForceSave } from '../../ui/ForceSave.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NamesFields } from '../../ui/NamesFields.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { languageLabel, wordingLanguages } from '../../ui/wording-languages.ts'
import { RuleImpact } from './RuleImpact.tsx'
import { ApplicationsPart, WhenPart, WherePart, WhoPart } from './RuleParts.tsx'
import { RuleSentence } from './RuleSentence.tsx'
import {
  type Dimension,
  draftOfRule,
  emptyParts,
  fieldsOfDraft,
  newDraft,
  type RuleDraft,
  type RulePreset,
  wordsOfDraft,
} from './rule-draft.ts'
import { savingRule } from './rule-fields.ts'
import { refreshRules } from './rule-queries.ts'
import { useConflictWords } from './use-conflict-words.ts'

type Props = {
  /** Null: a new one. */
  edited: AccessRule | null
  /** What a new rule starts with. */
  preset?: RulePreset | undefined
  onClose: () => void
}

/** A rule part by part, with the resulting sentence above. */
export function AccessRuleForm({ edited, preset, onClose }: Props) {
  const { t } = useTranslation()
  const draftOf = (rule: AccessRule | null) => (rule ? draftOfRule(t, rule) : newDraft(t, preset))
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(edited, draftOf)
  const [lacking, setLacking] = useState<readonly Dimension[]>([])
  const words = useConflictWords(edited)
  const missing = emptyParts(draft).filter((part) => lacking.includes(part))
  const save = async (force: boolean) => {
    const empty = emptyParts(draft)
    setLacking(empty)
    if (empty.length > 0) throw new Error('a part names nothing')
    const body = { ...fieldsOfDraft(draft), force }
    await savingRule(() => saveResource(accessRules, loaded, body)).catch(words.learn)
    await refreshRules()
    notify('well', t('access-rule.saved', { name: draft.name }))
  }
  const part = { draft, set, missing }
  return (
    <FormDialog<AccessRule>
      title={edited ? t('access-rule.edit-one', { name: edited.shownName }) : t('access-rule.create')}
      verb={t('action.save')}
      size="wide"
      isDirty={isDirty}
      {...conflictOf(words.conflict)}
      impact={<RuleImpact rule={loaded} fields={emptyParts(draft).length > 0 ? undefined : fieldsOfDraft(draft)} />}
      onSubmit={() => save(false)}
      errorAction={(error) => <ForceSave error={error} onForce={() => save(true).then(onClose)} />}
      onClose={onClose}
    >
      <p className="rule-preview" role="status">
        <RuleSentence words={wordsOfDraft(t, draft)} outcome={draft.outcome} />
      </p>
      <TextField
        label={t('access-rule.name')}
        name="name"
        value={draft.name}
        maxLength={100}
        isFirst
        isWide
        onChange={(name) => set({ name })}
      />
      <WhoPart {...part} />
      <WherePart {...part} />
      <WhenPart {...part} />
      <ApplicationsPart {...part} />
      <OutcomeFields draft={draft} set={set} />
      <details>
        <summary>{t('access-rule.names')}</summary>
        <div className="rule-names">
          <NamesFields names={draft.names} onChange={(names) => set({ names })} />
        </div>
      </details>
    </FormDialog>
  )
}

type PartProps = { draft: RuleDraft; set: (change: Partial<RuleDraft>) => void }

/** The effect, the mode, and the message to those it refuses. */
function OutcomeFields({ draft, set }: PartProps) {
  const { t } = useTranslation()
  const { outcome, mode } = draft
  return (
    <>
      <SelectField
        label={t('access-rule.then')}
        name="outcome"
        value={outcome}
        hint={t(`access-rule.outcome.${outcome}.text`)}
        options={RULE_OUTCOMES.map((value) => ({ value, label: t(`access-rule.outcome.${value}`) }))}
        onChange={(chosen) => chosen && set({ outcome: chosen })}
      />
      <SelectField
        label={t('access-rule.mode')}
        name="mode"
        value={mode}
        hint={t(`access-rule.mode.${mode}.text`)}
        options={RULE_MODES.map((value) => ({ value, label: t(`access-rule.mode.${value}`) }))}
        onChange={(chosen) => chosen && set({ mode: chosen })}
      />
      {outcome === 'refuse' && mode === 'on' && (
        <p className="banner rule-caution">{t('access-rule.refuse-caution')}</p>
      )}
      {outcome === 'refuse' && <MessageFields draft={draft} set={set} />}
    </>
  )
}

function MessageFields({ draft, set }: PartProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextAreaField
        label={t('access-rule.message')}
        name="message"
        hint={t('access-rule.message.hint')}
        value={draft.message}
        maxLength={300}
        rows={2}
        isOptional
        onChange={(message) => set({ message })}
      />
      <details>
        <summary>{t('access-rule.messages')}</summary>
        <div className="rule-names">
          {wordingLanguages().map((language) => (
            <TextAreaField
              key={language}
              label={t('access-rule.message-in', { language: languageLabel(t, language) })}
              name={`messages.${language}`}
              value={draft.messages[language] ?? ''}
              maxLength={300}
              rows={2}
              isOptional
              onChange={(text) => set({ messages: { ...draft.messages, [language]: text } })}
            />
          ))}
        </div>
      </details>
    </>
  )
}
