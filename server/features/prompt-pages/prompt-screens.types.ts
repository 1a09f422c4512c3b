import type { Endpoint } from '#shared/contract/endpoint.ts'
import type { LightPage } from '#shared/contract/light-page.ts'
import type { PreviewStep, SampleAnswer } from '#shared/rules/prompt-preview.ts'

/** One state of a screen. */
export type Screen = {
  /** A light page as the server renders it, or the path of a portal page. */
  light?: LightPage
  path?: string
  answers?: readonly SampleAnswer[]
  steps?: readonly PreviewStep[]
  /** Simulated browser storage. */
  stored?: Record<string, string>
  /** The call whose refusals can be shown, and the steps that lead to it. A light page shows a refusal by itself. */
  call?: Endpoint
  submit?: readonly PreviewStep[]
  /** The refusal shown by default, on screens that word nothing else. */
  usual?: string
  /** The texts best seen on this screen; texts of no screen are shown on the first one. */
  shows: RegExp
}

export type PromptPage = {
  texts: RegExp
  screens: Record<string, Screen>
}
