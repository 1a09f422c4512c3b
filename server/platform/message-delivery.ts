import type { SendingReason } from '#shared/contract/message-gateways.ts'

export type { SendingReason }

/** Why a message could not be handed over: what follows from each for retrying, and for trust in the gateway. */
const REASON_TRAITS: Record<SendingReason, { transient: boolean; gatewayDown: boolean }> = {
  unreachable: { transient: true, gatewayDown: true },
  timeout: { transient: true, gatewayDown: true },
  busy: { transient: true, gatewayDown: true },
  /** "Later" about this one recipient, such as greylisting. */
  deferred: { transient: true, gatewayDown: false },
  certificate: { transient: false, gatewayDown: true },
  'no-encryption': { transient: false, gatewayDown: true },
  credentials: { transient: false, gatewayDown: true },
  'not-allowed-from-here': { transient: false, gatewayDown: true },
  balance: { transient: false, gatewayDown: true },
  sender: { transient: false, gatewayDown: true },
  signature: { transient: false, gatewayDown: true },
  template: { transient: false, gatewayDown: false },
  recipient: { transient: false, gatewayDown: false },
  limited: { transient: false, gatewayDown: false },
  content: { transient: false, gatewayDown: false },
  rejected: { transient: false, gatewayDown: false },
  /** The answer is not one that such a gateway gives: another address, a login page in between. */
  unintelligible: { transient: false, gatewayDown: true },
}

/** What became of handing a message to a mail server or an SMS provider. */
export type DeliveryOutcome =
  | { sent: true; gatewayId: string | null }
  /** `words`: what the other side said, for whoever looks after it. */
  | { sent: false; reason: SendingReason; words: string }

export const deliveryFailure = (reason: SendingReason, words: string): DeliveryOutcome => ({
  sent: false,
  reason,
  words,
})

export const isTransient = (reason: SendingReason): boolean => REASON_TRAITS[reason].transient

/** Whether the next message would meet the same. */
export const isGatewayDown = (reason: SendingReason): boolean => REASON_TRAITS[reason].gatewayDown

export type SmsMessage = {
  /** The same at every attempt, so that a provider that can tells a repetition. */
  id: string
  kind: 'code' | 'notice'
  /** E.164. */
  phone: string
  text: string
  template: string
  /** Everything a provider's template may ask for. */
  values: Record<string, string>
  expiresAt: Date
}
