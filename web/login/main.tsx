import 'virtual:tokens.css'
import './page.css'
import './tools.css'
import './form.css'
import './second-step.css'
import './types.css'
import './captcha.css'
import './notice.css'
import './picture.css'
import './ways.css'
import { hydrateRoot } from 'react-dom/client'
import type { LightData } from '#shared/contract/light-page.ts'
import { onReading, readingFactor } from '../platform/reading.ts'
import { keepRootSize } from '../platform/root-size.ts'
import { LightApp } from './LightApp.tsx'

onReading(keepRootSize(window, readingFactor).apply)

const place = document.getElementById('light')
const inlined = document.getElementById('light-data')?.textContent
if (place && inlined) hydrateRoot(place, <LightApp data={JSON.parse(inlined) as LightData} />)
