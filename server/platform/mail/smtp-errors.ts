import { type DeliveryOutcome, deliveryFailure, type SendingReason } from '../message-delivery.ts'
import { networkProblem } from '../network-problem.ts'

type SmtpError = { code?: string; originalCode?: string; command?: string; responseCode?: number; message?: string }

/** OpenSSL's words for an answer that is no TLS: encryption from the first byte on a port that begins without. */
const NO_TLS = /wrong version number|packet length too long|unknown protocol/

/** What an error of the mail library means for the message. @param timedOut whether we cut the connection because it took too long */
export function toDeliveryFailure(error: unknown, timedOut: boolean): DeliveryOutcome {
  const smtp = error as SmtpError
  const words = NO_TLS.exec(smtp.message ?? '')?.[0] ?? smtp.message ?? 'failed'
  if (timedOut) return deliveryFailure('timeout', words)
  return deliveryFailure(reasonOf(smtp), words, smtp.responseCode)
}

function reasonOf(error: SmtpError): SendingReason {
  const { code = '', originalCode = '', responseCode, message = '' } = error
  const isCertificate = [code, originalCode].some((one) => networkProblem({ code: one }) === 'certificate')
  if (isCertificate || /certificate/i.test(message)) return 'certificate'
  if (NO_TLS.test(message)) return 'no-encryption'
  if (code === 'EAUTH' || code === 'ENOAUTH') return isTransientReply(responseCode) ? 'busy' : 'credentials'
  if (responseCode !== undefined) return reasonOfReply(error, responseCode)
  return REASONS[code] ?? networkProblem({ code: originalCode || code })
}

const REASONS: Record<string, SendingReason> = {
  ETLS: 'no-encryption',
  ETIMEDOUT: 'timeout',
  EPROTOCOL: 'unintelligible',
  EENVELOPE: 'recipient',
}

const isTransientReply = (responseCode: number | undefined) => responseCode !== undefined && responseCode < 500

function reasonOfReply({ command = '', code }: SmtpError, responseCode: number): SendingReason {
  // 421 is "the service is closing", whatever it answers.
  if (responseCode === 421) return 'busy'
  if (code === 'ETLS') return 'no-encryption'
  if (command === 'RCPT TO') return isTransientReply(responseCode) ? 'deferred' : 'recipient'
  if (isTransientReply(responseCode)) return 'busy'
  if (responseCode === 530 || responseCode === 535) return 'credentials'
  if (command === 'MAIL FROM') return 'sender'
  if (command === 'DATA') return 'content'
  return 'rejected'
}
