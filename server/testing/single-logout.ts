import { expect, vi } from 'vitest'
import type { Browser } from './browser.ts'
import { ticketFor, validateP3 } from './cas.ts'
import { addCasApplication } from './people.ts'
import type { TestServer } from './server.ts'
import { startService } from './service.ts'

type Settings = Parameters<typeof addCasApplication>[1]
type Row = { state: string; attempts: number; error: string | null; channel: string }

/** Services that are told of logouts. @param patience milliseconds that background work may take */
export function logoutServices(server: () => TestServer, patience: number) {
  const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: patience, interval: 50 })
  const deliveriesTo = (appId: string) => server().platform.sql<Row[]>`
    select state, attempts, last_error as error, channel from logout_deliveries d
    join applications a on a.id = d.application_id where a.app_id = ${appId} order by d.created_at desc`
  return {
    eventually,
    deliveriesTo,
    /** An application on a real port. */
    async application(settings: Settings, reply?: Parameters<typeof startService>[0]) {
      const service = await startService(reply)
      await addCasApplication(server(), { serviceUrls: [`${service.url}**`], url: service.url, ...settings })
      return { ...service, home: `${service.url}start?x=1` }
    },
    /** As a service that the person enters: a ticket, validated. */
    async enter(browser: Browser, home: string): Promise<string> {
      const ticket = await ticketFor(browser, home)
      expect((await validateP3(server(), home, ticket)).user).toBe('20260001')
      return ticket
    },
    settled: (appId: string, state: string) =>
      eventually(async () => expect((await deliveriesTo(appId))[0]?.state).toBe(state)),
    /** Moves the clock past a retry and lets the nodes poll. */
    async later(seconds: number): Promise<void> {
      server().advance(seconds)
      await server().platform.sql`select pg_notify('gatehouse_logout', '')`
    },
  }
}
