import type { FastifyInstance } from 'fastify'
import type { Language } from '#shared/contract/endpoint.ts'
import * as calls from '#shared/contract/languages.ts'
import {
  checkTextImport,
  exportTexts,
  findText,
  listLanguages,
  listTextGroups,
  listTexts,
  runTextImport,
  saveTexts,
  translatedMessages,
} from '#shared/contract/languages.ts'
import type { OwnTextsFile } from '#shared/rules/own-texts.ts'
import { type Api, REPLY_SENT } from '../../platform/http/mount.ts'
import type { Platform } from '../../platform/platform.ts'
import { errors } from './languages.errors.ts'
import {
  createLanguage,
  deleteLanguage,
  offeredLanguages,
  queryLanguages,
  updateLanguageFields,
} from './languages.service.ts'
import { textGroups, textsPage } from './text-catalog.service.ts'
import { checkImport, runImport, sendTexts } from './text-import.service.ts'
import { changeTexts, findWordingText } from './texts.service.ts'

export function mountLanguages(api: Api): void {
  api.mount(listLanguages, async (ctx) => offeredLanguages(ctx))
  api.mount(calls.queryLanguages, async (ctx, { query }) => queryLanguages(ctx, query.id))
  api.mount(calls.addLanguage, createLanguage)
  api.mount(calls.changeLanguage, updateLanguageFields)
  api.mount(calls.deleteLanguage, async (ctx, { query, body }) => {
    await deleteLanguage(ctx, query.id, body.version)
    return null
  })
  api.mount(translatedMessages, async ({ wording }, { query: { language } }) => {
    if (!wording.offered().includes(language)) throw errors['language.not-found']()
    return [{ code: language, messages: { ...wording.messages(language) } }]
  })
  api.mount(listTextGroups, async (ctx) => textGroups(ctx))
  api.mount(listTexts, async (ctx, { query }) => textsPage(ctx, query))
  api.mount(findText, async (ctx, { query }) => findWordingText(ctx, query.key))
  api.mount(exportTexts, async (ctx, { query }, { reply }) => {
    await sendTexts(ctx, reply, query)
    return REPLY_SENT
  })
  api.mount(checkTextImport, (ctx, _, { request }) => checkImport(ctx, request))
  api.mount(runTextImport, (ctx, _, { request }) => runImport(ctx, request))
  api.mount(saveTexts, (ctx, { query, body }) => changeTexts(ctx, query.id, body))
}

/** The institution's own texts for the portal: only those, and cacheable by version. */
export function mountOwnTexts(app: FastifyInstance, { wording }: Platform): void {
  app.get<{ Params: { file: string } }>('/auth_web/wording/:file', (request, reply) => {
    const [requested = '', file] = request.params.file.split('-', 2)
    const language = wording.offered().find((one) => one === requested)
    if (language === undefined) return reply.callNotFound()
    const version = wording.version(language)
    // Another node may know a newer version already: this node's is served, but not cached.
    const isCurrent = language === requested && file === `${version}.json`
    return reply
      .header('cache-control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-store')
      .send({ version, messages: ownMessages(wording, language) } satisfies OwnTextsFile)
  })
}

function ownMessages(wording: Platform['wording'], language: Language): Record<string, string> {
  const texts = Object.entries(wording.differing(language))
  return Object.fromEntries(texts.filter(([key]) => !key.startsWith('message.')))
}
