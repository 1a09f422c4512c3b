import { expect, test } from 'vitest'
import type { LogStream } from '#shared/contract/log-streams.ts'
import { sendUntil } from '../../testing/log-sinks.ts'
import { insertPerson, openPortal } from '../../testing/portal.ts'
import { insertLoginRecord } from '../../testing/records.ts'
import { hasRsyslogd, startRsyslogd } from '../../testing/rsyslogd.ts'
import { testServer } from '../../testing/server.ts'

test.skipIf(!hasRsyslogd).each(['off', 'verify'] as const)(
  'a real rsyslog takes logins (TLS: %s), whatever stands in them, and loses none while it is away',
  async (tls) => {
    const sink = await startRsyslogd(tls === 'verify')
    const server = await testServer()
    const root = await openPortal(server, { isSuperUser: true, account: 'root' })
    const person = await insertPerson(server, { account: 'lilei' })
    const { data: stream } = await root.call<LogStream>('/log_stream/create/', {
      body: {
        ...{
          name: 'Collector',
          logs: ['login'],
          kind: 'syslog',
          host: '127.0.0.1',
          port: sink.port,
          tls,
          facility: 10,
        },
        ...(tls === 'verify' && { ca: sink.ca }),
      },
    })
    const logIn = (account: string, more: object = {}) => insertLoginRecord(server, person, { account, ...more })
    const idsThere = () => sink.arrived().flatMap(({ data }) => /id="([^"]+)"/.exec(data)?.[1] ?? [])
    const hostile = await logIn('a"b]c\\d\n<14>1 forged 王', { succeeded: false, reason: 'password.wrong' })
    const ids = [hostile]
    for (let n = 0; n < 20; n++) ids.push(await logIn(`person-${n}`))
    server.advance(15)
    await sendUntil(server, () => idsThere().length >= ids.length)
    expect(idsThere().toSorted()).toEqual(ids.toSorted())
    const [failed] = sink.arrived().filter(({ data }) => data.includes(hostile))
    expect(failed).toMatchObject({ pri: '84', host: '127.0.0.1', app: 'gatehouse', kind: 'login' })
    expect(failed?.data).toContain('account="a\\"b\\]c\\\\d <14>1 forged 王"')
    expect(failed?.text).toContain('login failed')
    await sink.stop()
    ids.push(await logIn('meanwhile'))
    server.advance(15)
    const look = async () => (await root.call<LogStream>(`/log_stream/${stream.id}/details/`)).data
    await sendUntil(server, async () => (await look()).failures > 0)
    await sink.restart()
    server.advance(120)
    await sendUntil(server, () => idsThere().includes(ids.at(-1) ?? ''))
    // At least once: what was sent while it ended may come again, and nothing is missing.
    expect([...new Set(idsThere())].toSorted()).toEqual(ids.toSorted())
  },
)
