/**
 * Hears calls from targets: DNS questions for names below our domain, and HTTP requests. Keeps nothing: a call with the
 * token of a running run is handed to that run, everything else is forgotten at once.
 */
import type { Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { listenHttp, listenUdp } from '../sockets/listen.ts'
import { dnsAnswer, httpAnswer } from './answers.ts'
import type { OobHit, OobRun, OobSettings } from './out-of-band.ts'
import { isTokenOf, newKey, TOKEN } from './token.ts'

export interface OobListener {
  /** As asked for; with port 0 the ports that were given. */
  readonly settings: OobSettings
  /** From now on, until `stop`, calls with tokens of this run's key are handed over. `given`: the key, where somebody else made it. */
  readonly watch: (onHit: (hit: OobHit) => void, given?: Buffer) => { readonly run: OobRun; readonly stop: () => void }
  readonly close: () => Promise<void>
}

/** Calls of one run that are handed over; a target that floods us does not fill the run's memory. */
const MOST_HITS = 5_000
/** DNS answers a second. */
const MOST_ANSWERS = 500
const MOST_CONNECTIONS = 256

/** @throws when an address or port cannot be listened on */
export const openOobListener = async (asked: OobSettings, mostHits = MOST_HITS): Promise<OobListener> => {
  const watchers = new Map<Buffer, { left: number; readonly onHit: (hit: OobHit) => void }>()

  /** True for a token of ours. */
  const hear = (text: string, hit: (token: string, at: number) => Omit<OobHit, 'token' | 'at'>): boolean => {
    for (const match of text.toLowerCase().matchAll(TOKEN)) {
      const [token] = match
      for (const [key, watcher] of watchers) {
        if (!isTokenOf(key, token)) continue
        watcher.left -= 1
        if (watcher.left >= 0) watcher.onHit({ token, at: Date.now(), ...hit(token, match.index) })
        return true
      }
    }
    return false
  }

  const http = await answerHttp(asked, (request) => {
    const host = (request.headers.host ?? '').toLowerCase()
    const url = request.url ?? '/'
    let path = url
    const ours = hear(`${host.slice(0, 300)} ${url.slice(0, 1_000)}`, (token) => {
      path = behind(url, token)
      return {
        protocol: 'http',
        from: plainAddress(request.socket.remoteAddress ?? ''),
        detail: `${request.method} ${path}`.slice(0, 300),
        agent: (request.headers['user-agent'] ?? '').slice(0, 200),
      }
    })
    return ours ? path : null
  })
  const started: (() => Promise<void>)[] = [() => closeHttp(http.server)]
  const close = async (): Promise<void> => {
    for (const end of started.splice(0).toReversed()) await end()
  }
  let dnsPort = asked.dnsPort
  try {
    const { domain, address } = asked
    if (domain !== null) {
      const dns = await answerDns(asked, (message, from) => {
        const answer = dnsAnswer(message, { domain, address })
        if (!answer) return null
        hear(answer.name, (_token, at) => ({
          protocol: 'dns',
          from,
          detail: answer.name.slice(0, at).replace(/\.$/, ''),
          agent: answer.type,
        }))
        return answer.reply
      })
      started.push(() => new Promise((resolve) => dns.close(resolve)))
      dnsPort = dns.address().port
    }
  } catch (error) {
    await close()
    throw error
  }
  const settings = { ...asked, httpPort: http.port, dnsPort }
  return {
    settings,
    watch: (onHit, key = newKey()) => {
      watchers.set(key, { left: mostHits, onHit })
      const { domain, address, httpPort } = settings
      return {
        run: { key: key.toString('base64url'), domain, address, httpPort },
        stop: () => watchers.delete(key),
      }
    },
    close,
  }
}

/** Path and query behind the token where that stands in the path, else all of it. */
const behind = (url: string, token: string): string => {
  const at = url.toLowerCase().indexOf(token)
  const rest = at < 0 ? url : url.slice(at + token.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

const plainAddress = (address: string): string => address.replace(/^::ffff:/, '')

/** `answer` gets every request and says what path is answered, or null for a stranger. Bodies are not read. */
const answerHttp = async (
  { bind, httpPort }: OobSettings,
  answer: (request: IncomingMessage) => string | null,
): Promise<{ readonly server: Server; readonly port: number }> => {
  const listening = await listenHttp(
    { maxHeaderSize: 8_192, headersTimeout: 5_000, requestTimeout: 10_000 },
    { port: httpPort, bind },
    () => undefined, // A connection that could not be taken is a call that was not heard; the caller may come again.
  )
  const { server } = listening
  server.maxConnections = MOST_CONNECTIONS
  server.on('request', (request, response) => {
    const path = answer(request)
    const { type, body } = httpAnswer(path ?? '')
    response.writeHead(path === null ? 404 : 200, {
      'Content-Type': type,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
      Connection: 'close',
    })
    response.end(path === null ? '' : body)
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  return listening
}

const closeHttp = async (server: Server): Promise<void> => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

const answerDns = async (
  { bind, dnsPort }: OobSettings,
  answer: (message: Buffer, from: string) => Buffer | null,
): Promise<UdpSocket> => {
  // An error is one datagram's, not the listener's.
  const socket = await listenUdp({ port: dnsPort, bind }, () => undefined)
  let second = 0
  let given = 0
  socket.on('message', (message, { address, port }) => {
    const reply = answer(message, plainAddress(address))
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) [second, given] = [now, 0]
    given += 1
    // What cannot be sent is lost, as any datagram may be; the caller asks again.
    if (reply && given <= MOST_ANSWERS) socket.send(reply, port, address, () => undefined)
  })
  return socket
}
