import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { signGateway } from '../platform/sms/http-gateway.ts'

/** The institution's own message platform, which checks who calls it. */
export async function startMessagePlatform(secret: string) {
  const sent: Record<string, unknown>[] = []
  const state = { status: 200, reply: { code: 0, taskId: 't1' } as unknown, calls: 0 }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    state.calls += 1
    const { 'x-timestamp': at, 'x-nonce': nonce, 'x-signature': signature } = request.headers
    const isRight = signature === signGateway(secret, String(at), String(nonce), body)
    if (isRight && state.status === 200) sent.push(JSON.parse(body))
    response.writeHead(isRight ? state.status : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(state.reply))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`
  return { sent, state, gateway: { url, appId: 'gatehouse', secret } }
}
