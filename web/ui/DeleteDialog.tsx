import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { type CallInput, call } from '../platform/api.ts'
import { notify } from '../platform/notices.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { ChangedSince, type ConflictWords } from './ConflictNotice.tsx'
import { useSeenVersion } from './use-seen-version.ts'

type Props<Row> = {
  /** The call of a resource that deletes (`shared/contract/resource-calls.ts`). */
  remove: Endpoint
  row: Row
  /** For what somebody else changed in the meantime. */
  words: ConflictWords<Row>
  onConflict?: (current: Row) => void
  title: string
  verb: string
  /** What is said once it is gone. */
  done: string
  /** Reads the lists anew that it stood in. */
  refresh: () => Promise<unknown>
  onClose: () => void
  /** The consequence, in words. */
  children: ReactNode
}

/** Asks before a resource of the back office is deleted, in the version that was seen. */
export function DeleteDialog<Row extends { id: string; version: number }>(props: Props<Row>) {
  const { remove, row, words, onConflict, title, verb, done, refresh, onClose, children } = props
  const { t } = useTranslation()
  const { current, inSeenVersion } = useSeenVersion<Row>(row.version, {
    reread: (now) => {
      if (now) onConflict?.(now)
      return refresh()
    },
    text: () => t('conflict.delete'),
  })
  const confirm = async () => {
    await inSeenVersion((version) => call(remove, { query: { id: row.id }, body: { version } } as CallInput<Endpoint>))
    await refresh()
    notify('well', done)
  }
  return (
    <ConfirmDialog
      title={title}
      verb={verb}
      // For the table of what changed.
      size={current ? 'wide' : 'narrow'}
      onConfirm={confirm}
      onClose={onClose}
    >
      {children}
      {current && <ChangedSince {...words} loaded={row} current={current} />}
    </ConfirmDialog>
  )
}
