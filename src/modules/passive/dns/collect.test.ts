import packet from 'dns-packet'
import { afterEach, describe, expect, it } from 'vitest'
import { dnsContext } from '../../../../tests/support/dns-context.ts'
import fc from '../../../../tests/support/properties.ts'
import { readRdata } from '../../../egress/dns/dns-rdata.ts'
import { listenDns } from '../../../egress/testing/dns-server.ts'
import { parseAnchor } from '../../../knowledge/dns/anchors.ts'
import { readDnskey, readDs, readNsec, readNsec3, readRrsig } from '../../../protocols/dns/wire.ts'
import { collectDns } from './collect.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const collectFrom = async (answer: Parameters<typeof listenDns>[0]) => {
  const server = await listenDns(answer)
  cleanups.push(server.close)
  const { ctx, close } = dnsContext(
    { resolver: server.server, anchor: `. 1 13 2 ${'00'.repeat(32)}` },
    'shop.test',
    'dns',
  )
  cleanups.push(close)
  return collectDns(ctx)
}

/** A small zone as a resolver gives it that knows nothing of DNSSEC. */
const plain = (question: packet.Question) => {
  const { name, type } = question
  const soa: packet.Answer = {
    type: 'SOA',
    name: 'shop.test',
    data: { mname: 'ns1.shop.test', rname: 'ops.shop.test', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 },
  }
  if (type === 'SOA' && name === 'shop.test') return { answers: [soa] }
  if (type === 'NS' && name === 'shop.test')
    return { answers: [{ type: 'NS', name, data: 'ns1.shop.test' } as packet.Answer] }
  if (type === 'A' && name === 'shop.test')
    return { answers: [{ type: 'A', name, data: '192.0.2.10' } as packet.Answer] }
  return { authorities: [soa] }
}

describe('resolvers of all kinds', () => {
  it('one that drops signatures leaves the chain open, not broken', async () => {
    const facts = await collectFrom(plain)
    expect(facts).toMatchObject({ zone: 'shop.test', dnssec: { state: 'indeterminate' } })
    expect(facts.nameservers).toMatchObject([{ name: 'ns1.shop.test', addresses: [], answers: [] }])
  })

  it('one that answers nothing but garbage ends the module as skipped', async () => {
    await expect(collectFrom(() => Buffer.from('not a message at all, but long enough for a header'))).rejects.toThrow(
      /resolver does not answer/,
    )
  })

  it('one that refuses everything leaves nothing but failures', async () => {
    const facts = await collectFrom(() => ({ rcode: 5 }))
    expect(facts.ns.rcode).toBe('REFUSED')
    expect(facts.dnssec.state).toBe('indeterminate')
  })

  it('one that only answers over TCP is heard', async () => {
    const facts = await collectFrom((question, transport) =>
      transport === 'udp' ? { flags: packet.TRUNCATED_RESPONSE } : plain(question),
    )
    expect(facts.ns.records).toHaveLength(1)
  })

  it('a server in a network that is not open is not asked', async () => {
    const facts = await collectFrom((question) =>
      question.type === 'A' && question.name === 'ns1.shop.test'
        ? { answers: [{ type: 'A', name: question.name, data: '10.0.0.1' }] }
        : plain(question),
    )
    expect(facts.nameservers[0]?.answers).toMatchObject([{ error: { code: 'refused_by_guard' } }])
  })
})

describe('hostile bytes', () => {
  it('end in a value or a RangeError, never in anything else', () => {
    const readers = [readDnskey, readDs, readNsec, readNsec3, readRrsig]
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        for (const read of readers) read(Buffer.from(bytes))
        try {
          readRdata(Buffer.concat([Buffer.from('0000000000010001000100010000', 'hex'), Buffer.from(bytes)]))
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('a ring of pointers ends', () => {
    const ring = Buffer.from('000000000001000000000000c00c00010001', 'hex')
    expect(() => readRdata(ring)).toThrow(RangeError)
  })

  it('an anchor has to be a DS record', () => {
    expect(parseAnchor('test. IN DS 5 13 2 AB cd')).toEqual({
      name: 'test',
      tag: 5,
      algorithm: 13,
      digestType: 2,
      digest: 'ABCD',
    })
    expect(() => parseAnchor('test. 5 13 2 xyz')).toThrow(RangeError)
  })
})
