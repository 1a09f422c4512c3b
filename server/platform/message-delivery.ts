import type { SendingReason } from '#shared/contract/message-gateways.ts'

export type { SendingReason }

/** Why a message could not be handed over, with the consequences for retrying and for trust in the gateway. */
const REASON_TRAITS: Record<SendingReason, { transient: boolean; gatewayDown: boolean }> = {
  unreachable: { transient: true, gatewayDown: true },
  'no-such-host': { transient: true, gatewayDown: true },
  'connection-refused': { transient: true, gatewayDown: true },
  'forbidden-address': { transient: false, gatewayDown: true },
  /** It may have been accepted all the same. */
  'too-large': { transient: false, gatewayDown: true },
  timeout: { transient: true, gatewayDown: true },
  /** Neither accepted nor refused: sending it again could bring the same code twice. */
  unanswered: { transient: false, gatewayDown: true },
  busy: { transient: true, gatewayDown: true },
  /** A temporary failure for this recipient, such as greylisting. */
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
  /** The answer is not one of such a gateway: wrong address, or a login page in between. */
  unintelligible: { transient: false, gatewayDown: true },
}

/** The result of handing a message to a mail server or an SMS provider. */
export type DeliveryOutcome =
  | { sent: true; gatewayId: string | null }
  /** `words`: the other side's reply, for its operators; `code`: its own code, null if it gave none. */
  | { sent: false; reason: SendingReason; words: string; code: string | null }

/** What codes look like; anything else may be a sentence, or what was sent. */
const CODE = /^[\w.:-]{1,60}$/

/** @param code as the other side gave it */
export const deliveryFailure = (
  reason: SendingReason,
  words: string,
  code: string | number | null = null,
): DeliveryOutcome => ({
  sent: false,
  reason,
  words,
  code: code !== null && CODE.test(String(code)) ? String(code) : null,
})

export const isTransient = (reason: SendingReason): boolean => REASON_TRAITS[reason].transient

/** Whether the next message would fail the same way. */
export const isGatewayDown = (reason: SendingReason): boolean => REASON_TRAITS[reason].gatewayDown

export type SmsMessage = {
  /** The same for every attempt; the institution's own platform recognises a repetition by it, Alibaba and Tencent Cloud don't. */
  id: string
  kind: 'code' | 'notice'
  /** E.164. */
  phone: string
  text: string
  template: string
  /** Every value that a provider's template may refer to. */
  values: Record<string, string>
  expiresAt: Date
}
