import type { ReactNode } from 'react'
import type { PasswordPolicy } from '#shared/contract/passwords.ts'
import { Skeleton } from './PageSkeleton.tsx'
import { FailedBlock } from './StateBlock.tsx'
import { usePasswordPolicy } from './use-new-password.ts'

/** Renders a new-password form once its rules have loaded. */
export function PolicyGate({ children }: { children: (policy: PasswordPolicy) => ReactNode }) {
  const policy = usePasswordPolicy()
  if (policy.data) return children(policy.data)
  if (policy.isError) return <FailedBlock error={policy.error} onRetry={() => void policy.refetch()} />
  return <Skeleton lines={5} />
}
