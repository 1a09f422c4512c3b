import { type ComponentProps, Suspense } from 'react'
import { lazyPart } from '../../platform/lazy-part.ts'

const AuthorisedAppsDialog = lazyPart(() => import('./AuthorisedAppsDialog.tsx'), 'AuthorisedAppsDialog')

/** The dialog of a subject's applications, loaded on demand. */
export const LazyAuthorisedAppsDialog = (props: ComponentProps<typeof AuthorisedAppsDialog>) => (
  <Suspense>
    <AuthorisedAppsDialog {...props} />
  </Suspense>
)
