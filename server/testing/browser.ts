import type { TestServer } from './server.ts'

export type Answer = {
  status: number
  headers: Headers
  text: string
  /** The absolute target of a redirect; empty without one. */
  location: string
  json<T>(): T
}

/** As much of a browser as a login needs: cookies by path, one redirect at a time, custom headers. */
export type Browser = {
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** Form-encoded, or JSON if `content-type` says so. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
  cookie(name: string): string | undefined
  setCookie(name: string, value: string, path?: string): void
  /** Stores a Set-Cookie line from the answer to another request. */
  remember(line: string): void
  /** The Cookie header for a path. */
  cookieHeader(path: string): string
}

export function createBrowser(server: Pick<TestServer, 'url'>): Browser {
  const jar = new Map<string, { value: string; path: string }>()
  const remember = (line: string) => {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const at = pair.indexOf('=')
    const given = (key: string) =>
      attributes.find((text) => text.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
    const expires = given('expires')
    if (given('max-age') === '0' || (expires && new Date(expires) < new Date())) return jar.delete(pair.slice(0, at))
    return jar.set(pair.slice(0, at), { value: pair.slice(at + 1), path: given('path') ?? '/' })
  }
  const cookieHeader = (path: string) =>
    [...jar]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
  const send = async (path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Answer> => {
    const url = new URL(path, server.url)
    const headers = {
      accept: 'text/html',
      'accept-language': 'en',
      cookie: cookieHeader(url.pathname),
      ...init.headers,
    }
    const reply = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const line of reply.headers.getSetCookie()) remember(line)
    const location = reply.headers.get('location')
    const text = await reply.text()
    return {
      status: reply.status,
      headers: reply.headers,
      text,
      location: location === null ? '' : new URL(location, url).href,
      json: () => JSON.parse(text),
    }
  }
  return {
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, fields, headers = {}) => {
      const isJson = headers['content-type'] === 'application/json'
      return send(path, {
        method: 'POST',
        headers,
        body: isJson ? JSON.stringify(fields) : new URLSearchParams(fields),
      })
    },
    cookie: (name) => jar.get(name)?.value,
    setCookie: (name, value, path = '/') => jar.set(name, { value, path }),
    remember,
    cookieHeader,
  }
}
