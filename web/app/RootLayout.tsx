import { useQuery } from '@tanstack/react-query'
import { Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { setDoors } from '../platform/api.ts'
import { loadChunk } from '../platform/chunk.ts'
import { useProofQuestion } from '../platform/fresh-proof.ts'
import { interrupt, isInterruptedBy } from '../platform/interruption.ts'
import { clearLeaving } from '../platform/login-address.ts'
import { gatewayQuery } from '../platform/queries.ts'
import { onOtherTab, storeFirstLogin, updateUser, useUser } from '../platform/session.ts'
import { focusTitle } from '../ui/give-focus-back.ts'
import { IdleWatch } from './IdleWatch.tsx'

const IdentityProofDialog = lazy(async () => {
  const { IdentityProofDialog: dialog } = await loadChunk(
    () => import('../features/identity-proofs/IdentityProofDialog.tsx'),
  )
  return { default: dialog }
})

/** What every page has: title, favicon, focus after navigation, the watch over idleness. */
export function RootLayout() {
  const user = useUser()
  useDoors()
  useArrival()
  useDocumentHead()
  return (
    <>
      <Outlet />
      {user && <IdleWatch />}
      <ProofQuestion />
    </>
  )
}

/** Whatever page makes a sensitive change: the proof of identity that it needs is asked for here. */
function ProofQuestion() {
  const question = useProofQuestion()
  return <Suspense fallback={null}>{question && <IdentityProofDialog question={question} />}</Suspense>
}

function useDoors(): void {
  const router = useRouter()
  useEffect(() => {
    setDoors({
      changePassword: () => {
        storeFirstLogin(true)
        void router.navigate({ to: '/forgot-password', search: { type: '2' } })
      },
      proveFactor: () => {
        updateUser({ secondFactorDue: '1' })
        void router.navigate({ to: '/second-factor' })
      },
      noPermission: () => void router.navigate({ to: '/401' }),
    })
    return onOtherTab((what) => {
      if (what === 'left') interrupt({ kind: 'left' })
      // A page without a session of its own (set-up, not found) has nothing to take over.
      else if (what === 'changed' || isInterruptedBy('left')) location.reload()
    })
  }, [router])
}

/** After a navigation the focus goes to the page's heading; the first page is announced by its title anyway. */
function useArrival(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        clearLeaving()
        if (fromLocation && pathChanged) focusTitle()
      }),
    [router],
  )
}

function useDocumentHead(): void {
  const { t } = useTranslation()
  const { data: gateway } = useQuery(gatewayQuery())
  const title = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title,
  })
  const name = gateway?.schoolName
  useEffect(() => {
    document.title = [title && t(title), name ?? 'Gatehouse'].filter(Boolean).join(' · ')
  }, [title, name, t])
  const icon = gateway?.pageLabelLogo
  useEffect(() => {
    if (icon) document.querySelector('link[rel=icon]')?.setAttribute('href', icon)
  }, [icon])
}
