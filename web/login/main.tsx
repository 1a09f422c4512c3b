import 'virtual:tokens.css'
import './page.css'
import './tools.css'
import './form.css'
import './second-factor.css'
import './types.css'
import './captcha.css'
import './notice.css'
import './picture.css'
import './login-methods.css'
import { hydrateRoot } from 'react-dom/client'
import type { LightData } from '#shared/contract/light-page.ts'
import { onReadingChange, readingFactor } from '../platform/reading-choices.ts'
import { trackRootSize } from '../platform/root-size.ts'
import { LightApp } from './LightApp.tsx'

onReadingChange(trackRootSize(window, readingFactor).apply)

const container = document.getElementById('light')
const inlined = document.getElementById('light-data')?.textContent
if (container && inlined) hydrateRoot(container, <LightApp data={JSON.parse(inlined) as LightData} />)
