import type { PreviewScript } from '#shared/rules/prompt-preview.ts'

/** Isolates the screen: its calls get sample answers, and nothing it stores is kept. */
export function enclose(screen: PreviewScript): void {
  answerCalls(screen)
  keepNothing(screen.stored)
  keepDialogsInThePage()
}

const matches = (path: string, pattern: string) =>
  new RegExp(`^${pattern.replace(/[.*+?^$|()[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`).test(path)

/** The login page requests it on load for passkey suggestions; nobody logs in here. */
const PASSKEY_CHALLENGE = '/auth_service/passkey/challenge/'

function answerCalls({ answers, messages }: PreviewScript): void {
  const ask = window.fetch
  window.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/auth_web/wording/')) return Response.json({ version: 'preview', messages })
    const found = answers.find(({ method, path }) => method === request.method && matches(pathname, path))?.answer
    if (found === 'lost') throw new TypeError('no connection')
    const isWithheld = !found && (request.method !== 'GET' || pathname === PASSKEY_CHALLENGE)
    if (found === 'none' || isWithheld) return new Promise<Response>(() => {})
    if (found) return Response.json(found.body, { status: found.status })
    return withoutWording(await ask(request))
  }
}

/** The institution's own texts are already part of this screen. */
function withoutWording({ status, headers, body }: Response): Response {
  const kept = new Headers(headers)
  kept.delete('x-wording')
  return new Response(body, { status, headers: kept })
}

/** The previewing browser has activated, bound and chosen nothing. */
function keepNothing(stored: Record<string, string>): void {
  const kept = new Map<string, string | null>(Object.entries(stored))
  const read = Storage.prototype.getItem
  Storage.prototype.getItem = function (name) {
    return kept.has(name) ? (kept.get(name) ?? null) : read.call(this, name)
  }
  Storage.prototype.setItem = (name, value) => void kept.set(name, String(value))
  Storage.prototype.removeItem = (name) => void kept.set(name, null)
  Storage.prototype.clear = () => {}
}

/** A modal dialog would cover the buttons of the texts, also for the keyboard. */
function keepDialogsInThePage(): void {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
}
