import { request } from 'undici'

/** The browser features that a CAS client needs: cookies per host and port-less path, redirects one by one. */
export type Browser = {
  /** Follows redirects, until one leads to an address beginning with `stopBefore`. */
  open(url: string, options?: Opening): Promise<Page>
}
type Opening = {
  form?: Record<string, string>
  stopBefore?: string | undefined
  /** A click on another site's page, with the headers that browsers send. */
  click?: boolean
  /** The Referer that the site allows; absent: none, as with Django and helmet. */
  referer?: string | undefined
}
export type Page = { url: string; status: number; text: string; hops: string[] }

type Cookie = { host: string; path: string; name: string; value: string }

const MAX_HOPS = 15

/** Ports have separate cookies, so that sites on one machine behave like sites on several. */
export function createBrowser(): Browser {
  const jar: Cookie[] = []
  const remember = (url: URL, header: string) => {
    const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
    const [name = '', ...value] = pair.split('=')
    const given = (key: string) =>
      attributes.find((attribute) => attribute.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
    const path = given('path') ?? '/'
    const old = jar.findIndex((cookie) => cookie.host === url.host && cookie.path === path && cookie.name === name)
    if (old >= 0) jar.splice(old, 1)
    if (given('max-age') === '0' || (given('expires') && new Date(given('expires') ?? '') < new Date())) return
    jar.push({ host: url.host, path, name, value: value.join('=') })
  }
  const cookiesFor = (url: URL) =>
    jar
      .filter((cookie) => cookie.host === url.host && url.pathname.startsWith(cookie.path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  const step = async (url: URL, { form, click = false, referer }: Opening) => {
    const answer = await request(url, {
      method: form ? 'POST' : 'GET',
      headers: {
        cookie: cookiesFor(url),
        accept: 'text/html',
        'accept-language': 'en',
        // Some clients answer 401 instead of a redirect to requests that don't look like navigations.
        'sec-fetch-mode': 'navigate',
        ...(referer !== undefined && { referer }),
        ...(click && { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document', 'sec-fetch-user': '?1' }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form ? new URLSearchParams(form).toString() : null,
    })
    for (const header of [answer.headers['set-cookie'] ?? []].flat()) remember(url, header)
    return answer
  }
  return {
    async open(address, { form, stopBefore, ...more } = {}) {
      let url = new URL(address)
      let answer = await step(url, { ...more, ...(form && { form }) })
      const hops = [url.href]
      while (answer.statusCode >= 300 && answer.statusCode < 400 && hops.length < MAX_HOPS) {
        await answer.body.dump()
        url = new URL(String(answer.headers.location ?? ''), url)
        hops.push(url.href)
        if (stopBefore && url.href.startsWith(stopBefore))
          return { url: url.href, status: answer.statusCode, text: '', hops }
        answer = await step(url, more)
      }
      return { url: url.href, status: answer.statusCode, text: await answer.body.text(), hops }
    },
  }
}
