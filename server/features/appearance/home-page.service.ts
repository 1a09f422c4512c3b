import type { PortalGateway } from '#shared/contract/appearance.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import { HOME_BLOCKS, type HomePage, HomePageSettings, type StoredHomePage } from '#shared/contract/home-page.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { findSettingsDocument, readableByKey, readSettings } from '../../platform/settings.ts'
import { linksIn } from './login-page-setup.service.ts'
import { loadSchoolGateway, pickText } from './page-surroundings.service.ts'

const DEFAULT_HOME_PAGE = HomePageSettings.parse({})

const Readable = readableByKey(HomePageSettings)

/** Blocks added in a version after the document was saved come after those that it names. */
const withAllBlocks = (settings: HomePageSettings): HomePageSettings => ({
  ...settings,
  blocks: [...new Set([...settings.blocks, ...HOME_BLOCKS])],
})

export const loadHomePage = async (platform: Platform): Promise<HomePageSettings> =>
  withAllBlocks(await readSettings(platform, 'homePage', Readable))

export async function describeHomePage(ctx: Context): Promise<StoredHomePage> {
  const { version, value, fileKeys } = await findSettingsDocument(ctx.db, 'homePage')
  const parsed = HomePageSettings.safeParse(value)
  // An unreadable document is returned as the page shows it.
  return { version, values: parsed.success ? withAllBlocks(parsed.data) : await loadHomePage(ctx), setByFile: fileKeys }
}

/** The parts that a page in one language shows. */
function homeIn({ welcome, searchField, blocks, hidden, links }: HomePageSettings, language: Language): HomePage {
  const isHidden = (block: string) => hidden.some((one) => one === block)
  return {
    welcome: pickText(welcome, language) ?? null,
    searchField,
    blocks: blocks.filter((block) => !isHidden(block)),
    links: linksIn(links, language),
  }
}

/** @param draft instead of what is stored; `safe`: as it ships */
export async function loadPortalGateway(
  platform: Platform,
  language: Language,
  draft?: HomePageSettings | 'safe',
): Promise<PortalGateway> {
  const school = await loadSchoolGateway(platform, language)
  const settings = draft === 'safe' ? DEFAULT_HOME_PAGE : draft ? withAllBlocks(draft) : await loadHomePage(platform)
  return { ...school, home: homeIn(settings, language) }
}
