import { useTranslation } from 'react-i18next'
import type { OrganizationNode } from '#shared/contract/organizations.ts'
import { notify } from '../../platform/notices.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { queryClient } from '../../platform/queries.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { EnableDialog } from './EnableDialog.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { DropDialog, MoveDialog } from './MoveDialog.tsx'
import { OrganizationCreate, OrganizationEdit } from './OrganizationForm.tsx'
import type { TreeStore } from './tree-store.ts'
import type { Drop } from './use-tree-drag.ts'

/** The action in progress. */
export type OrganizationAction =
  | { kind: 'create'; parent: OrganizationNode | null }
  | { kind: 'edit' | 'move' | 'merge' | 'enable' | 'delete'; node: OrganizationNode }
  | { kind: 'drop'; drop: Drop }

type Props = {
  task: OrganizationAction | null
  store: TreeStore
  value: string | null
  onChange: (id: string | null) => void
  /** Shows the progress of a background task. */
  onTask: (taskId: string) => void
  onClose: () => void
}

/** The dialogs of the tree; their changes refresh everything. */
export function OrganizationDialogs({ task, store, value, onChange, onTask, onClose }: Props) {
  const { t } = useTranslation()
  if (!task) return null
  /** Shows a notice and `focus`; the selection moves from a removed node to `instead`. */
  const done = (text: string, focus?: string, undo?: () => Promise<unknown>) => {
    const again = async () => {
      await store.refresh()
      if (focus) await store.reveal(focus)
      await queryClient.invalidateQueries()
    }
    const runUndo = async () => {
      try {
        await undo?.()
        notify('well', t('organization.undone'))
      } catch (error) {
        notifyFailure(error)
      }
      await again()
    }
    notify('well', text, undo && { label: t('organization.undo'), run: () => void runUndo() })
    void again()
  }
  /** The selected node is gone: select another, or none. */
  const gone = (id: string, instead: string | null) => {
    if (value === id) onChange(instead)
  }
  /** From now on its row shows the task. */
  const started = (taskId: string) => {
    onTask(taskId)
    void store.refresh()
    void queryClient.invalidateQueries()
  }
  const common = { onClose, onDone: done }
  const ending = { onTask: started, onGone: gone }
  if (task.kind === 'create') return <OrganizationCreate {...common} parent={task.parent} />
  if (task.kind === 'drop') return <DropDialog {...common} drop={task.drop} />
  const { kind, node } = task
  if (kind === 'edit') return <OrganizationEdit {...common} id={node.id} />
  if (kind === 'move')
    return <MoveDialog {...common} node={node} parent={store.state().nodes.get(node.parentId ?? '')} />
  if (kind === 'merge') return <MergeDialog {...common} {...ending} node={node} />
  if (kind === 'enable') return <EnableDialog {...common} node={node} />
  return <DeleteDialog {...common} {...ending} node={node} />
}
