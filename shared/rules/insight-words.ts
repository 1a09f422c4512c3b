import type { LogInsight } from '../contract/log-insights.ts'

type Said = Pick<LogInsight, 'kind' | 'count' | 'person' | 'personAccount' | 'application'> &
  Partial<Pick<LogInsight, 'address' | 'range' | 'formerRange' | 'clientType' | 'channel' | 'minutes' | 'hours'>>

/** The values of the sentence `log-insight.said.<kind>`, in a message and on the page. @param word translates a key */
export function insightWords(one: Said, word: (key: string) => string, number: (count: number) => string) {
  return {
    total: number(one.count),
    address: one.address ?? '',
    person: one.person ?? one.personAccount ?? '—',
    account: one.personAccount ?? '—',
    application: one.application ?? word('records.application-gone'),
    range: one.range ?? '',
    former: one.formerRange ?? '',
    device: one.clientType ? word(`client-type.${one.clientType}`) : '',
    channel: one.channel ? word(`message-channel.${one.channel}`) : '',
    minutes: number(one.minutes ?? 0),
    hours: number(one.hours ?? 0),
  }
}
