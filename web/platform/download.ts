import type { Endpoint } from '#shared/contract/endpoint.ts'
import { buildRequestUrl, DOWNLOAD_TIMEOUT_MS, sendSigned, toRefusal } from './api.ts'

/**
 * Fetches a file with the session's headers and saves it under `fileName`. @returns the response headers. @throws
 * Refusal
 */
export async function download(endpoint: Endpoint, query: Record<string, unknown>, fileName: string): Promise<Headers> {
  const response = await sendSigned(endpoint, { ...buildRequestUrl(endpoint, query), body: '' }, DOWNLOAD_TIMEOUT_MS)
  if (!response.ok) throw toRefusal(response, await response.json().catch(() => null))
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  URL.revokeObjectURL(address)
  return response.headers
}
