import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../platform/queries.ts'
import { isRefusal, Refusal } from '../../platform/refusal.ts'

/**
 * For a dialog about an organisation in the version that it was opened with. After a conflict the effects that it shows are read anew, and
 * the next try is for the version that is there then.
 */
export function useSeenVersion(opened: number) {
  const { t } = useTranslation()
  const [version, setVersion] = useState(opened)
  return async <T>(request: (version: number) => Promise<T>): Promise<T> => {
    try {
      return await request(version)
    } catch (error) {
      if (!isRefusal(error, 'version.conflict')) throw error
      const { current } = error.data as { current: { name: string; version: number } }
      setVersion(current.version)
      await queryClient.invalidateQueries()
      const message = t('organization.changed-meanwhile', { name: current.name })
      throw new Refusal(error.state, error.code, message, { requestId: error.requestId })
    }
  }
}
