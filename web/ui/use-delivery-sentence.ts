import { useTranslation } from 'react-i18next'
import type { Sending } from '#shared/contract/message-log.ts'
import type { MessageChannel } from '#shared/contract/message-routes.ts'
import { type MessageKey, translateOr } from '../platform/i18n.ts'

/**
 * The other side's codes that say more than the reason. Each key in full: only these few of the vendors' faults are loaded with the back
 * office.
 */
const OF_CODE: Partial<Record<MessageChannel, Readonly<Record<string, MessageKey>>>> = {
  wecom: {
    '-1': 'vendor-fault.qywx.-1',
    '301002': 'vendor-fault.qywx.301002',
    '40013': 'vendor-fault.qywx.40013',
    '40056': 'vendor-fault.qywx.40056',
    '45009': 'vendor-fault.qywx.45009',
    '45033': 'vendor-fault.qywx.45033',
    '48002': 'vendor-fault.qywx.48002',
    '50003': 'vendor-fault.qywx.50003',
    '60020': 'vendor-fault.qywx.60020',
    '60111': 'vendor-fault.qywx.60111',
    '81013': 'vendor-fault.qywx.81013',
  },
  dingtalk: {
    '-1': 'vendor-fault.dingding.-1',
    '143103': 'vendor-fault.dingding.143103',
    '143104': 'vendor-fault.dingding.143104',
    '143105': 'vendor-fault.dingding.143105',
    '143106': 'vendor-fault.dingding.143106',
    '33012': 'vendor-fault.dingding.33012',
    '40035': 'message-fault.dingtalk.40035',
    '40056': 'vendor-fault.dingding.40056',
    '60020': 'vendor-fault.dingding.60020',
    '60121': 'vendor-fault.dingding.60121',
    '90002': 'vendor-fault.dingding.90002',
    '90018': 'vendor-fault.dingding.90018',
  },
}

type Failure = Pick<Sending, 'channel' | 'reason' | 'code'>

/** Why a message was not sent, in words and with the other side's code; null: nothing failed. */
export function useDeliverySentence({ channel, reason, code }: Failure): string | null {
  const { t } = useTranslation()
  if (reason === null) return null
  const ofCode = code === null ? undefined : OF_CODE[channel]?.[code]
  const sentence = ofCode ? t(ofCode) : translateOr(`message-reason.${reason}`, 'message-reason.rejected')
  return code === null ? sentence : t('message-reason.with-code', { sentence, code })
}
