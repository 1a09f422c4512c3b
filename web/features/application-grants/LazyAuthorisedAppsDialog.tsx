import { type ComponentProps, Suspense } from 'react'
import { lazyPart } from '../../platform/lazy-part.ts'

const AuthorisedAppsDialog = lazyPart(() => import('./AuthorisedAppsDialog.tsx'), 'AuthorisedAppsDialog')

/** The dialog of somebody's applications; its code comes when it opens. */
export const LazyAuthorisedAppsDialog = (props: ComponentProps<typeof AuthorisedAppsDialog>) => (
  <Suspense>
    <AuthorisedAppsDialog {...props} />
  </Suspense>
)
