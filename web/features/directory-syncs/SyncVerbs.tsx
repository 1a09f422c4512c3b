import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { DeleteDialog } from '../../ui/DeleteDialog.tsx'
import { conflictWords } from './sync-conflict.ts'
import { refreshSyncs } from './sync-queries.ts'

/** A dialog of the list. */
export type SyncDialog<Sync> = { what: 'new' } | { what: 'edit' | 'delete'; sync: Sync }

type VerbsProps<Sync> = {
  sync: Sync
  /** The link to its runs. */
  children: ReactNode
  onOpen: (open: SyncDialog<Sync>) => void
}

/** The actions of a sync in a list, labelled with its name for screen readers. */
export function SyncVerbs<Sync extends { name: string }>({ sync, children, onOpen }: VerbsProps<Sync>) {
  const { t } = useTranslation()
  return (
    <span className="sync-verbs">
      {children}
      {(['edit', 'delete'] as const).map((what) => (
        <button
          key={what}
          type="button"
          className="button button-quiet"
          aria-label={t(`directory-sync.${what}-one`, { name: sync.name })}
          onClick={() => onOpen({ what, sync })}
        >
          {t(`directory-sync.${what}`)}
        </button>
      ))}
    </span>
  )
}

type DeleteProps = {
  sync: { id: string; version: number; name: string }
  remove: Endpoint
  /** The consequence, in words. */
  children: ReactNode
  onClose: () => void
}

export function DeleteSyncDialog({ sync, remove, children, onClose }: DeleteProps) {
  const { t } = useTranslation()
  const { name } = sync
  return (
    <DeleteDialog
      remove={remove}
      row={sync}
      words={conflictWords(t)}
      title={t('directory-sync.delete-title', { name })}
      verb={t('directory-sync.delete')}
      done={t('directory-sync.deleted', { name })}
      refresh={refreshSyncs}
      onClose={onClose}
    >
      <p>{children}</p>
    </DeleteDialog>
  )
}
