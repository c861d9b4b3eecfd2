/** Steps of ssl and network against real servers on loopback. */
import type { TlsOptions } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { certificate, peersAt } from './testing/peers.ts'
import { caseAddress } from './testing/template-case.ts'

const address = caseAddress(91)
const { serve, ran, close } = peersAt(address)
afterEach(close)

describe('network', () => {
  const pinger = (): Promise<number> =>
    serve((socket) =>
      socket.on('data', (data) => socket.write(data.toString() === 'PING\r\n' ? '+PONG\r\n' : '-ERR\r\n')),
    )

  it.each([
    ['text', `{data: "PING\\r\\n"}`, 1],
    ['hexadecimal', '{data: "50494e470d0a", type: hex}', 1],
    ['hexadecimal with blanks', '{data: "50 49 4e 47 0d 0a", type: hex}', 1],
    ['something else', '{data: "HELLO"}', 0],
  ])('%s', async (_trick, input, count) => {
    const found = await ran(
      `network:\n  - inputs: [${input}]\n    host: ["{{Hostname}}"]\n    matchers: [{type: word, part: data, words: ["PONG"]}]`,
      await pinger(),
    )
    expect(found).toMatchObject({ count, skipped: null, failed: null })
    expect(found.hits[0]?.at ?? { host: 'shop.test' }).toMatchObject({ host: 'shop.test' })
  })

  it('a banner that comes by itself', async () => {
    const port = await serve((socket) => socket.write('220 Acme FTP 5.1 ready\r\n'))
    const found = await ran(
      `network:\n  - host: ["{{Hostname}}"]\n    extractors: [{type: regex, group: 1, regex: ["FTP ([0-9.]+)"]}]`,
      port,
    )
    expect(found.extracted).toEqual(['5.1'])
  })

  it('what one answer holds goes into the next message', async () => {
    const port = await serve((socket) => {
      socket.once('data', () => {
        socket.write('nonce=abc123;')
        socket.on('data', (data) => socket.write(data.toString() === 'echo abc123' ? 'granted' : 'denied'))
      })
    })
    const yaml = `network:
  - inputs:
      - {data: "hello", read: 13, name: first}
      - {data: "echo {{nonce}}"}
    host: ["{{Hostname}}"]
    extractors: [{type: regex, name: nonce, part: first, group: 1, internal: true, regex: ["nonce=(\\\\w+)"]}]
    matchers-condition: and
    matchers:
      - {type: word, part: data, words: ["granted"]}
      - {type: word, part: first, words: ["nonce="]}
      - {type: word, part: raw, words: ["nonce=abc123;granted"]}`
    expect((await ran(yaml, port)).count).toBe(1)
  })

  it('reads as many bytes as it names', async () => {
    const port = await serve((socket) => socket.on('data', () => socket.write('ABCDEFGH')))
    const yaml = `network:\n  - inputs: [{data: "x", read: 3, name: first}]\n    host: ["{{Hostname}}"]\n    read-size: 2\n    extractors: [{type: dsl, dsl: ["first + '|' + data"]}]`
    expect((await ran(yaml, port)).extracted).toEqual(['ABC|DE'])
  })

  it('payloads are sent each in a conversation of its own, until one matches', async () => {
    const heard: string[] = []
    const port = await serve((socket) =>
      socket.on('data', (data) => {
        heard.push(data.toString())
        socket.end(data.toString() === 'two' ? 'yes' : 'no')
      }),
    )
    const yaml = `network:\n  - inputs: [{data: "{{word}}"}]\n    payloads: {word: [one, two, three]}\n    stop-at-first-match: true\n    host: ["{{Hostname}}"]\n    matchers: [{type: word, words: ["yes"]}]`
    expect((await ran(yaml, port)).count).toBe(1)
    expect(heard).toEqual(['one', 'two'])
  })

  it('ports of the template stand in for that of the target, and a closed one is passed by', async () => {
    const closed = await serve(() => undefined)
    await close()
    const open = await serve((socket) => socket.write('hello'))
    const yaml = `network:\n  - host: ["{{Hostname}}"]\n    port: ${closed},${open}\n    matchers: [{type: word, words: ["hello"]}]`
    const found = await ran(yaml, 80)
    expect([found.count, found.failed]).toEqual([1, null])
    expect(found.hits[0]?.at).toMatchObject({ port: open })
  })

  it('nothing answers: that is no clean answer', async () => {
    const closed = await serve(() => undefined)
    await close()
    const found = await ran(`network:\n  - host: ["{{Hostname}}"]\n    matchers: [{type: word, words: ["x"]}]`, closed)
    expect(found.count).toBe(0)
    expect(found.failed).not.toBeNull()
  })

  it.each([
    ['another host', 'other.test:22', /other\.test, which is not the target/],
    ['no address', 'a:b:c', /is no address/],
  ])('asks the target alone: %s', async (_trick, host, message) => {
    const found = await ran(`network:\n  - host: ["${host}"]\n    matchers: [{type: word, words: ["x"]}]`, 80)
    expect(found.skipped).toMatch(message)
  })

  it('a peer that never stops is cut', async () => {
    const port = await serve((socket) => {
      const timer = setInterval(() => socket.write('A'.repeat(10_000)), 1)
      socket.on('close', () => clearInterval(timer))
    })
    const found = await ran(
      `network:\n  - host: ["{{Hostname}}"]\n    read-all: true\n    extractors: [{type: dsl, dsl: ["len(data) <= 65536 && len(data) > 1000"]}]`,
      port,
    )
    expect(found.extracted).toEqual(['true'])
  })

  it('through TLS', async () => {
    const port = await serve((socket) => socket.on('data', () => socket.write('inside')), certificate())
    const yaml = `network:\n  - inputs: [{data: "x"}]\n    host: ["tls://{{Hostname}}"]\n    matchers: [{type: word, words: ["inside"]}]`
    expect((await ran(yaml, port)).count).toBe(1)
  })
})

