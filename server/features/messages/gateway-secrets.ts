import { KEPT_SECRET, type MailGateway, type SmsGateway } from '#shared/contract/message-gateways.ts'
import type { Outcome } from '../../platform/sending.ts'
import { errors } from './messages.errors.ts'

/** Name and value of what nobody gets to read, and the rest: where it is sent to. */
function partsOf(gateway: MailGateway | SmsGateway): { name: string; secret: string; place: object } {
  if ('host' in gateway) {
    const { password: secret, host, port, security, user } = gateway
    return { name: 'password', secret, place: { host, port, security, user } }
  }
  if (gateway.provider === 'aliyun') {
    const { accessKeySecret: secret, provider, url, accessKeyId } = gateway
    return { name: 'accessKeySecret', secret, place: { provider, url, accessKeyId } }
  }
  if (gateway.provider === 'tencent') {
    const { secretKey: secret, provider, url, secretId } = gateway
    return { name: 'secretKey', secret, place: { provider, url, secretId } }
  }
  const { secret, provider, url, appId } = gateway
  return { name: 'secret', secret, place: { provider, url, appId } }
}

/** As it may be shown: stars in the place of the secret. */
export function withoutSecret<G extends MailGateway | SmsGateway>(gateway: G): G {
  const { name, secret } = partsOf(gateway)
  return { ...gateway, [name]: secret === '' ? '' : KEPT_SECRET }
}

/**
 * Puts the stored secret where the form has stars.
 * @throws Refusal `message-gateway.secret-needed` when it would go to another place than the one it was typed for.
 */
export function withSecret<G extends MailGateway | SmsGateway>(gateway: G, stored: G | null): G {
  const given = partsOf(gateway)
  if (given.secret !== KEPT_SECRET) return gateway
  const kept = stored && partsOf(stored)
  if (!kept || JSON.stringify(kept.place) !== JSON.stringify(given.place))
    throw errors['message-gateway.secret-needed']()
  return { ...gateway, [given.name]: kept.secret }
}

/** The words of the other side without the secret, should it repeat it. */
export function withoutSecretIn(outcome: Outcome, gateway: MailGateway | SmsGateway): Outcome {
  const { secret } = partsOf(gateway)
  if (outcome.sent || secret.length < 4) return outcome
  return { ...outcome, words: outcome.words.replaceAll(secret, KEPT_SECRET) }
}
