import { lazyRouteComponent, useSearch } from '@tanstack/react-router'
import { loadChunk } from '../platform/load-chunk.ts'

const FirstPasswordPage = lazyRouteComponent(
  () => loadChunk(() => import('../features/account-security/FirstPasswordPage.tsx')),
  'FirstPasswordPage',
)
const RecoveryPage = lazyRouteComponent(
  () => loadChunk(() => import('../features/password-recovery/RecoveryPage.tsx')),
  'RecoveryPage',
)

/** One address for two pages: a first password (`type=2`), and a forgotten one. */
export function ForgotPasswordRoute() {
  const { type } = useSearch({ strict: false }) as { type?: string }
  return type === '2' ? <FirstPasswordPage /> : <RecoveryPage />
}
