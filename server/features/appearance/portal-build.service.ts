import { readFile } from 'node:fs/promises'
import { SHIPPED_LANGUAGES, type ShippedLanguage } from '#shared/contract/endpoint.ts'
import { projectFile } from '../../platform/project-files.ts'

const DIST = projectFile('dist/portal/')
const READING = 'reading/ReadingBar.tsx'

type PageFiles = { scripts: string[]; styles: string[] }
/** As the build writes it to `.vite/pages.json`. */
type PortalFiles = { start: PageFiles; pages: Record<string, PageFiles>; messages: Record<string, PageFiles> }

export type PortalBuild = {
  /** The built page: a template. */
  page: string
  /** The styles of the shell, inlined in the page. */
  firstPaint: string
  /** Only for users of accessible reading. */
  readingStyles: string
  /** What the page at this path, below /auth_web, needs at once. */
  linksOf(path: string, language: ShippedLanguage): PageLinks
}

type PageLinks = { styles: string; scripts: string }

let cachedBuild: Promise<PortalBuild> | null = null

/** The build output of web/. @throws Error if it was not built. */
export function loadPortalBuild(): Promise<PortalBuild> {
  cachedBuild ??= load().catch((error: unknown) => {
    cachedBuild = null
    throw error
  })
  return cachedBuild
}

async function load(): Promise<PortalBuild> {
  const read = (name: string) => readFile(new URL(name, DIST), 'utf8')
  const [page = '', manifest = '', files = '', firstPaint = ''] = await Promise.all(
    ['index.html', '.vite/manifest.json', '.vite/pages.json', '.vite/first-paint.css'].map(read),
  )
  const { css = [] } = (JSON.parse(manifest) as Record<string, { css?: string[] }>)[READING] ?? {}
  return {
    page,
    firstPaint,
    readingStyles: css.map((file) => `<link rel="stylesheet" href="/auth_web/${file}">`).join(''),
    linksOf: prepareLinks(page, JSON.parse(files) as PortalFiles),
  }
}

/** Built once: few paths and languages, and nothing in it depends on the request. */
function prepareLinks(page: string, { start, pages, messages }: PortalFiles): PortalBuild['linksOf'] {
  const linksFor = (language: ShippedLanguage, files: PageFiles[], area: string): PageLinks => {
    const wording = messages[`${language} ${area}`]
    const all = [start, ...(wording ? [wording] : []), ...files]
    const links = (attributes: string, files: string[]) =>
      [...new Set(files)]
        .filter((file) => !page.includes(file))
        .map((file) => `<link ${attributes} crossorigin href="/auth_web/${file}">`)
        .join('')
    return {
      styles: links(
        'rel="stylesheet"',
        all.flatMap(({ styles }) => styles),
      ),
      scripts: links(
        'rel="modulepreload"',
        all.flatMap(({ scripts }) => scripts),
      ),
    }
  }
  const known = new Map<string, PageLinks>()
  const others = new Map(SHIPPED_LANGUAGES.map((language) => [language, linksFor(language, [], 'own')]))
  for (const language of SHIPPED_LANGUAGES) {
    for (const [path, files] of Object.entries(pages))
      known.set(`${language} ${path}`, linksFor(language, [files], path.startsWith('/manage') ? 'office' : 'own'))
  }
  return (path, language) => known.get(`${language} ${path}`) ?? others.get(language) ?? { styles: '', scripts: '' }
}