describe('ssl', () => {
  const look = async (operators: string, options: TlsOptions = {}, more = '') =>
    ran(
      `ssl:\n  - address: "{{Host}}:{{Port}}"\n${more}${operators}`,
      await serve(() => undefined, { ...certificate(), ...options }),
    )
  const matcher = (text: string): string => `    matchers: [${text}]`

  it.each([
    [
      'the subject from its end',
      '{type: word, part: subject_dn, words: ["OU=Gate, O=Acme, L=Sunnyvale, ST=California, C=US"]}',
      1,
    ],
    ['the name', `{type: dsl, dsl: ['subject_cn == "*.acme.test"']}`, 1],
    ['signed by itself', '{type: dsl, dsl: ["self_signed == true"]}', 1],
    ['of nobody we trust', '{type: dsl, dsl: ["untrusted == true"]}', 1],
    ['for another host', '{type: dsl, dsl: ["mismatched == true"]}', 1],
    ['for all names', '{type: dsl, dsl: ["wildcard_certificate == true"]}', 1],
    ['not expired', '{type: dsl, dsl: ["expired == true"]}', 0],
    ['not revoked, as far as it shows', '{type: dsl, dsl: ["revoked == true"]}', 0],
    ['the serial number', `{type: dsl, dsl: ['contains(serial, "08:BB:00:EE")']}`, 1],
    ['its end', '{type: dsl, dsl: ["not_after > not_before + 29 * 86400"]}', 1],
  ])('%s', async (_trick, text, count) => {
    expect(await look(matcher(text))).toMatchObject({ count, skipped: null, failed: null })
  })

  it('all of it as JSON', async () => {
    const found = await look(`    extractors: [{type: json, json: [".issuer_cn", ".tls_version", ".subject_an[1]"]}]`)
    expect(found.extracted).toEqual(['*.acme.test', 'tls13', 'acme.test'])
  })

  it.each([
    ['an old version that is taken', 'tls11', { minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' }, 1],
    ['an old version that is refused', 'tls11', { minVersion: 'TLSv1.2' }, 0],
  ] as const)('%s', async (_trick, version, options, count) => {
    const limits = `    min_version: ${version}\n    max_version: ${version}\n`
    const found = await look(`    extractors: [{type: dsl, dsl: ["tls_version"]}]`, options, limits)
    expect([found.count, found.skipped, found.failed]).toEqual([count, null, null])
    if (count > 0) expect(found.extracted).toEqual([version])
  })

  it('cipher suites by their standard names', async () => {
    const suites = `    max_version: tls12\n    cipher_suites: [TLS_RSA_WITH_AES_256_CBC_SHA, TLS_KRB5_WITH_DES_CBC_SHA]\n`
    const found = await look(`    extractors: [{type: dsl, dsl: ["cipher"]}]`, { ciphers: 'ALL:@SECLEVEL=0' }, suites)
    expect(found.extracted).toEqual(['TLS_RSA_WITH_AES_256_CBC_SHA'])
  })
})
