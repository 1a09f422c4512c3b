import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { type CallInput, call } from '../platform/api.ts'
import { notify } from '../platform/notices.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { ChangedSince, type ConflictWords } from './ConflictNotice.tsx'

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
  const [current, setCurrent] = useState<Row | null>(null)
  const confirm = async () => {
    const { id, version } = current ?? row
    try {
      await call(remove, { query: { id }, body: { version } } as CallInput<Endpoint>)
    } catch (error) {
      if (!isRefusal(error, 'version.conflict')) throw error
      // What changed is shown; the next try is for that.
      const now = (error.data as { current: Row }).current
      onConflict?.(now)
      setCurrent(now)
      await refresh()
      throw new Refusal(error.state, error.code, t('conflict.delete'), { requestId: error.requestId })
    }
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
