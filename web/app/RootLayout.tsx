import { useQuery } from '@tanstack/react-query'
import { Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { setAuthRedirects } from '../platform/api.ts'
import { interrupt, isInterruptedBy } from '../platform/interruption.ts'
import { lazyPart } from '../platform/lazy-part.ts'
import { recoverLostParts } from '../platform/load-chunk.ts'
import { clearRedirecting } from '../platform/login-url.ts'
import { gatewayQuery } from '../platform/queries.ts'
import { useReauthenticationRequest } from '../platform/reauthentication.ts'
import { onOtherTabSession, storeFirstLogin, updateUser, useUser } from '../platform/session.ts'
import { focusTitle } from '../ui/restore-focus.ts'
import { IdleLogout } from './IdleLogout.tsx'
import {
  completeProfileRedirect,
  firstPasswordRedirect,
  type PortalLocation,
  secondFactorRedirect,
} from './required-page.ts'

const ReauthenticationDialog = lazyPart(
  () => import('../features/reauthentication/ReauthenticationDialog.tsx'),
  'ReauthenticationDialog',
)

/** Common to all pages: title, favicon, focus after navigation, idle logout. */
export function RootLayout() {
  const user = useUser()
  useAuthRedirects()
  useLostParts()
  useFocusAfterNavigation()
  useDocumentHead()
  return (
    <>
      <Outlet />
      {user && <IdleLogout />}
      <RequestedReauthentication />
    </>
  )
}

/** Asks for the reauthentication that a sensitive change needs, on any page. */
function RequestedReauthentication() {
  const question = useReauthenticationRequest()
  return <Suspense fallback={null}>{question && <ReauthenticationDialog question={question} />}</Suspense>
}

function currentLocation({ state }: ReturnType<typeof useRouter>): PortalLocation {
  const { pathname, search, hash } = state.location
  return { path: pathname, search: search as PortalLocation['search'], hash }
}

function useAuthRedirects(): void {
  const router = useRouter()
  useEffect(() => {
    setAuthRedirects({
      changePassword: () => {
        storeFirstLogin(true)
        void router.navigate(firstPasswordRedirect(currentLocation(router)))
      },
      proveFactor: () => {
        updateUser({ secondFactorDue: '1' })
        const target = secondFactorRedirect(currentLocation(router))
        // Several calls may be refused at once: a second redirect would lose `next`.
        if (router.state.location.pathname !== target.to) void router.navigate(target)
      },
      completeProfile: () => {
        updateUser({ profileDue: '1' })
        const target = completeProfileRedirect(currentLocation(router))
        if (router.state.location.pathname !== target.to) void router.navigate(target)
      },
      noPermission: () => void router.navigate({ to: '/401' }),
    })
    return onOtherTabSession((what) => {
      if (what === 'left') interrupt({ kind: 'left' })
      // Pages without a session (set-up, not found) have nothing to update.
      else if (what === 'changed' || isInterruptedBy('left')) location.reload()
    })
  }, [router])
}

function useLostParts(): void {
  const router = useRouter()
  useEffect(
    () => router.subscribe('onBeforeNavigate', ({ pathChanged }) => void (pathChanged && recoverLostParts())),
    [router],
  )
}

/** After a navigation the focus moves to the page's heading; the first page is announced by its title anyway. */
function useFocusAfterNavigation(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        clearRedirecting()
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
