import i18next from 'i18next'
import { isRefusal } from './refusal.ts'

/**
 * Why a request failed: the server's words, or that it can't be reached. Anything else is a fault of ours, whose words tell nobody
 * anything. Without an error: undefined.
 */
export function failureText<Failure>(error: Failure): Failure extends null | undefined ? undefined : string
export function failureText(error: unknown): string | undefined {
  if (error === null || error === undefined) return undefined
  return isRefusal(error) ? error.message : i18next.t('network.unreachable')
}
