import type { ReactNode } from 'react'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { type CallInput, call } from '../platform/api.ts'
import { notify } from '../platform/notices.ts'
import { isRefusal } from '../platform/refusal.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

type Props = {
  /** The call of a resource that deletes (`shared/contract/resource-calls.ts`). */
  remove: Endpoint
  row: { id: string; version: number }
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
export function DeleteDialog({ remove, row: { id, version }, title, verb, done, refresh, onClose, children }: Props) {
  const confirm = async () => {
    try {
      await call(remove, { query: { id }, body: { version } } as CallInput<Endpoint>)
    } catch (error) {
      // The next try is for what the list then shows.
      if (isRefusal(error, 'version.conflict')) await refresh()
      throw error
    }
    await refresh()
    notify('well', done)
  }
  return (
    <ConfirmDialog title={title} verb={verb} onConfirm={confirm} onClose={onClose}>
      {children}
    </ConfirmDialog>
  )
}
