import type { CDPSession } from '@playwright/test'

type Traffic = {
  /** Network requests only: nothing cached or inlined. */
  requests: string[]
  bytes: number
  /** No request is in progress, and none was for this many milliseconds. */
  untilQuiet(ms: number): Promise<void>
}

const later = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Counts a tab's network requests from now on. */
export async function watchTraffic(devtools: CDPSession): Promise<Traffic> {
  const open = new Map<string, string>()
  const free = new Set<string>()
  let lastAt = performance.now()
  const traffic: Traffic = {
    requests: [],
    bytes: 0,
    async untilQuiet(ms) {
      while (open.size > 0 || performance.now() - lastAt < ms) await later(50)
    },
  }
  const end = (id: string, bytes: number) => {
    lastAt = performance.now()
    const url = open.get(id)
    open.delete(id)
    if (!url || free.has(id) || bytes === 0) return
    traffic.requests.push(url)
    traffic.bytes += bytes
  }
  devtools.on('Network.requestWillBeSent', ({ requestId, request, redirectResponse }) => {
    if (redirectResponse) end(requestId, redirectResponse.encodedDataLength)
    open.set(requestId, request.url)
    if (request.url.startsWith('data:')) free.add(requestId)
  })
  devtools.on('Network.requestServedFromCache', ({ requestId }) => void free.add(requestId))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => end(requestId, encodedDataLength))
  devtools.on('Network.loadingFailed', ({ requestId }) => end(requestId, 0))
  await devtools.send('Network.enable')
  return traffic
}
