import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from '../platform/queries.ts'
import { PageNotices } from '../ui/Notices.tsx'
import { InterruptionDialog } from './InterruptionDialog.tsx'
import { router } from './router.ts'

/** Notices and interruptions stand beside the router: they have to show also while the first page is still held back. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <PageNotices />
      <InterruptionDialog />
    </QueryClientProvider>
  )
}
