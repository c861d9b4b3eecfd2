import { describe, expect, it } from 'vitest'
import { askFirstFlight } from './first-flight.ts'
import {
  framesIn,
  initialKeys,
  initialPacket,
  inOrder,
  openPacket,
  packetKeys,
  packetsIn,
  variable,
} from './packets.ts'

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex')

describe('the examples of RFC 9001, appendix A', () => {
  const keys = initialKeys(hex('8394c8f03e515708'))
  it('A.1: keys of the level Initial', () => {
    expect(keys.client.key.toString('hex')).toBe('1f369613dd76d5467730efcbe3b1a22d')
    expect(keys.client.iv.toString('hex')).toBe('fa044b2f42a3fd3b46fb255c')
    expect(keys.client.header.toString('hex')).toBe('9f50449e04a0e810283a1e9933adedd2')
    expect(keys.server.key.toString('hex')).toBe('cf3a5331653c364c88f0f379b6067e37')
    expect(keys.server.header.toString('hex')).toBe('c206b8d9b9f0f37644430b490eeaa314')
  })
  it('A.3: the server’s Initial packet', () => {
    const datagram = hex(`cf000000010008f067a5502a4262b5004075c0d95a482cd0991cd25b0aac406a
      5816b6394100f37a1c69797554780bb38cc5a99f5ede4cf73c3ec2493a1839b3dbcba3f6ea46c5b7684df3548e7ddeb9
      c3bf9c73cc3f3bded74b562bfb19fb84022f8ef4cdd93795d77d06edbb7aaf2f58891850abbdca3d20398c276456cbc4
      2158407dd074ee`)
    const [packet] = packetsIn(datagram)
    expect(packet?.kind).toBe('initial')
    const frames = packet && framesIn(openPacket(keys.server, packet))
    const hello = inOrder(frames?.crypto ?? [])
    expect([hello.length, hello.toString('hex', 0, 6)]).toEqual([90, '020000560303'])
    expect(frames?.closed).toBeNull()
  })
  it('A.5: ChaCha20 for the header', () => {
    const secret = hex('9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b')
    const { key, iv, header } = packetKeys('chacha20-poly1305', 'sha256', secret)
    expect(key.toString('hex')).toBe('c6d98ff3441c3fe1b2182094f69caa2ed4b716b65488960a7a984979fb23e1c8')
    expect(iv.toString('hex')).toBe('e0459b3474bdd0e44a41c144')
    expect(header.toString('hex')).toBe('25a282b9e82f06f21f488917a4fc8f1b73573685608597d0efcb076b0ab7a7a4')
  })
})

describe('what is sent', () => {
  it('is one whole Initial packet that the server’s keys of the id open', () => {
    const { payload } = askFirstFlight('shop.test')
    expect(payload.length).toBe(1_350)
    const [packet, ...more] = packetsIn(payload)
    if (packet === undefined) throw new Error('no packet')
    expect([packet.kind, more.length]).toEqual(['initial', 0])
    const { client } = initialKeys(payload.subarray(6, 14))
    const hello = inOrder(framesIn(openPacket(client, packet)).crypto)
    expect(hello[0]).toBe(1)
    expect(hello.includes('shop.test')).toBe(true)
  })
  it.each([
    [0, '00'],
    [63, '3f'],
    [64, '4040'],
    [16_383, '7fff'],
    [16_384, '80004000'],
  ])('%i as a number of its length', (value, bytes) => expect(variable(value).toString('hex')).toBe(bytes))
})

describe('what comes back', () => {
  const question = askFirstFlight('shop.test')
  const source = Buffer.from('0102030405060708', 'hex')
  const long = (first: number, version: number) =>
    Buffer.concat([Buffer.from([first, 0, 0, 0, version, 8]), source, Buffer.from([8]), source])

  it('versions alone', () => {
    const answer = question.read([Buffer.concat([long(0x80, 0), Buffer.from([0, 0, 0, 2, 0xff, 0, 0, 29])])])
    expect(answer).toMatchObject({ state: 'versions', versions: [2, 0xff00001d], certificates: [] })
  })
  it('the wish to prove the address', () => {
    expect(question.read([Buffer.concat([long(0xf0, 1), Buffer.alloc(40, 7)])])?.state).toBe('retry')
  })
  it('a refusal with its code', () => {
    const { server } = initialKeys(question.payload.subarray(6, 14))
    const words = Buffer.from('no application protocol')
    const closed = Buffer.concat([Buffer.from([0x1c]), variable(0x178), variable(6), variable(words.length), words])
    const packet = initialPacket(server, { destination: source, source }, closed, 200)
    expect(question.read([packet])).toMatchObject({ state: 'refused', code: 0x178, reason: 'no application protocol' })
  })
  it.each([
    ['nothing', []],
    ['another protocol', [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')]],
    [
      'a packet under foreign keys',
      [initialPacket(initialKeys(source).server, { destination: source, source }, Buffer.from([1]), 200)],
    ],
    ['lengths that lead out of the packet', [Buffer.concat([long(0xc3, 1), Buffer.from([0, 0x7f, 0xff, 1, 2])])]],
    ['ids that lead out of it', [Buffer.from([0xc3, 0, 0, 0, 1, 0xff, 1])]],
  ])('%s is no QUIC', (_name, replies) => expect(question.read(replies)).toBeNull())

  it('a gap ends what is read, and what came twice counts once', () => {
    const part = (offset: number, text: string) => ({ offset, data: Buffer.from(text) })
    expect(inOrder([part(3, 'def'), part(0, 'abc'), part(2, 'cde'), part(9, 'xyz')]).toString()).toBe('abcdef')
  })
})
