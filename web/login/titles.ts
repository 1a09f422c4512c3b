import type { ApplicationLabel, LightData, LightPage, Message } from '#shared/contract/light-page.ts'
import { formatMessage } from '#shared/rules/format-message.ts'

const withApplicationName = (key: string, application: ApplicationLabel | null, language: string): Message => ({
  key,
  params: {
    application: application ? ((application.names as Record<string, string>)[language] ?? application.name) : '',
  },
})

/** The heading of a page, also the first part of the document's title. */
export function pageHeading(page: LightPage, language: string): Message {
  switch (page.kind) {
    case 'login':
      return { key: 'login.title' }
    case 'second-factor':
      return { key: 'second-factor.title' }
    case 'session-limit':
      return { key: 'session-limit.title' }
    case 'notice':
      return withApplicationName(`notice.${page.name}.title`, page.application, language)
    case 'confirm':
      return withApplicationName(`confirm.${page.name}.title`, page.application, language)
    case 'consent':
      return withApplicationName(
        page.code === null ? 'consent.title' : 'consent.title-device',
        page.application,
        language,
      )
    case 'device':
      return { key: 'device.title' }
    case 'post':
      return withApplicationName('light.post.title', page.application, language)
    case 'front-logout':
      return { key: 'light.front-logout.title' }
  }
}

/** `document.title`: the page, then the institution. */
export function documentTitle(page: LightPage, { language, messages, school }: LightData['surroundings']): string {
  const { key, params } = pageHeading(page, language)
  return `${formatMessage(messages, language, key, params)} · ${school.schoolName}`
}
