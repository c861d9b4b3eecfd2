/** HTTP by hand: bytes out, answers in, for requests that no client library would send. */
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  /** Lower case names; of a repeated header the last one. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const DEADLINE = 30_000

/** All that the server says until it closes. Rejects when it resets, or does not close in time. */
export const exchange = (base: URL, ...parts: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(base.port), base.hostname)
    const late = setTimeout(() => socket.destroy(new Error('the server did not close')), DEADLINE)
    let said = ''
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      said += text
    })
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(late)
      resolve(said)
    })
    for (const part of parts) socket.write(part, 'latin1')
  })

/** The answers in what a server said, by their Content-Length. */
export const answersIn = (said: string): readonly RawAnswer[] => {
  const answers: RawAnswer[] = []
  for (let rest = said; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`no whole head in ${JSON.stringify(rest.slice(0, 300))}`)
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const length = Number(headers['content-length'] ?? 0)
    const status = Number(first.split(' ')[1])
    if (status >= 200) answers.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + (status >= 200 ? length : 0))
  }
  return answers
}

export interface SilentPeer {
  readonly socket: Socket
  readonly closed: () => boolean
}

/** Connected; says only what it is told to. */
export const silentPeer = (base: URL, localAddress?: string): Promise<SilentPeer> =>
  new Promise((resolve, reject) => {
    const socket = connect({
      port: Number(base.port),
      host: base.hostname,
      ...(localAddress === undefined ? {} : { localAddress }),
    })
    let closed = false
    socket.once('error', reject)
    socket.once('close', () => {
      closed = true
    })
    socket.once('connect', () => {
      socket.off('error', reject)
      // How it ends is told by `closed`.
      socket.on('error', () => undefined)
      socket.resume()
      resolve({ socket, closed: () => closed })
    })
  })
