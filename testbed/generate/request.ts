/** Reads the one value of a place from a request. */
import type { IncomingMessage } from 'node:http'
import type { Planted } from './plan.ts'

/** Null where the request does not bring it. */
export const givenIn = async (place: Planted, request: IncomingMessage, url: URL): Promise<string | null> => {
  const { spot, input } = place
  if (spot === 'query') return url.searchParams.get(input)
  if (spot === 'path') return decoded(url.pathname.slice(place.path.length + 1)) || null
  if (spot === 'header') return latin(request.headers[input.toLowerCase()])
  if (spot === 'cookie') return cookieOf(request, input)
  const body = await bodyOf(request)
  if (spot === 'urlencoded') return new URLSearchParams(body).get(input)
  if (spot === 'json') return jsonLeaf(body, input)
  return multipartOf(body, input)
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const latin = (value: string | readonly string[] | undefined): string | null =>
  value === undefined ? null : Buffer.from(String(value), 'latin1').toString('utf8')

export const cookieOf = (request: IncomingMessage, name: string): string | null => {
  const pairs = (request.headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split(/=(.*)/s))
  const found = pairs.find(([key]) => key === name)
  return found ? decoded(found[1] ?? '') : null
}

const jsonLeaf = (body: string, input: string): string | null => {
  try {
    const value = (JSON.parse(body) as { filter?: Record<string, unknown> }).filter?.[input]
    return value === undefined || value === null ? null : String(value)
  } catch {
    return null
  }
}

const multipartOf = (body: string, input: string): string | null => {
  const boundary = /^--[^\r\n]+/.exec(body)?.[0]
  const parts = boundary === undefined ? [] : body.split(boundary)
  const mine = parts.find((part) => part.slice(0, 200).includes(`name="${input}"`))
  return mine === undefined ? null : mine.slice(mine.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, '')
}

/** Bytes of a body that are read. */
const MOST = 256 * 1_024

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
