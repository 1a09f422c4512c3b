import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import 'virtual:tokens.css'
import './ui/base.css'
import './ui/controls.css'
import './ui/surfaces.css'
import './ui/overlays.css'
import './app/shell.css'
import './app/before-start.css'
import { App } from './app/App.tsx'
import { previewedPath, router } from './app/router.ts'
import { printConsoleBanner } from './platform/console-banner.ts'
import { setOfferedLanguages, startTranslation } from './platform/i18n.ts'
import { removePicture } from './platform/last-picture.ts'
import { readSurroundings, seedQueries } from './platform/queries.ts'
import { onReadingChange, readingFactor } from './platform/reading-choices.ts'
import { trackRootSize } from './platform/root-size.ts'
import { applyTheme } from './platform/theme.ts'

/** Starts the application once its scripts have loaded. */
export async function start(): Promise<void> {
  // A preview frame gets its scheme from the embedding page.
  if (!previewedPath) applyTheme()
  onReadingChange(trackRootSize(window, readingFactor).apply)
  printConsoleBanner()
  const surroundings = readSurroundings()
  setOfferedLanguages(surroundings?.languages ?? [])
  await startTranslation()
  if (surroundings) seedQueries(surroundings)
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no #root')
  const stop = router.subscribe('onRendered', () => {
    stop()
    document.getElementById('shell')?.remove()
    removePicture()
  })
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
