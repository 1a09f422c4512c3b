import { askEarly } from './platform/early-calls.ts'
import { removePicture, showLastPicture, untilPainted } from './platform/last-picture.ts'

/** As long as the shell waits by itself, which stands behind the picture: `before-start.css`. */
const MAX_WAIT_MS = 20_000

// Small, so that it runs while the rest is on its way.
askEarly(location.pathname)
showPicture()
  .catch(removePicture)
  .then(() => import('./start.tsx'))
  .then(({ start }) => start())
  .catch(giveUp)

async function showPicture(): Promise<void> {
  if (!showLastPicture()) return
  setTimeout(giveUp, MAX_WAIT_MS)
  await untilPainted()
}

/** The shell stays, and offers to try again. */
function giveUp(): void {
  removePicture()
  document.getElementById('shell')?.setAttribute('data-state', 'failed')
}
