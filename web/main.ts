import { askEarly } from './platform/early-calls.ts'
import { removePicture, showLastPicture, untilPainted } from './platform/last-picture.ts'

/** How long the static shell waits, which is behind the picture: `before-start.css`. */
const MAX_WAIT_MS = 20_000

// Small, so that it runs while the rest is loading.
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

/** Keeps the shell, which offers to try again. */
function giveUp(): void {
  removePicture()
  document.getElementById('shell')?.setAttribute('data-state', 'failed')
}
