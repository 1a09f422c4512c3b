import { escaped } from '../choice-page.ts'
import { PEOPLE, type Person } from '../people.ts'
import type { Reply, Simulator } from '../simulator.types.ts'

/** The one domain of the simulated providers. */
export const MAIL_DOMAIN = 'example.edu'

type MailboxState = 'there' | 'unknown' | 'stopped'

/** The state of a mailbox. Every address of the domain has one, unless `about` says `unknown` or `stopped`, or a call disabled it. */
export function mailboxStateOf({ about, mailboxes }: Simulator, address: string): MailboxState {
  const said = about[address]
  if (said === 'unknown' || said === 'stopped') return said
  if (mailboxes.get(address.toLowerCase())?.isDisabled) return 'stopped'
  return address.endsWith(`@${MAIL_DOMAIN}`) ? 'there' : 'unknown'
}

const [somebody] = PEOPLE

/** A one-time link is a code for the owner of a mailbox. */
export function issueLink(simulator: Simulator, address: string, application: string): string {
  if (!somebody) throw new Error('nobody is invented')
  const owner: Person = { ...somebody, id: address, name: address }
  return simulator.issueCode(owner, application)
}

const page = (status: number, title: string, heading: string, text: string): Reply => ({
  status,
  type: 'text/html',
  text: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body { margin: 40px auto; max-width: 640px; padding: 0 16px; font: 16px/1.5 system-ui, sans-serif }</style>
<h1>${escaped(heading)}</h1>
<p>${escaped(text)}</p>
</html>
`,
})

/** The page after a login. */
export const inbox = (title: string, address: string): Reply =>
  page(200, title, `Mailbox of ${address}`, 'Simulated: no mail arrives here.')

export const turnedAway = (title: string, problem: string): Reply => page(403, title, 'Not logged in', problem)

/** Follows a link that is valid once and for five minutes. */
export function followLink(simulator: Simulator, title: string, code: string, application: string): Reply {
  const redeemed = simulator.redeemCode(code, application)
  return typeof redeemed === 'string' ? turnedAway(title, `The link is ${redeemed}.`) : inbox(title, redeemed.person.id)
}
