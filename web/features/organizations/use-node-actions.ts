import { useTranslation } from 'react-i18next'
import type { OrganizationNode } from '#shared/contract/organizations.ts'
import type { MenuVerb } from '../../ui/menu.types.ts'
import type { OrganizationAction } from './OrganizationDialogs.tsx'
import { placeHint } from './place-hint.ts'

type NodeAction = Pick<MenuVerb, 'label' | 'disabled' | 'hint' | 'onSelect'>

/** The actions that the person may take on an organisation. */
export function useNodeActions(
  start: (task: OrganizationAction) => void,
  onTask: (taskId: string) => void,
  moreVerbs: (node: OrganizationNode) => NodeAction[] = () => [],
): (node: OrganizationNode) => NodeAction[] {
  const { t } = useTranslation()
  /** Whoever started a merge or deletion may follow it. */
  const endingActions = ({ ending }: OrganizationNode): NodeAction[] => {
    const taskId = ending?.taskId
    return taskId ? [{ label: t('organization.show-progress'), onSelect: () => onTask(taskId) }] : []
  }
  const nodeActions = (node: OrganizationNode): NodeAction[] => [
    ...(node.may.hold
      ? [{ label: t('organization.create-below'), onSelect: () => start({ kind: 'create', parent: node }) }]
      : []),
    ...(node.may.change
      ? [
          { label: t('organization.edit'), onSelect: () => start({ kind: 'edit', node }) },
          {
            label: t('organization.move'),
            ...(!node.may.move && { disabled: true, hint: placeHint(t, node) }),
            onSelect: () => start({ kind: 'move', node }),
          },
          { label: t('organization.merge'), onSelect: () => start({ kind: 'merge', node }) },
          {
            label: t(node.enabled ? 'organization.disable' : 'organization.enable'),
            onSelect: () => start({ kind: 'enable', node }),
          },
          { label: t('organization.delete'), onSelect: () => start({ kind: 'delete', node }) },
        ]
      : []),
  ]
  return (node) => [...(node.ending ? endingActions(node) : nodeActions(node)), ...moreVerbs(node)]
}
