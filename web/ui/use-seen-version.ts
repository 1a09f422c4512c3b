import i18next from 'i18next'
import { useState } from 'react'
import { isRefusal, Refusal } from '../platform/refusal.ts'

type Told<Current> = {
  /** Reads anew what is shown. */
  reread?: (current: Current | null) => unknown
  /** What is said; absent: that it should be looked at and confirmed again. */
  text?: (current: Current | null) => string
}

/** A request that a conflict refuses: what is shown is read anew, and only then the conflict is told. */
export async function tellingConflict<T, Current>(
  request: () => Promise<T>,
  { reread, text }: Told<Current> = {},
): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (!isRefusal(error, 'version.conflict')) throw error
    const { current = null } = (error.data ?? {}) as { current?: Current }
    await reread?.(current)
    const message = text?.(current) ?? i18next.t('conflict.confirm')
    throw new Refusal(error.state, error.code, message, { requestId: error.requestId })
  }
}

/**
 * For a dialog in which nothing is typed, about something in the version that it was opened with. After a conflict the next try is for the
 * version that is there then.
 */
export function useSeenVersion<Current extends { version: number }>(opened: number, told: Told<Current> = {}) {
  const [current, setCurrent] = useState<Current | null>(null)
  const inSeenVersion = <T>(request: (version: number) => Promise<T>): Promise<T> =>
    tellingConflict<T, Current>(() => request(current?.version ?? opened), {
      ...told,
      reread: (now) => {
        setCurrent(now)
        return told.reread?.(now)
      },
    })
  return { current, inSeenVersion }
}
