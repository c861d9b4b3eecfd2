/** Steps of dns against a real resolver on loopback. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import packet from 'dns-packet'
import { afterEach, describe, expect, it } from 'vitest'
import { caseAddress, runCase, templateOf } from './testing/template-case.ts'

const address = caseAddress(184)
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const ran = async (yaml: string, port: number) => {
  const outcome = await runCase(templateOf(yaml), { address, port })
  const extracted = outcome.hits.flatMap((hit) => hit.extracted.flatMap(({ values }) => values))
  return { ...outcome, count: outcome.hits.length, extracted }
}

describe('dns', () => {
  /** The resolver of the cases; it knows shop.test. */
  const resolve = async (records: readonly packet.Answer[], code = 0): Promise<readonly string[]> => {
    const asked: string[] = []
    const socket = createSocket('udp4')
    socket.on('message', (message, peer) => {
      const { id, questions = [] } = packet.decode(message)
      const [question] = questions
      asked.push(`${question?.type} ${question?.name}`)
      const answers = records.filter(({ name, type }) => name === question?.name && type === question?.type)
      const flags = packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | code
      const reply = packet.encode({ type: 'response', id: id ?? 0, flags, questions, answers: [...answers] })
      socket.send(reply, peer.port, peer.address)
    })
    socket.bind(9, address)
    await once(socket, 'listening')
    closing.push(async () => {
      socket.close()
      await once(socket, 'close')
    })
    return asked
  }
  const record = (type: 'A' | 'TXT' | 'MX' | 'CAA' | 'CNAME', data: unknown, name = 'shop.test') =>
    ({ type, name, data, ttl: 300 }) as packet.Answer

  it.each([
    ['an address', 'A', [record('A', '10.1.2.3', 'app.shop.test')], 'IN\\\\s+A\\\\s+(10\\\\.[0-9.]+)$', ['10.1.2.3']],
    ['a policy', 'TXT', [record('TXT', 'v=spf1 -all')], '"(v=spf1[^"]*)"', ['v=spf1 -all']],
    [
      'several',
      'MX',
      [
        record('MX', { preference: 10, exchange: 'mx1.shop.test' }),
        record('MX', { preference: 20, exchange: 'mx2.shop.test' }),
      ],
      'MX\\\\s+[0-9]+ (\\\\S+)\\\\.',
      ['mx1.shop.test', 'mx2.shop.test'],
    ],
    ['an authority', 'CAA', [record('CAA', { flags: 0, tag: 'issue', value: 'ca.test' })], 'issue "(.*)"', ['ca.test']],
    ['an alias', 'CNAME', [record('CNAME', 'gone.cloud.test')], 'IN\\\\s+CNAME\\\\s+(\\\\S+)', ['gone.cloud.test.']],
  ])('%s', async (_trick, type, records, pattern, expected) => {
    await resolve(records)
    const found = await ran(
      `dns:\n  - name: "${type === 'A' ? 'app.' : ''}{{FQDN}}"\n    type: ${type}\n    extractors: [{type: regex, part: answer, group: 1, regex: ["${pattern.replaceAll('"', '\\"')}"]}]`,
      80,
    )
    expect(found.extracted).toEqual(expected)
    expect(found.hits[0]?.at.host).toMatch(/shop\.test$/)
  })

  it.each([
    ['by the words of the answer', '{type: word, words: ["NXDOMAIN"]}', 1],
    ['by its number', '{type: dsl, dsl: ["rcode == 3"]}', 1],
    ['and not another', '{type: word, words: ["SERVFAIL"]}', 0],
  ])('a name that is not there, %s', async (_trick, matcher, count) => {
    await resolve([], 3)
    expect((await ran(`dns:\n  - name: "gone.{{FQDN}}"\n    type: A\n    matchers: [${matcher}]`, 80)).count).toBe(
      count,
    )
  })

  it('names below the target', async () => {
    const asked = await resolve([record('TXT', 'v=DMARC1; p=none', '_dmarc.shop.test')])
    const yaml = `dns:\n  - name: "_dmarc.{{FQDN}}"\n    type: TXT\n    matchers: [{type: word, part: answer, words: ["p=none"]}]`
    expect((await ran(yaml, 80)).count).toBe(1)
    expect(asked).toContain('TXT _dmarc.shop.test')
  })

  it.each([
    [
      'a name of somebody else',
      '  - name: "www.other.test"\n    type: A',
      /www\.other\.test, which is not the target's/,
    ],
    ['everything at once', '  - name: "{{FQDN}}"\n    type: ANY', /type ANY/],
  ])('%s: not asked', async (_trick, step, message) => {
    const asked = await resolve([])
    const found = await ran(`dns:\n${step}\n    matchers: [{type: word, words: ["x"]}]`, 80)
    expect(found.skipped).toMatch(message)
    expect(asked).toEqual([])
  })
})
