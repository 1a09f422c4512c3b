import type { Language } from '#shared/contract/endpoint.ts'
import type { LightPage } from '#shared/contract/light-page.ts'
import type { findPromptPage, PromptPageName } from '#shared/contract/prompt-pages.ts'
import type { PreviewDraft } from '#shared/contract/themes.ts'
import { formatMessage, languageTag } from '#shared/rules/format-message.ts'
import { pluralOf } from '#shared/rules/plural-forms.ts'
import { markText, type PreviewScript } from '#shared/rules/prompt-preview.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import type { Platform } from '../../platform/platform.ts'
import { listTextsLike, placeholdersOf } from '../languages/index.ts'
import { PROMPT_SCREENS, screenOf } from './prompt-screens.rules.ts'
import type { Screen } from './prompt-screens.types.ts'
import { refusal } from './sample-answers.rules.ts'

/** The texts of a screen in every language, each with the state that shows it. */
export function describePromptPage(
  platform: Platform,
  { page }: Input<typeof findPromptPage>['query'],
): Output<typeof findPromptPage> {
  const prompt = PROMPT_SCREENS[page]
  return {
    screens: Object.keys(prompt.screens),
    texts: listTextsLike(platform, prompt.texts).map((text) => ({ ...text, screen: screenOf(prompt, text.key) })),
  }
}

/** The parts of a screen's frame. */
export type ScreenFrame = {
  light: LightPage | null
  path: string
  script: PreviewScript
  /** With the screen's texts marked, saved or not. */
  draft: PreviewDraft
}

type ScreenRequest = {
  page: PromptPageName
  screen: string
  key: string | undefined
  language: Language
  draft: PreviewDraft
}

/** A screen with every text of the page marked; `key` shows that error as if it had just occurred. Null: no such screen. */
export function buildScreen(
  platform: Platform,
  { page, screen: name, key, language, draft }: ScreenRequest,
): ScreenFrame | null {
  const { texts, screens } = PROMPT_SCREENS[page]
  const screen = Object.hasOwn(screens, name) ? screens[name] : undefined
  if (!screen) return null
  const keys = listTextsLike(platform, texts).map((text) => text.key)
  const messages = { ...platform.wording.messages(language), ...draft.texts?.[language] }
  const marked = Object.fromEntries(keys.map((one, at) => [one, markText(at, messages[one] ?? one)]))
  const error = key?.startsWith('errors.') && keys.includes(key) ? key : screen.usual
  const say = (one: string) =>
    formatMessage({ ...messages, ...marked }, language, one, sampleValues(messages[one] ?? '', one, language))
  const shown = error
    ? showRefusal(screen, error, say(error), sampleValues(messages[error] ?? '', error, language))
    : screen
  return {
    light: shown.light ?? null,
    path: shown.path ?? '',
    draft: { ...draft, texts: { ...draft.texts, [language]: { ...draft.texts?.[language], ...marked } } },
    script: {
      keys,
      messages: { ...ownTexts(platform, language), ...marked },
      answers: [...(shown.answers ?? [])],
      steps: [...(shown.steps ?? [])],
      stored: shown.stored ?? {},
      elsewhere: platform.translate(language, 'prompt-page.elsewhere'),
      edit: platform.wording.messages(language)['prompt-page.edit'] ?? '',
    },
  }
}

const ownTexts = ({ wording }: Platform, language: Language) => wording.differing(language)

/** The screen after this refusal. */
function showRefusal(screen: Screen, key: string, message: string, params: Record<string, string | number>): Screen {
  const code = codeOf(key)
  if (screen.call) {
    const answers = [refusal(screen.call, code, message), ...(screen.answers ?? [])]
    return { ...screen, answers, steps: [...(screen.steps ?? []), ...(screen.submit ?? [])] }
  }
  const { light } = screen
  return light && 'error' in light ? { ...screen, light: { ...light, error: { code, params } } as LightPage } : screen
}

const codeOf = (key: string): string => (pluralOf(key)?.base ?? key).slice('errors.'.length)

const MORE = 200

/** Samples for all placeholders; for a plural form, a number that takes it. */
function sampleValues(text: string, key: string, language: Language): Record<string, string | number> {
  const form = pluralOf(key)?.form
  const rules = new Intl.PluralRules(languageTag(language))
  const count = form
    ? Array.from({ length: MORE }, (_, at) => at + 1).find((one) => rules.select(one) === form)
    : undefined
  const values = placeholdersOf(text).map((name) => [name, SAMPLES[name] ?? '…'] as const)
  return { ...Object.fromEntries(values), ...(form ? { count: count ?? 0 } : {}) }
}

const SAMPLES: Record<string, string | number> = {
  count: 3,
  minutes: 5,
  seconds: 30,
  least: 2,
  most: 20,
  min: 8,
  max: 32,
}
