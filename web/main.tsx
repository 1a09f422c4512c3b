import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import 'virtual:tokens.css'
import './ui/base.css'
import './ui/controls.css'
import './ui/surfaces.css'
import './ui/overlays.css'
import './app/shell.css'
import { App } from './app/App.tsx'
import { printConsoleBanner } from './platform/console-banner.ts'
import { startTranslation } from './platform/i18n.ts'
import { onReadingChange, readingFactor } from './platform/reading-choices.ts'
import { trackRootSize } from './platform/root-size.ts'
import { applyTheme } from './platform/theme.ts'

applyTheme()
onReadingChange(trackRootSize(window, readingFactor).apply)
printConsoleBanner()
await startTranslation()
const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
