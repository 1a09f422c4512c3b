import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteOrganization, type OrganizationEffects } from '#shared/contract/organization-endings.ts'
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

/** Deletes an empty organisation immediately; people and organisations below it must be moved first. */
export function DeleteDialog({ node, onDone, onTask, onGone, onClose }: Props) {
  const { t } = useTranslation()
  const effects = useEffects(node.id)
  const [peopleTo, setPeopleTo] = useState<readonly PickerOption[]>([])
  const [childrenTo, setChildrenTo] = useState<readonly PickerOption[]>([])
  const inSeenVersion = useSeenOrganization(node.version)
  const submit = async () => {
    const [people] = peopleTo
    const [children] = childrenTo
    const missing = [
      ...(effects?.people && !people ? ['peopleTo'] : []),
      ...(effects?.children && !children ? ['childrenTo'] : []),
    ]
    if (missing.length > 0) throw requiredChoiceError(missing, t('organization.choose-one'))
    const targets = {
      ...(people && { peopleTo: people.id }),
      ...(children && { childrenTo: children.id }),
    }
    const { taskId } = await inSeenVersion((version) =>
      call(deleteOrganization, { query: { id: node.id }, body: { version, ...targets } }),
    )
    if (taskId) return onTask(taskId)
    onGone(node.id, node.parentId)
    onDone(t('organization.deleted', { name: node.name }))
  }
  return (
    <FormDialog
      title={t('organization.delete-title', { name: node.name })}
      verb={t('organization.delete')}
      isDanger
      isDirty={peopleTo.length + childrenTo.length > 0}
      onSubmit={submit}
      onClose={onClose}
    >
      {effects && (
        <>
          <section>
            <EffectList title={t('organization.has')} effects={effects} />
          </section>
          <NamedByRules field="who.organizations" values={[node.id]} onLeave={onClose} />
          {effects.people > 0 && (
            <OrganizationPicker
              label={t('organization.people-to')}
              name="peopleTo"
              value={peopleTo}
              onChange={setPeopleTo}
            />
          )}
          {effects.children > 0 && (
            <OrganizationPicker
              label={t('organization.children-to')}
              name="childrenTo"
              value={childrenTo}
              onChange={setChildrenTo}
            />
          )}
          <p>
            {t(endsWith(effects) ? 'organization.delete-warning' : 'organization.delete-text', { name: node.name })}
          </p>
        </>
      )}
    </FormDialog>
  )
}

/** Would anything be lost that nobody takes over? */
const endsWith = ({ roles, grants, appointments, secondaryMembers }: OrganizationEffects): boolean =>
  roles + grants + appointments + secondaryMembers > 0
