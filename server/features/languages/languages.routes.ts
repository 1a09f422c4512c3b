import type { FastifyInstance } from 'fastify'
import { LANGUAGES, type Language } from '#shared/contract/endpoint.ts'
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
import { findLanguages } from './languages.store.ts'
import { textGroups, textsPage } from './text-catalog.service.ts'
import { checkImport, runImport, sendTexts } from './text-import.service.ts'
import { changeTexts, findWordingText } from './texts.service.ts'

export function mountLanguages(api: Api): void {
  api.mount(listLanguages, findLanguages)
  api.mount(translatedMessages, async ({ wording }, { query }) => [
    { code: query.language, messages: { ...wording.messages(query.language) } },
  ])
  api.mount(listTextGroups, async () => textGroups())
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

/** What the institution wrote itself, for the portal: as small as what it wrote, and kept by browsers for as long as it holds. */
export function mountOwnTexts(app: FastifyInstance, { wording }: Platform): void {
  const files = LANGUAGES.map((language) => ({ language, path: `/auth_web/wording/${language}-:file` }))
  for (const { language, path } of files) {
    app.get<{ Params: { file: string } }>(path, (request, reply) => {
      const version = wording.version(language)
      // Another node may know of a text that this one is about to hear of: what it has is good for now.
      const isCurrent = request.params.file === `${version}.json`
      return reply
        .header('cache-control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-store')
        .send({ version, messages: ownMessages(wording, language) } satisfies OwnTextsFile)
    })
  }
}

function ownMessages(wording: Platform['wording'], language: Language): Record<string, string> {
  const messages = wording.messages(language)
  const keys = [...wording.own(language).keys()].filter((key) => !key.startsWith('message.'))
  return Object.fromEntries(keys.flatMap((key) => (messages[key] ? [[key, messages[key]]] : [])))
}
