import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mergeOrganization } from '#shared/contract/organization-endings.ts'
import type { OrganizationNode } from '#shared/contract/organizations.ts'
import { call } from '../../platform/api.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { NamedByRules } from '../../ui/NamedByRules.tsx'
import { OrganizationPicker } from '../../ui/OrganizationPicker.tsx'
import type { PickerOption } from '../../ui/Picker.tsx'
import type { DoneHandler } from './done-handler.types.ts'
import { EffectList, useEffects } from './EffectList.tsx'
import { requiredChoiceError } from './required-choice.ts'
import { useSeenOrganization } from './use-seen-organization.ts'

type Props = {
  node: OrganizationNode
  onDone: DoneHandler
  /** Called when it continues in the background. */
  onTask: (taskId: string) => void
  onGone: (id: string, instead: string | null) => void
  onClose: () => void
}

/** Merges an organisation into another; this can't be undone, so the effects are shown first. */
export function MergeDialog({ node, onDone, onTask, onGone, onClose }: Props) {
  const { t } = useTranslation()
  const [target, setTarget] = useState<readonly PickerOption[]>([])
  const effects = useEffects(node.id)
  const [into] = target
  const inSeenVersion = useSeenOrganization(node.version)
  const submit = async () => {
    if (!into) throw requiredChoiceError(['into'], t('organization.choose-one'))
    const { taskId } = await inSeenVersion((version) =>
      call(mergeOrganization, { query: { id: node.id }, body: { version, into: into.id } }),
    )
    if (taskId) return onTask(taskId)
    onGone(node.id, into.id)
    onDone(t('organization.merged', { name: node.name, target: into.label }), into.id)
  }
  return (
    <FormDialog
      title={t('organization.merge-title', { name: node.name })}
      verb={t('organization.merge-verb')}
      isDanger
      isDirty={target.length > 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <OrganizationPicker label={t('organization.merge-into')} name="into" value={target} onChange={setTarget} />
      {effects && (
        <section>
          <EffectList title={t('organization.goes-over')} effects={effects} />
          <p>{t('organization.merge-warning', { name: node.name })}</p>
        </section>
      )}
      <NamedByRules field="who.organizations" values={[node.id]} isMerged onLeave={onClose} />
    </FormDialog>
  )
}
