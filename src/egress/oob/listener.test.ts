import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import packet from 'dns-packet'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OobListener, openOobListener } from './listener.ts'
import type { OobHit } from './out-of-band.ts'
import { isTokenOf, newKey, newToken } from './token.ts'

const ADDRESS = '127.0.175.1'
/** From where the system reaches loopback. */
const CALLER = '127.0.0.1'
const MOST_HITS = 40
const SETTINGS = { address: ADDRESS, bind: ADDRESS, domain: 'oob.test', httpPort: 0, dnsPort: 0 }

describe('tokens', () => {
  const key = newKey()
  const token = newToken(key)

  it('are known by their key alone', () => {
    expect(isTokenOf(key, token)).toBe(true)
    expect(isTokenOf(newKey(), token)).toBe(false)
  })

  it.each([
    ['one letter changed', `${token.slice(0, -2)}${token.at(-2) === 'a' ? 'b' : 'a'}${token.at(-1)}`],
    ['bits left over set', `${token.slice(0, -1)}${token.at(-1) === 'b' ? 'd' : 'b'}`],
    ['too short', token.slice(1)],
    ['upper case', token.toUpperCase()],
    ['empty', ''],
  ])('%s: not ours', (_name, text) => expect(isTokenOf(key, text)).toBe(false))
})

let listener: OobListener
let heard: OobHit[]
let token: string
let stop: () => void

beforeEach(async () => {
  listener = await openOobListener(SETTINGS, MOST_HITS)
  heard = []
  const watched = listener.watch((hit) => heard.push(hit))
  stop = watched.stop
  token = newToken(Buffer.from(watched.run.key, 'base64url'))
})
afterEach(() => listener.close())

const fetched = async (path: string, host = ADDRESS): Promise<{ status: number; type: string; body: string }> => {
  const { httpPort } = listener.settings
  const request = get({
    host: ADDRESS,
    port: httpPort,
    path,
    headers: { Host: host, 'User-Agent': 'caller/1' },
    agent: false,
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += chunk
  return { status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body }
}

const asked = async (
  name: string,
  type: 'A' | 'AAAA' | 'NS' | 'TXT',
  wait = 1_000,
): Promise<packet.DecodedPacket | null> => {
  const socket = createSocket('udp4')
  try {
    socket.send(
      packet.encode({ type: 'query', id: 7, questions: [{ name, type }] }),
      listener.settings.dnsPort,
      ADDRESS,
    )
    const reply = await Promise.race([
      once(socket, 'message').then(([message]) => message as Buffer),
      new Promise<null>((resolve) => setTimeout(() => resolve(null), wait)),
    ])
    return reply && packet.decode(reply)
  } finally {
    socket.close()
  }
}

describe('over HTTP', () => {
  it('a token in the path: the rest of the path is told', async () => {
    expect(await fetched(`/${token}/a/b?c=1`)).toMatchObject({ status: 200, body: '' })
    expect(heard).toMatchObject([{ token, protocol: 'http', from: CALLER, detail: 'GET /a/b?c=1', agent: 'caller/1' }])
  })

  it('a token in the host name', async () => {
    await fetched('/x', `${token}.oob.test`)
    expect(heard).toMatchObject([{ token, detail: 'GET /x' }])
  })

  it.each([
    ['another run’s token', () => newToken(newKey())],
    ['a guess', () => 'abcdefghijklmnopqrstuvwxyz'],
    ['none', () => ''],
  ])('%s: 404, and nothing is told', async (_name, made) => {
    expect((await fetched(`/${made()}/x.js`)).status).toBe(404)
    expect(heard).toEqual([])
  })

  it('the run has ended', async () => {
    stop()
    expect((await fetched(`/${token}/`)).status).toBe(404)
    expect(heard).toEqual([])
  })

  it.each([
    ['a script', '/x.js', 'text/javascript', /new Image/],
    [
      'a text for inclusion',
      '/x.php?a=1234&b=4321',
      'text/plain',
      /^# <\?php echo 'qv'\.\(1234\*4321\)\.'vq'; return;/,
    ],
    ['its numbers are numbers', "/x.php?a=1&b=system('id')", 'text/plain', /^$/],
    ['a document type', '/q.dtd', 'application/xml-dtd', /^<!--/],
  ])('%s', async (_name, path, type, body) => {
    const answer = await fetched(`/${token}${path}`)
    expect(answer.type).toBe(type)
    expect(answer.body).toMatch(body)
  })

  it('a flood of one run is cut', async () => {
    for (let at = 0; at < MOST_HITS + 5; at += 1) expect((await fetched(`/${token}/${at}`)).status).toBe(200)
    expect(heard).toHaveLength(MOST_HITS)
  })
})

describe('over DNS', () => {
  it('answers with the address that it was told, and says who asked for what', async () => {
    const answer = await asked(`qv42.${token}.oob.test`, 'A')
    expect(answer?.answers).toMatchObject([{ type: 'A', data: ADDRESS, ttl: 1 }])
    expect(heard).toMatchObject([{ token, protocol: 'dns', from: CALLER, detail: 'qv42', agent: 'A' }])
  })

  it('keeps the case of the question, as resolvers that guard against forgery demand', async () => {
    const name = `${token.toUpperCase()}.OOB.test`
    expect((await asked(name, 'A'))?.answers?.[0]?.name).toBe(name)
    expect(heard).toMatchObject([{ token }])
  })

  it.each([
    ['another type', true, 'TXT', 0],
    ['the zone itself', false, 'NS', 1],
  ] as const)('%s', async (_name, below, type, answers) => {
    const answer = await asked(below ? `${token}.oob.test` : 'oob.test', type)
    expect((answer?.flags ?? 15) & 15).toBe(0)
    expect(answer?.answers).toHaveLength(answers)
  })

  it('another zone: no answer, so nobody can be flooded through us', async () => {
    expect(await asked(`${token}.else.test`, 'A', 300)).toBeNull()
    expect(heard).toEqual([])
  })

  it.each([
    ['a reply', Buffer.from('00078180000100000000000003787878036f6f62047465737400000100 01'.replace(' ', ''), 'hex')],
    ['a broken message', Buffer.from('000700000001000000000000ff', 'hex')],
    ['an empty message', Buffer.alloc(0)],
  ])('%s is survived', async (_name, message) => {
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.send(message, listener.settings.dnsPort, ADDRESS, () => resolve()))
    socket.close()
    expect((await asked(`${token}.oob.test`, 'A'))?.answers).toHaveLength(1)
  })
})

it('a port that is taken is an error, and nothing is left listening', async () => {
  const { httpPort } = listener.settings
  await expect(openOobListener({ ...SETTINGS, httpPort })).rejects.toThrow(/EADDRINUSE/)
})
