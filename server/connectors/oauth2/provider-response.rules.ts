import { ConnectorFault } from '../connector.types.ts'
import { resolvePointer, textAtPointer } from '../json-pointer.rules.ts'

type SuccessRule = { success: { pointer: string; equals: string | number | boolean } | null; error: string }
type ProviderResponse = { status: number; document: unknown }

/** A provider's code as it may be logged; anything else may be a secret that was sent back. */
const redactCode = (code: string): string => (/^[\w.:-]{1,60}$/.test(code) ? code : 'error')

/** The document of a call that was successful by the provider's own criterion. @throws ConnectorFault */
export function requireSuccess(
  step: string,
  { status, document }: ProviderResponse,
  { success, error }: SuccessRule,
): unknown {
  const code = textAtPointer(document, error)
  const isDeclared = success === null || String(resolvePointer(document, success.pointer)) === String(success.equals)
  const isError = status >= 400 || !isDeclared || (success === null && code !== '' && code !== '0')
  if (!isError) return document
  const shown = redactCode(code)
  throw new ConnectorFault('refused', `${step} ${status} ${shown}`, shown === 'error' ? String(status) : shown)
}
