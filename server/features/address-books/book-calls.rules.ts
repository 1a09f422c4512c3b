import { ConnectorFault, type ConnectorFaultReason } from '../../connectors/index.ts'

const isLost = (error: unknown) => error instanceof ConnectorFault && error.reason === 'unavailable'

const ROW_TRIES = 3
/** Vendor codes that concern one row rather than the application: the others continue. */
const ROW_CODES = ['40035']
const ROW_REASONS: readonly ConnectorFaultReason[] = ['refused', 'not-member', 'not-visible']

/**
 * Retries calls whose response was lost. The call may have arrived, so `work` looks at the current state each time.
 * @param answer the result for an error that concerns one row; null: it doesn't.
 * @throws ConnectorFault if nothing more can be written.
 */
export async function retryLostCalls<T>(
  work: (tries: number) => Promise<T>,
  answer: (error: unknown) => T | null,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work(tries)
    } catch (error) {
      const result = answer(error)
      if (result !== null) return result
      if (tries === ROW_TRIES || !isLost(error)) throw error
    }
  }
}

/** The vendor's code if it refused this row rather than the application. */
export function rowRefusalCode(error: unknown): string | null {
  if (!(error instanceof ConnectorFault) || error.vendorCode === null) return null
  const isOfRow = ROW_REASONS.includes(error.reason) || ROW_CODES.includes(error.vendorCode)
  return isOfRow ? error.vendorCode : null
}
