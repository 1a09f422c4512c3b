import type { FastifyRequest } from 'fastify'
import type { PreviewDraft } from '#shared/contract/themes.ts'
import { DEFAULT_DESIGN, type ThemeDesign, themeStyles } from '#shared/rules/theme-design.ts'
import { randomToken } from '../../platform/crypto.ts'
import { pagePolicy } from '../../platform/http/headers.ts'
import type { Platform } from '../../platform/platform.ts'
import { findShownTheme } from './shown-theme.service.ts'

/** The appearance of pages. */
export type Look = {
  design: ThemeDesign
  /** In the head, after the build's style sheets and before those of accessible reading. */
  head: string
  isPreview: boolean
  /** Without scripts: a thumbnail of the page. */
  isStill: boolean
  /** Allowed by the content security policy: the style element of a draft, and what scripts of the portal write. */
  nonce: string
}

const queryOf = (request: FastifyRequest) => (request.query ?? {}) as Record<string, unknown>

/** With `safe=1` a page looks as it ships, whatever is stored. */
export const isSafeMode = (request: FastifyRequest): boolean => queryOf(request)['safe'] === '1'

/** The theme that everybody sees, or the draft of a preview. */
export async function findLook(platform: Platform, request: FastifyRequest, preview?: PreviewDraft): Promise<Look> {
  if (isSafeMode(request)) return { design: DEFAULT_DESIGN, head: '', isPreview: false, isStill: false, nonce: '' }
  const isStill = preview !== undefined && queryOf(request)['still'] === '1'
  if (preview?.theme) {
    const nonce = randomToken(24)
    const head = `<style id="theme" nonce="${nonce}">${themeStyles(preview.theme)}</style>`
    return { design: preview.theme, head, isPreview: true, isStill, nonce }
  }
  const { design, sheet } = await findShownTheme(platform)
  const head = sheet ? `<link id="theme" rel="stylesheet" href="${sheet.href}">` : ''
  return { design, head, isPreview: preview !== undefined, isStill, nonce: preview ? randomToken(24) : '' }
}

/** Only our own pages may frame a preview, and nothing can be submitted from it. */
export const previewHeaders = (nonce: string): Record<string, string> => ({
  'content-security-policy': pagePolicy({ nonce, isPreview: true }),
  'x-frame-options': 'SAMEORIGIN',
})
