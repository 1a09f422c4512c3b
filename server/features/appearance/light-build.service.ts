import { readFile } from 'node:fs/promises'
import type { LightData } from '#shared/contract/light-page.ts'
import type { PreviewScript } from '#shared/rules/prompt-preview.ts'
import { projectFile } from '../../platform/project-files.ts'
import { jsonForScript } from './escape-html.rules.ts'

/** The output of `npm run build` from web/login: its server entry is the only code of web/ that runs here. */
export type LightBuild = {
  render(data: LightData): { title: string; html: string }
  script: string
  /** Runs in the frame that shows a screen with its texts. */
  previewScript: string
  styles: string[]
  /** Only for users of accessible reading. */
  readingStyles: string[]
}

const DIST = projectFile('dist/')
const ENTRY = 'login/main.tsx'
const PREVIEW = 'preview/main.ts'
const READING = 'reading/ReadingBar.tsx'

type Manifest = Record<string, { file: string; css?: string[] }>

async function importLightBuild(): Promise<LightBuild> {
  const manifest = JSON.parse(await readFile(new URL('login/.vite/manifest.json', DIST), 'utf8')) as Manifest
  const [entry, preview] = [manifest[ENTRY], manifest[PREVIEW]]
  if (!entry || !preview) throw new Error(`dist/login lacks ${ENTRY}: run npm run build`)
  const { render } = (await import(new URL('login-server/render.js', DIST).href)) as Pick<LightBuild, 'render'>
  const stylesOf = (name: string) => (manifest[name]?.css ?? []).map((file) => `/auth_web/${file}`)
  return {
    render,
    script: `/auth_web/${entry.file}`,
    previewScript: `/auth_web/${preview.file}`,
    styles: stylesOf(ENTRY),
    readingStyles: stylesOf(READING),
  }
}

let cachedBuild: Promise<LightBuild> | null = null

/** The built light entry, loaded at the first page. @throws Error if it was not built. */
export function loadLightBuild(): Promise<LightBuild> {
  cachedBuild ??= importLightBuild().catch((error: unknown) => {
    cachedBuild = null
    throw error
  })
  return cachedBuild
}

/** First in the head of a frame: what it replaces must be replaced before any other script runs. */
export async function previewScriptOf(script: PreviewScript): Promise<string> {
  const { previewScript } = await loadLightBuild()
  return `<script type="application/json" id="prompt">${jsonForScript(script)}</script><script type="module" src="${previewScript}"></script>`
}
