import { askEarly } from './platform/early-calls.ts'
import { removePicture, showLastPicture, untilPainted } from './platform/last-picture.ts'

// Small, so that it runs while the rest is on its way.
askEarly(location.pathname)
const begin = showLastPicture() ? untilPainted() : Promise.resolve()
begin
  .then(() => import('./start.tsx'))
  .then(({ start }) => start())
  // The shell stays, and offers to try again.
  .catch(() => {
    removePicture()
    document.getElementById('shell')?.setAttribute('data-state', 'failed')
  })
