import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

export type ReceivedCall = { path: string; method: string; fields: URLSearchParams }

/** An application's URL that other servers call; closed after the test. */
export async function listen(answer: (heard: ReceivedCall) => number = () => 200) {
  const heard: ReceivedCall[] = []
  let wake = () => {}
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const one = { path: request.url ?? '', method: request.method ?? '', fields: new URLSearchParams(body) }
    heard.push(one)
    response.writeHead(answer(one)).end()
    wake()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    /** Waits until `count` calls came in, twenty seconds at most. */
    async hear(count: number): Promise<ReceivedCall[]> {
      const deadline = Date.now() + 20_000
      while (heard.length < count && Date.now() < deadline) {
        await Promise.race([new Promise<void>((done) => (wake = done)), new Promise((done) => setTimeout(done, 100))])
      }
      return heard
    },
  }
}
