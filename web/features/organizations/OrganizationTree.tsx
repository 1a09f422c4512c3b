import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationNode } from '#shared/contract/organizations.ts'
import { useIsSuperUser } from '../../platform/session.ts'
import { Icon } from '../../ui/Icon.tsx'
import { MenuButton } from '../../ui/MenuButton.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { ContextMenu } from './ContextMenu.tsx'
import { type OrganizationAction, OrganizationDialogs } from './OrganizationDialogs.tsx'
import { OrganizationSearch } from './OrganizationSearch.tsx'
import { type Point, TreeView } from './TreeView.tsx'
import { useNodeActions } from './use-node-actions.ts'
import { useTree } from './use-tree.ts'
import './organization-tree.css'

type Props = {
  /** The selected organisation; null: none, so everybody. */
  value: string | null
  onChange: (id: string | null) => void
  /** Shows the progress of a background task. */
  onTask: (taskId: string) => void
  /** Changes when such a task has ended: reload the tree. */
  changed: number
  /** Further actions, such as its history. */
  moreVerbs?: (node: OrganizationNode) => { label: string; onSelect: () => void }[]
}

/** The tree of organisations, with search and all actions. */
export function OrganizationTree({ value, onChange, onTask, changed, moreVerbs }: Props) {
  const { t } = useTranslation()
  const tree = useTree(value, changed)
  const [search, setSearch] = useState('')
  const [task, setTask] = useState<OrganizationAction | null>(null)
  const [menu, setMenu] = useState<{ node: OrganizationNode; point: Point } | null>(null)
  const verbsOf = useNodeActions(setTask, onTask, moreVerbs)
  const chosen = value === null ? undefined : tree.state.nodes.get(value)
  const choose = (id: string | null) => {
    setSearch('')
    onChange(id)
  }
  return (
    <section className="organization-tree" aria-labelledby="organization-tree-title">
      <TreeHead
        node={chosen}
        verbs={chosen ? verbsOf(chosen) : []}
        onCreate={() => setTask({ kind: 'create', parent: chosen ?? null })}
      />
      <OrganizationSearch search={search} onSearch={setSearch} selected={value} onChoose={choose}>
        <button type="button" className="tree-all" aria-pressed={value === null} onClick={() => choose(null)}>
          {t('organization.everybody')}
        </button>
        <TreeBody tree={tree}>
          <TreeView
            store={tree.store}
            rows={tree.rows}
            selected={value}
            onSelect={onChange}
            onMenu={(node, point) => verbsOf(node).length > 0 && setMenu({ node, point })}
            onRename={(node) => node.ending || setTask({ kind: 'edit', node })}
            onDrop={(drop) => setTask({ kind: 'drop', drop })}
          />
        </TreeBody>
      </OrganizationSearch>
      {menu && (
        <ContextMenu
          label={t('organization.verbs', { name: menu.node.name })}
          point={menu.point}
          entries={verbsOf(menu.node)}
          onClose={() => setMenu(null)}
        />
      )}
      <OrganizationDialogs
        task={task}
        store={tree.store}
        value={value}
        onChange={onChange}
        onTask={onTask}
        onClose={() => setTask(null)}
      />
    </section>
  )
}

function TreeBody({ tree, children }: { tree: ReturnType<typeof useTree>; children: ReactNode }) {
  const { t } = useTranslation()
  if (tree.isFailed) return <FailedBlock error={tree.state.failure} onRetry={() => void tree.store.loadMore('')} />
  if (tree.isWaiting) return <Skeleton lines={6} />
  if (tree.rows.length === 0) return <p className="muted tree-empty">{t('organization.none')}</p>
  return children
}

type HeadProps = {
  node: OrganizationNode | undefined
  verbs: ReturnType<ReturnType<typeof useNodeActions>>
  onCreate: () => void
}

function TreeHead({ node, verbs, onCreate }: HeadProps) {
  const { t } = useTranslation()
  const isSuperUser = useIsSuperUser()
  const mayCreate = node ? node.may.hold && !node.ending : isSuperUser
  return (
    <header className="tree-head">
      <h2 id="organization-tree-title">{t('organization.tree')}</h2>
      {mayCreate && (
        <button
          type="button"
          className="button button-quiet"
          aria-label={t('organization.create')}
          title={t('organization.create')}
          onClick={onCreate}
        >
          <Icon name="plus" />
        </button>
      )}
      {node && verbs.length > 0 && (
        <MenuButton label={t('organization.verbs', { name: node.name })} entries={verbs}>
          <Icon name="more" />
        </MenuButton>
      )}
    </header>
  )
}
