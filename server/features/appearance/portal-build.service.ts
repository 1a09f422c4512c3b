import { readFile } from 'node:fs/promises'
import { LANGUAGES, type Language } from '#shared/contract/endpoint.ts'

const DIST = new URL('../../../dist/portal/', import.meta.url)
const READING = 'reading/ReadingBar.tsx'

type PageFiles = { scripts: string[]; styles: string[] }
/** As the build writes it to `.vite/pages.json`. */
type PortalFiles = { start: PageFiles; pages: Record<string, PageFiles>; messages: Record<string, PageFiles> }

export type PortalBuild = {
  /** The built page: a template. */
  page: string
  /** Only for those who use accessible reading. */
  readingStyles: string
  /** What the head of the page at this address, below /auth_web, asks for at once. */
  headOf(path: string, language: Language): string
}

let cachedBuild: Promise<PortalBuild> | null = null

/** What the build made of web/. @throws Error when it was not built. */
export function loadPortalBuild(): Promise<PortalBuild> {
  cachedBuild ??= load().catch((error: unknown) => {
    cachedBuild = null
    throw error
  })
  return cachedBuild
}

async function load(): Promise<PortalBuild> {
  const read = (name: string) => readFile(new URL(name, DIST), 'utf8')
  const [page = '', manifest = '', files = ''] = await Promise.all(
    ['index.html', '.vite/manifest.json', '.vite/pages.json'].map(read),
  )
  const { css = [] } = (JSON.parse(manifest) as Record<string, { css?: string[] }>)[READING] ?? {}
  return {
    page,
    readingStyles: css.map((file) => `<link rel="stylesheet" href="/auth_web/${file}">`).join(''),
    headOf: prepareHeads(page, JSON.parse(files) as PortalFiles),
  }
}

/** Made once: few addresses, few languages, and no request has a say in what stands there. */
function prepareHeads(page: string, { start, pages, messages }: PortalFiles): PortalBuild['headOf'] {
  const headFor = (language: Language, files: PageFiles[], area: string): string => {
    const wording = messages[`${language} ${area}`]
    const all = [start, ...(wording ? [wording] : []), ...files]
    const link = (attributes: string) => (file: string) => `<link ${attributes} crossorigin href="/auth_web/${file}">`
    const missing = (files: string[]) => [...new Set(files)].filter((file) => !page.includes(file))
    return [
      ...missing(all.flatMap(({ styles }) => styles)).map(link('rel="stylesheet"')),
      ...missing(all.flatMap(({ scripts }) => scripts)).map(link('rel="modulepreload"')),
    ].join('')
  }
  const heads = new Map<string, string>()
  for (const language of LANGUAGES) {
    heads.set(`${language} `, headFor(language, [], 'own'))
    for (const [path, files] of Object.entries(pages))
      heads.set(`${language} ${path}`, headFor(language, [files], path.startsWith('/manage') ? 'office' : 'own'))
  }
  return (path, language) => heads.get(`${language} ${path}`) ?? heads.get(`${language} `) ?? ''
}
