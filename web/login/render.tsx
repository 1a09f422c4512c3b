import { renderToString } from 'react-dom/server'
import type { LightData } from '#shared/contract/light-page.ts'
import { LightApp } from './LightApp.tsx'
import { documentTitle } from './titles.ts'

/** The parts that the server inserts into the document. */
export const render = (data: LightData): { title: string; html: string } => ({
  title: documentTitle(data.page, data.surroundings),
  html: renderToString(<LightApp data={data} />),
})
