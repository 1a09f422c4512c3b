import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { loadChunk } from '../../platform/load-chunk.ts'
import { useIsSuperUser } from '../../platform/session.ts'
import { unconfirmedQuery } from './unconfirmed-queries.ts'

const UnconfirmedBanner = lazy(async () => ({
  default: (await loadChunk(() => import('./UnconfirmedBanner.tsx'))).UnconfirmedBanner,
}))

const PoliciesOffBanner = lazy(async () => ({
  default: (await loadChunk(() => import('./UnconfirmedBanner.tsx'))).PoliciesOffBanner,
}))

/**
 * At the top of the back office, for super users: changes that are reverted unless confirmed, and suspended access
 * rules. Usually empty.
 */
export function UnconfirmedChanges() {
  return useIsSuperUser() ? <AskedFor /> : null
}

function AskedFor() {
  const { data, dataUpdatedAt } = useQuery(unconfirmedQuery())
  if (!data || (data.records.length === 0 && !data.arePoliciesOff)) return null
  return (
    <Suspense>
      {data.arePoliciesOff && <PoliciesOffBanner />}
      {data.records.map((change) => (
        <UnconfirmedBanner key={change.id} change={change} askedAt={dataUpdatedAt} />
      ))}
    </Suspense>
  )
}
