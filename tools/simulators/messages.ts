import { escaped } from './choice-page.ts'
import { findPerson, type Person } from './people.ts'
import type { ArrivedMessage, Reply, Simulator } from './simulator.types.ts'

/** For a demo that runs for weeks. */
const MAX_KEPT = 200

/** Members whom the app may write to, by a user id in any case. */
export const reachable = (id: string): Person | undefined =>
  findPerson((person) => person.id.toLowerCase() === id.toLowerCase() && person.standing === 'member')

type Delivery = { person: Person; text: string; withinMs: number }

/** Delivers a message, unless the same person got the same text within a time: vendors drop a repetition silently. */
export function deliver(simulator: Simulator, { person, text, withinMs }: Delivery): void {
  const at = simulator.now().getTime()
  const isRepeated = simulator.messages.some(
    (one) => one.to === person.id && one.text === text && at - one.at < withinMs,
  )
  if (isRepeated) return
  simulator.messages.push({ to: person.id, text, at })
  if (simulator.messages.length > MAX_KEPT) simulator.messages.shift()
}

/** What arrived, newest first: the phones of everybody there. */
export function messagesPage(title: string, messages: readonly ArrivedMessage[]): Reply {
  const items = messages
    .toReversed()
    .map(({ to, text, at }) => `<li><b>${escaped(to)}</b> ${new Date(at).toISOString()}<br>${escaped(text)}</li>`)
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escaped(title)}</title>
<h1>${escaped(title)}: messages</h1>
<ol>${items.join('\n')}</ol>
</html>
`
  return { text, type: 'text/html' }
}
