/** A service that knows one run, for tests of the commands: real HTTP on loopback, answers made by the test. */
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly authorization: string | undefined
}
export type Answer =
  | { readonly status?: number; readonly json: unknown }
  | { readonly status?: number; readonly text: string; readonly type: string }
  | { readonly events: readonly { readonly type: string; readonly data: unknown }[] }
/** By `METHOD /path`. */
export type Answers = Readonly<Record<string, Answer | ((seen: Seen) => Answer)>>

export interface FakeService {
  readonly url: string
  readonly seen: readonly Seen[]
  readonly close: () => Promise<void>
}

export const fakeService = async (answersAt: (url: string) => Answers): Promise<FakeService> => {
  const seen: Seen[] = []
  let url = ''
  const server = createServer(async (message, response) => {
    const request = await read(message)
    seen.push(request)
    const known = answersAt(url)[`${request.method} ${request.path}`] ?? problem(404, 'not_found', 'Nothing here')
    const answer = typeof known === 'function' ? known(request) : known
    if ('events' in answer) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      answer.events.forEach(({ type, data }, index) => {
        response.write(`id: ${index + 1}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
      })
      return response.end()
    }
    const [type, body] =
      'json' in answer ? ['application/json', JSON.stringify(answer.json)] : [answer.type, answer.text]
    return response.writeHead(answer.status ?? 200, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  url = `http://127.0.0.1:${address.port}`
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, seen, close }
}

export const problem = (status: number, code: string, detail: string): Answer => ({
  status,
  json: { type: 'about:blank', title: code, status, detail, code, request_id: 'r' },
})

const read = async (message: IncomingMessage): Promise<Seen> => {
  const url = new URL(message.url ?? '/', 'http://service')
  const body = await text(message)
  return {
    method: message.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body: body === '' ? null : JSON.parse(body),
    authorization: message.headers.authorization,
  }
}
