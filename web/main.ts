import { askEarly } from './platform/early-calls.ts'

// Small, so that it runs while the rest is on its way.
askEarly(location.pathname)
import('./start.tsx')
  .then(({ start }) => start())
  // The shell stays, and offers to try again.
  .catch(() => document.getElementById('shell')?.setAttribute('data-state', 'failed'))
