import type { Endpoint } from '#shared/contract/endpoint.ts'
import type { LightPage } from '#shared/contract/light-page.ts'
import type { PreviewStep, SampleAnswer } from '#shared/rules/prompt-preview.ts'

/** One state of a screen that people see. */
export type Screen = {
  /** A light page as the server renders it, or the path of a page of the portal. */
  light?: LightPage
  path?: string
  answers?: readonly SampleAnswer[]
  steps?: readonly PreviewStep[]
  /** What the browser is made to believe it keeps. */
  stored?: Record<string, string>
  /** The call that a refusal is called up with, and what leads to it. A light page shows a refusal by itself. */
  call?: Endpoint
  submit?: readonly PreviewStep[]
  /** The refusal that it shows as long as no other is called up, where nothing but refusals is worded on it. */
  usual?: string
  /** The texts that are best seen here; those that no screen names are seen on the first one. */
  shows: RegExp
}

export type PromptPage = {
  texts: RegExp
  screens: Record<string, Screen>
}
