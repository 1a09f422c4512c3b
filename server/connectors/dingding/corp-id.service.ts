import { setTimeout as pause } from 'node:timers/promises'
import type { DingdingSettings } from '#shared/contract/vendor-settings.ts'
import { type ConnectorContext, ConnectorFault, UnclearAnswer } from '../connector.types.ts'
import { textAtPointer } from '../json-pointer.rules.ts'
import { callVendor } from '../vendor-call.service.ts'
import { newAnswers } from './dingding-call.service.ts'

/** For the right secret: no such corporation, or none with this application. The last is undocumented, with status 500. */
const NOT_THERE = ['invalid.client', 'unauthorized.client', 'unknownError']
const PAUSE_MS = 300
const BOUNDS = { timeoutMs: 2000, maxResponseBytes: 64 * 1024 }

/**
 * Only this call names the corporation, and only the code tells its fault from a fault of DingTalk: so it is asked twice, and whatever
 * else it answers accuses nobody.
 * @throws ConnectorFault if the corporation is another one; UnclearAnswer
 */
export async function checkCorpId(context: ConnectorContext, settings: DingdingSettings): Promise<void> {
  if ((await askForToken(context, settings)) === 'given') return
  await pause(PAUSE_MS)
  const answered = await askForToken(context, settings)
  if (answered === 'given') return
  const { detail, vendorCode } = answered
  if (NOT_THERE.includes(vendorCode ?? '')) throw new ConnectorFault('misconfigured', detail, vendorCode)
  throw new UnclearAnswer('unavailable', detail, 'no-answer')
}

/** @returns why there was no token. */
async function askForToken(
  context: ConnectorContext,
  { apiHost: host, corpId, clientId, clientSecret }: DingdingSettings,
): Promise<'given' | ConnectorFault> {
  const path = `/v1.0/oauth2/${encodeURIComponent(corpId)}/token`
  const body = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }
  const call = { step: 'corporation', host, path, body, bounds: BOUNDS, failsWith500: true }
  try {
    const document = await callVendor(context, call, newAnswers)
    const isGiven = textAtPointer(document, '/access_token') !== ''
    return isGiven ? 'given' : new ConnectorFault('unusable', 'corporation: no token')
  } catch (error) {
    if (error instanceof ConnectorFault) return error
    throw error
  }
}
