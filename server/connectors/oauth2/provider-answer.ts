import { ConnectorFault } from '../connector.ts'
import { pointedAt, textAt } from '../json-pointer.ts'

type Test = { success: { pointer: string; equals: string | number | boolean } | null; error: string }
type Answer = { status: number; document: unknown }

/** A code of the provider as the log may show it; whatever else stands there may be a secret that was sent back. */
const shown = (code: string): string => (/^[\w.:-]{1,60}$/.test(code) ? code : 'error')

/** The document of a call that succeeded by the provider's own measure. @throws ConnectorFault */
export function successful(step: string, { status, document }: Answer, { success, error }: Test): unknown {
  const code = textAt(document, error)
  const isDeclared = success === null || String(pointedAt(document, success.pointer)) === String(success.equals)
  // With a declared test, what the error pointer shows is often a zero.
  const isError = status >= 400 || !isDeclared || (success === null && code !== '')
  if (isError) throw new ConnectorFault('refused', `${step} ${status} ${shown(code)}`)
  return document
}
