import { describe, expect, it } from 'vitest'
import { commonPorts } from './common.ts'
import { printable } from './datagram.ts'
import { VERSION_QUERY } from './datagrams/directory.ts'
import { DATAGRAM_SERVICES } from './datagrams.ts'
import { parsePorts, writePorts } from './range.ts'

describe('parsePorts', () => {
  it.each([
    ['22', [22]],
    ['80, 22 ,80', [22, 80]],
    ['8000-8003,1', [1, 8000, 8001, 8002, 8003]],
  ])('%s', (text, ports) => expect(parsePorts(text)).toEqual(ports))

  it.each(['', '0', '65536', '10-5', 'ssh', '1-', '-5', '22;23', '1e3', '22,,80'])('refuses %j', (text) => {
    expect(() => parsePorts(text)).toThrow(RangeError)
  })

  it('and writePorts are inverse', () => {
    expect(writePorts(parsePorts('1,3,4,5,9,8'))).toBe('1,3-5,8-9')
    expect(parsePorts(writePorts(commonPorts()))).toEqual(commonPorts())
  })
})

it('the common ports are a thousand', () => {
  expect(commonPorts()).toHaveLength(1_000)
})

describe('datagram services', () => {
  it('cover the list of the catalogue', () => {
    const ports = new Set(DATAGRAM_SERVICES.map(({ port }) => port))
    for (const port of [53, 69, 123, 137, 161, 389, 443, 500, 1434, 1900, 5353, 11211]) expect(ports).toContain(port)
  })

  it.each(DATAGRAM_SERVICES.map((service) => [service.id, service] as const))('%s survives garbage', (_id, service) => {
    const garbage = [
      ...Array.from({ length: 64 }, (_, size) => Buffer.alloc(size, 0xff)),
      ...Array.from({ length: 64 }, (_, size) => Buffer.alloc(size)),
      Buffer.alloc(65_000, 'A'),
      ...Array.from({ length: 40 }, (_, size) => Buffer.concat([service.payload, Buffer.alloc(size, 0x80)])),
    ]
    for (const reply of garbage) {
      const answer = service.read(reply)
      if (answer) expect(answer.says.length).toBeLessThan(1_000)
    }
  })

  it('the first SA of IKE has lengths that agree', () => {
    const ike = DATAGRAM_SERVICES.find(({ id }) => id === 'ike')?.payload ?? Buffer.alloc(0)
    expect(ike.readUInt32BE(24)).toBe(ike.length)
    expect(ike.readUInt16BE(30)).toBe(ike.length - 28)
  })

  it('QUIC asks with the 1,200 bytes that RFC 9000 wants of a client', () => {
    expect(DATAGRAM_SERVICES.find(({ id }) => id === 'quic')?.payload).toHaveLength(1_200)
  })
})

it('the version query is one question in class CHAOS', () => {
  expect(VERSION_QUERY.subarray(-4)).toEqual(Buffer.from([0, 16, 0, 3]))
})

it('printable text has no control characters and an end', () => {
  expect(printable('a\u0000b\nc\u001b[31md'.repeat(200))).toMatch(/^[\x20-\x7e]{1,200}$/)
})
