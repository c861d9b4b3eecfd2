/** A small HTTP/1.1 client that costs little: keep-alive sockets, one request after the other on each. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Target {
  readonly port: number
  /** The bytes of one request. */
  readonly request: () => string
  /** The only status that counts as an answer; another throws. */
  readonly status: number
}

export interface Load {
  readonly perSecond: number
  /** Milliseconds of each request. */
  readonly samples: readonly number[]
}

export const request = (method: string, path: string, secret: string, body?: object): string => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const about = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n`
  return `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${secret}\r\n${about}\r\n${text}`
}

/** Asks for so many seconds on so many connections, after a second that does not count. */
export const load = async (target: Target, connections: number, seconds: number): Promise<Load> => {
  const samples: number[] = []
  const from = performance.now() + 1_000
  const until = from + seconds * 1_000
  const loop = async (): Promise<void> => {
    const client = await openClient(target.port)
    while (performance.now() < until) {
      const began = performance.now()
      await client.ask(target)
      const ended = performance.now()
      if (began >= from) samples.push(ended - began)
    }
    client.close()
  }
  await Promise.all(Array.from({ length: connections }, loop))
  return { perSecond: samples.length / seconds, samples }
}

export interface Client {
  readonly ask: (target: Target) => Promise<string>
  readonly close: () => void
}

export const openClient = async (port: number): Promise<Client> => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const read = reader(socket)
  return {
    ask: async ({ request, status }) => {
      socket.write(request())
      const response = await read()
      if (response.status === status) return response.body
      throw new Error(`Answered ${response.status} instead of ${status}: ${response.body.slice(0, 300)}`)
    },
    close: () => socket.destroy(),
  }
}

interface Response {
  readonly status: number
  readonly body: string
}

/** Bodies have a length: neither server of the benchmark sends chunks where this reads. */
const reader = (socket: Socket): (() => Promise<Response>) => {
  let buffered = ''
  let waiting: { resolve: (response: Response) => void; reject: (error: Error) => void } | null = null
  const fail = (error: Error): void => waiting?.reject(error)
  socket.setEncoding('latin1')
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('The server closed the connection')))
  socket.on('data', (chunk) => {
    buffered += chunk
    const head = buffered.indexOf('\r\n\r\n')
    if (head === -1) return
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(buffered.slice(0, head))?.[1] ?? 0)
    if (buffered.length < head + 4 + length) return
    const status = Number(buffered.slice(9, 12))
    const body = buffered.slice(head + 4, head + 4 + length)
    buffered = buffered.slice(head + 4 + length)
    waiting?.resolve({ status, body })
  })
  return () =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject }
    })
}
