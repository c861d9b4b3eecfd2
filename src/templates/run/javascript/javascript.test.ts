import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseAddress, runCase, templateOf } from '../testing/template-case.ts'

const ADDRESS = caseAddress(68)
const servers: Server[] = []
const sockets = new Set<Socket>()
const ports: Record<string, number> = {}

const listen = async (name: string, speak: (socket: Socket) => void): Promise<void> => {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    speak(socket)
  })
  server.listen(0, ADDRESS)
  await once(server, 'listening')
  servers.push(server)
  ports[name] = (server.address() as AddressInfo).port
}

/** SSH_MSG_KEXINIT (RFC 4253, 7.1) with these lists. */
const keyExchange = (...lists: string[]): Buffer => {
  const named = lists.map((list) => {
    const size = Buffer.alloc(4)
    size.writeUInt32BE(list.length)
    return Buffer.concat([size, Buffer.from(list)])
  })
  const payload = Buffer.concat([Buffer.from([4, 20]), Buffer.alloc(16), ...named, Buffer.alloc(13), Buffer.alloc(4)])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(payload.length)
  return Buffer.concat([length, payload])
}

beforeAll(async () => {
  await listen('echo', (socket) => socket.on('data', (data) => socket.write(`you said ${data.toString('hex')}`)))
  await listen('redis', (socket) =>
    socket.on('data', (data) =>
      socket.write(String(data) === 'INFO\r\n' ? '$23\r\nredis_version:7.0.15\r\nx' : '-ERR\r\n'),
    ),
  )
  await listen('ssh', (socket) => {
    const none = 'none'
    socket.write('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n')
    socket.write(
      keyExchange(
        'curve25519-sha256',
        'ssh-ed25519',
        'aes128-cbc',
        'aes128-cbc',
        'hmac-sha1',
        'hmac-sha1',
        none,
        none,
        '',
        '',
      ),
    )
  })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
})

const script = (code: string, operators: string, args = ''): string =>
  `javascript:\n  - code: |\n${code
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n')}\n    args:\n      Host: "{{Host}}"\n      Port: "{{Port}}"${args}\n    ${operators}`
const run = (to: string, yaml: string) => runCase(templateOf(yaml), { address: ADDRESS, port: ports[to] ?? 0 })
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the script's own
const OPEN = "const c = require('nuclei/net')\nlet conn = c.Open('tcp', `${Host}:${Port}`)\n"

const CASES = [
  [
    'what was sent and read',
    'echo',
    `${OPEN}conn.SendHex('fe01')\nExport(conn.RecvString())`,
    'matchers: [{type: word, words: ["said fe01"]}]',
    1,
  ],
  [
    'the last value, without Export',
    'echo',
    `${OPEN}conn.Send('a')\nlet r = conn.RecvFullString()\nr.includes('61')`,
    'matchers: [{type: dsl, dsl: ["success == true"]}]',
    1,
  ],
  [
    'a buffer with numbers',
    'echo',
    `${OPEN}let b = require('nuclei/bytes').NewBuffer()\nb.WriteString('A').Pack('>H', 258)\nconn.Send(b.Bytes())\nExport(conn.RecvString())`,
    'matchers: [{type: word, words: ["said 410102"]}]',
    1,
  ],
  [
    'loops, functions and patterns',
    'echo',
    `function twice(x) { return x + x }\nlet t = ''\nfor (let i = 0; i < 3; i++) { t += twice(i) }\nExport(t.replace(/(\\d)4/, '$1-'))`,
    'matchers: [{type: word, words: ["02-"]}]',
    1,
  ],
  ['helper functions', 'echo', `Export(base64(to_upper('ab')))`, 'matchers: [{type: word, words: ["QUI="]}]', 1],
  [
    'redis',
    'redis',
    `Export(require('nuclei/redis').GetServerInfo(Host, Port))`,
    'extractors: [{type: regex, group: 1, regex: ["redis_version:([0-9.]+)"]}]',
    1,
  ],
  [
    'what answers there is not redis',
    'ssh',
    `Export(require('nuclei/redis').GetServerInfo(Host, Port))`,
    'matchers: [{type: dsl, dsl: ["success == true"]}]',
    0,
  ],
  [
    'ssh: banner and what it offers',
    'ssh',
    `var m = require('nuclei/ssh')\nvar c = m.SSHClient()\nExport(c.ConnectSSHInfoMode(Host, Port))`,
    `matchers: [{type: word, words: ["aes128-cbc", "OpenSSH_9.2p1"], condition: and}]`,
    1,
  ],
  ['a way out', 'echo', `${OPEN}conn.Send('x')\nexit()`, 'matchers: [{type: dsl, dsl: ["success == false"]}]', 1],
] as const

describe('javascript', () => {
  it.each([
    ['the process', 'process.exit(1)\nExport("beyond")'],
    ['a constructor', `''.constructor.constructor('return process')()\nExport('beyond')`],
    ['a match that is none', `'x'.match(/y/)[1]\nExport('beyond')`],
  ])('%s: the script ends there and finds nothing', async (_trick, code) => {
    const yaml = script(code, 'extractors: [{type: dsl, dsl: [response]}]')
    const { hits, ...ran } = await run('echo', yaml)
    expect(ran).toMatchObject({ skipped: null, failed: null })
    expect(hits.flatMap(({ extracted }) => extracted.flatMap(({ values }) => values)).join()).not.toMatch(/beyond|null/)
  })

  it.each(CASES)('%s', async (_trick, to, code, operators, hits) => {
    const ran = await run(to, script(code, operators))
    expect(ran).toMatchObject({ skipped: null, failed: null })
    expect(ran.hits).toHaveLength(hits)
  })

  it('a pre-condition that does not hold', async () => {
    const yaml = `javascript:\n  - pre-condition: |\n      isPortOpen(Host, 1)\n    args: {Host: "{{Host}}"}\n    code: |\n      Export('never')\n    matchers: [{type: word, words: [never]}]`
    expect(await run('echo', yaml)).toMatchObject({ hits: [], skipped: null })
  })

  it.each([
    ['another host', `require('nuclei/net').Open('tcp', 'other.test:22')`, /not the target/],
    ['a share', `require('nuclei/smb').SMBClient().ListShares(Host, Port, '', '')`, /signs in/],
    ['a password', `new (require('nuclei/ssh').SSHClient)().Connect(Host, Port, 'a', 'b')`, /signs in/],
    ['mail', `new (require('nuclei/smtp').Client)(Host, Port).SendMail('x')`, /sends mail/],
    ['files', `require('nuclei/fs')`, /not offered/],
    ['a directory', `require('nuclei/ldap')`, /not offered: it speaks a protocol/],
    ['an endless loop', 'let i = 0\nwhile (true) { i++ }', /too many steps/],
    ['memory', `let s = 'x'\nwhile (true) { s = s + s }`, /16 MiB/],
  ])('%s is out of reach', async (_trick, code, reason) => {
    const ran = await run('echo', script(code, 'matchers: [{type: dsl, dsl: ["success == true"]}]'))
    expect(ran.hits).toEqual([])
    expect(`${ran.skipped}`).toMatch(reason)
  })
})
