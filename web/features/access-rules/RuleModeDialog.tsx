import { useTranslation } from 'react-i18next'
import { type AccessRule, accessRules, RULE_MODES } from '#shared/contract/access-rules.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { ForceSave } from '../../ui/ForceSave.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { RadioCards } from '../../ui/RadioCards.tsx'
import { useEditedDraft } from '../../ui/use-edited-draft.ts'
import { RuleImpact } from './RuleImpact.tsx'
import { SentenceOf } from './RuleSentence.tsx'
import { fieldsOfRule, savingRule } from './rule-fields.ts'
import { refreshRules } from './rule-queries.ts'

/** Off, report only or on: the change made most often. */
export function RuleModeDialog({ rule, onClose }: { rule: AccessRule; onClose: () => void }) {
  const { t } = useTranslation()
  const { loaded, draft, set, isDirty, conflictOf } = useEditedDraft(rule, ({ mode }) => ({ mode }))
  const name = rule.shownName
  const fields = { ...fieldsOfRule(loaded), mode: draft.mode }
  const save = async (force: boolean) => {
    const body = { ...fields, version: loaded.version, force }
    await savingRule(() => call(accessRules.update, { query: { id: loaded.id }, body }))
    await refreshRules()
    notify('well', t(`access-rule.switched.${draft.mode}`, { name }))
  }
  return (
    <FormDialog<AccessRule>
      title={t('access-rule.switch-title', { name })}
      verb={t('action.save')}
      isDirty={isDirty}
      {...conflictOf({
        labels: { mode: t('access-rule.mode') },
        show: (_field, mode) => t(`access-rule.mode.${mode as AccessRule['mode']}`),
      })}
      impact={<RuleImpact rule={loaded} fields={fields} />}
      onSubmit={() => save(false)}
      errorAction={(error) => <ForceSave error={error} onForce={() => save(true).then(onClose)} />}
      onClose={onClose}
    >
      <p className="rule-preview">
        <SentenceOf rule={loaded} />
      </p>
      <RadioCards
        legend={t('access-rule.mode')}
        value={draft.mode}
        options={RULE_MODES.map((value) => ({
          value,
          label: t(`access-rule.mode.${value}`),
          text: t(`access-rule.mode.${value}.text`),
        }))}
        onChange={(mode) => set({ mode })}
      />
    </FormDialog>
  )
}
