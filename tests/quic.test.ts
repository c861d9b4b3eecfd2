/** HTTP/3 of a real server (Caddy, quic-go): what the first flight shows, and what the check makes of it. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issue } from '../src/egress/testing/certificates.ts'
import type { QuicFacts } from '../src/modules/network/tls-deep/facts.ts'
import { collectQuic, http3 } from '../src/modules/network/tls-deep/quic.ts'
import { caseDeep } from '../src/modules/network/tls-deep/testing/deep-facts.ts'
import { caseTls } from '../src/modules/passive/tls/testing/tls-facts.ts'
import { caseAddress, collectContext } from '../src/modules/testing/collecting.ts'
import { CASE_TIME, caseContext, judgeCases } from '../src/modules/testing/judge-cases.ts'
import { caseSite } from '../src/modules/testing/site-facts.ts'
import { isInstalled, type RealService, type RunningServices, startServices, write } from './support/services.ts'

const address = caseAddress(95)
const pair = await issue('shop.test')
const other = await issue('old.test')

/** 443 with QUIC and TCP, 8443 for another name, 9443 over TCP alone. */
const caddy: RealService = {
  id: 'caddy',
  needs: 'caddy',
  program: '/usr/bin/caddy',
  ports: [443, 8443, 9443],
  prepare: ({ folder }) => {
    for (const [name, { pem, keyPem }] of [['own', pair] as const, ['other', other] as const]) {
      writeFileSync(join(folder, `${name}.pem`), pem)
      writeFileSync(join(folder, `${name}.key`), keyPem)
    }
    const site = (port: number, name: string): string =>
      `https://:${port} { \n bind ${address} \n tls ${folder}/${name}.pem ${folder}/${name}.key \n respond "hello" \n }`
    const config = write(folder, 'Caddyfile', [
      '{',
      ' auto_https off',
      ' admin off',
      ` storage file_system ${folder}/storage`,
      ' default_sni old.test',
      ` servers ${address}:9443 { \n protocols h1 h2 \n }`,
      '}',
      ...[site(443, 'own'), site(8443, 'other'), site(9443, 'own')],
    ])
    return {
      command: '/usr/bin/caddy',
      args: ['run', '--config', config, '--adapter', 'caddyfile'],
      env: { HOME: folder },
    }
  },
  truth: [],
}

let running: RunningServices
beforeAll(async () => {
  if (!isInstalled(caddy)) throw new Error('not installed: caddy; ./test installs it')
  running = await startServices(address, [caddy])
}, 90_000)
afterAll(() => running?.close())

const ask = async (port: number, headers: Record<string, string> = {}): Promise<QuicFacts> => {
  const { ctx, close } = collectContext(address, { module: 'tls-deep', host: 'shop.test', requests: 20, port })
  try {
    return await collectQuic(ctx, address, port, caseSite({ page: { headers } }))
  } finally {
    await close()
  }
}
const shaOf = (base64: string | undefined) =>
  createHash('sha256')
    .update(Buffer.from(base64 ?? '', 'base64'))
    .digest('hex')

describe('a real server', () => {
  it('answers with h3 and its certificate', async () => {
    const facts = await ask(443)
    expect(facts).toMatchObject({ state: 'handshake', alpn: 'h3', versions: [1], announced: false })
    expect(shaOf(facts.certificates[0])).toBe(createHash('sha256').update(pair.der).digest('hex'))
  })
  it('is asked where Alt-Svc says', async () => {
    const facts = await ask(443, { 'Alt-Svc': 'h3=":8443"; ma=3600, h3-29=":443"' })
    expect(facts).toMatchObject({ port: 8443, announced: true, state: 'handshake' })
    expect(shaOf(facts.certificates[0])).toBe(createHash('sha256').update(other.der).digest('hex'))
  })
  it('without UDP is closed', async () => {
    expect(await ask(9443)).toMatchObject({ state: 'closed', certificates: [] })
  })
  it('another program at the port is not taken for QUIC, and TCP alone is nothing', async () => {
    const web = createServer({ key: pair.keyPem, cert: pair.pem }, (_request, response) => response.end('hello'))
    await new Promise<void>((resolve) => web.listen(9555, address, resolve))
    expect((await ask(9555)).state).toBe('closed')
    await new Promise((resolve) => web.close(resolve))
  })
})

const quic = (change: Partial<QuicFacts> = {}): QuicFacts => ({
  ...{ address: '192.0.2.10', port: 443, announced: true, state: 'handshake', versions: [1], alpn: 'h3', detail: '' },
  certificates: [pair.der.toString('base64')],
  ...change,
})
const at = (facts: QuicFacts | null, now = Date.now()) => caseDeep({}, { quic: facts, now })
const known = { site: caseSite(), tls: caseTls() }
const day = 86_400_000

judgeCases(http3, [
  {
    name: 'announced and silent',
    facts: at(quic({ state: 'silent', detail: 'no answer', certificates: [] })),
    known,
    expect: ['tls-deep/http3-unreachable'],
  },
  {
    name: 'announced and closed',
    facts: at(quic({ state: 'closed', certificates: [] })),
    known,
    expect: ['tls-deep/http3-unreachable'],
  },
  {
    name: 'not announced and closed',
    facts: at(quic({ announced: false, state: 'closed' })),
    known,
    expect: [],
    unjudged: 'not_applicable',
  },
  { name: 'vouches for itself', facts: at(quic()), known, expect: ['tls-deep/quic-certificate'] },
  {
    name: 'of another name',
    facts: at(quic({ certificates: [other.der.toString('base64')] })),
    known,
    expect: ['tls-deep/quic-certificate'],
  },
  { name: 'expired', facts: at(quic(), Date.now() + 9 * day), known, expect: ['tls-deep/quic-certificate'] },
  {
    name: 'the same as over TCP is judged there',
    facts: at(quic(), Date.now() + 9 * day),
    known: {
      ...known,
      tls: {
        ...caseTls(),
        certificates: [{ ...caseTls().certificates[0], sha256: shaOf(pair.der.toString('base64')) } as never],
      },
    },
    expect: [],
  },
  {
    name: 'refused',
    facts: at(quic({ state: 'refused', detail: 'closed (code 0x178)', certificates: [] })),
    known,
    expect: [],
    unjudged: 'inconclusive',
  },
  {
    name: 'wants the address proven',
    facts: at(quic({ state: 'retry', certificates: [] })),
    known,
    expect: [],
    unjudged: 'inconclusive',
  },
  { name: 'cut off', facts: at(quic({ certificates: [] })), known, expect: [], unjudged: 'inconclusive' },
  {
    name: 'no certificate at all',
    facts: at(quic({ certificates: ['AA=='] })),
    known,
    expect: [],
    unjudged: 'inconclusive',
  },
  { name: 'without https', facts: at(null), known, expect: [], unjudged: 'not_tested' },
])

it('facts of older runs have none of it', () => {
  expect(http3.judge(caseDeep({}, { now: CASE_TIME }), known, caseContext())).toMatchObject({ state: 'not_tested' })
})
