import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from '../platform/queries.ts'
import { PageNotices } from '../ui/Notices.tsx'
import { InterruptionDialog } from './InterruptionDialog.tsx'
import { router } from './router.ts'

/** Notices and dialogs are siblings of the router: they must show even while the first page is suspended. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <PageNotices />
      <InterruptionDialog />
    </QueryClientProvider>
  )
}
