import { useTranslation } from 'react-i18next'
import type { OrganizationNode } from '#shared/contract/organizations.ts'
import type { Task } from './OrganizationDialogs.tsx'

type Verb = { label: string; onSelect: () => void }

/** What the person may do with an organisation. */
export function useVerbs(
  start: (task: Task) => void,
  onTask: (taskId: string) => void,
  moreVerbs: (node: OrganizationNode) => Verb[] = () => [],
): (node: OrganizationNode) => Verb[] {
  const { t } = useTranslation()
  /** Of one that is merged or deleted, whoever began that may look how far it is. */
  const ofEnding = ({ ending }: OrganizationNode): Verb[] => {
    const taskId = ending?.taskId
    return taskId ? [{ label: t('organization.show-progress'), onSelect: () => onTask(taskId) }] : []
  }
  const own = (node: OrganizationNode): Verb[] => [
    ...(node.may.hold
      ? [{ label: t('organization.create-below'), onSelect: () => start({ kind: 'create', parent: node }) }]
      : []),
    ...(node.may.change
      ? [
          { label: t('organization.edit'), onSelect: () => start({ kind: 'edit', node }) },
          { label: t('organization.move'), onSelect: () => start({ kind: 'move', node }) },
          { label: t('organization.merge'), onSelect: () => start({ kind: 'merge', node }) },
          {
            label: t(node.enabled ? 'organization.disable' : 'organization.enable'),
            onSelect: () => start({ kind: 'enable', node }),
          },
          { label: t('organization.delete'), onSelect: () => start({ kind: 'delete', node }) },
        ]
      : []),
  ]
  return (node) => [...(node.ending ? ofEnding(node) : own(node)), ...moreVerbs(node)]
}
