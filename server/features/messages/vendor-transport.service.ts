import { ConnectorFault, type ConnectorFaultReason } from '../../connectors/index.ts'
import { type DeliveryOutcome, deliveryFailure, type SendingReason } from '../../platform/message-delivery.ts'
import type { Platform } from '../../platform/platform.ts'
import { openConnection } from '../third-party-providers/index.ts'
import { findVendorOf, loadRoutes } from './gateways.service.ts'

const REASONS: Partial<Record<ConnectorFaultReason, SendingReason>> = {
  unavailable: 'busy',
  unusable: 'unintelligible',
  misconfigured: 'credentials',
  'not-member': 'recipient',
  'not-visible': 'recipient',
}
/** Error codes of vendors that tell more. */
const CODES: Readonly<Record<string, SendingReason>> = {
  '60020': 'not-allowed-from-here',
  '-1': 'busy',
  '45009': 'busy',
  '45033': 'busy',
  '143105': 'limited',
  '143106': 'limited',
}

/** One attempt through the app of a vendor that people log in with; null: none is set up. */
export async function sendByVendor(
  platform: Platform,
  channel: 'wecom' | 'dingtalk',
  message: { to: string; text: string },
): Promise<DeliveryOutcome | null> {
  const provider = await findVendorOf(platform, channel)
  if (!provider) return null
  const { dingtalkAgentId: agentId } = await loadRoutes(platform)
  if (channel === 'dingtalk' && agentId === '') return deliveryFailure('credentials', 'no agent id is configured')
  try {
    const { notify } = await openConnection(platform, provider)
    if (!notify) return null
    return { sent: true, gatewayId: await notify({ ...message, agentId }) }
  } catch (error) {
    if (!(error instanceof ConnectorFault)) throw error
    const reason = CODES[error.vendorCode ?? ''] ?? error.network ?? REASONS[error.reason] ?? 'rejected'
    return deliveryFailure(reason, error.detail, error.vendorCode)
  }
}
