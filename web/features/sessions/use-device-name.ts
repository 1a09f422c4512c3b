import { useTranslation } from 'react-i18next'
import type { CurrentLogin } from '#shared/contract/sessions.ts'

/** "Chrome 140 · Windows 11", or a description of what is known. */
export function useDeviceName(): (login: Pick<CurrentLogin, 'browser' | 'device' | 'clientType'>) => string {
  const { t } = useTranslation()
  return ({ browser, device, clientType }) =>
    [browser, device].filter(Boolean).join(' · ') || t(`client-type.${clientType}`)
}
