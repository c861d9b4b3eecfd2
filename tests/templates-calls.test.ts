/** Templates that make a target call: with the real listener, and targets that look names up and connect. */

import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packet from 'dns-packet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../src/main/config.ts'
import { templateTool } from '../src/main/templates.ts'
import { collectContext } from '../src/modules/testing/collecting.ts'
import {
  caseAddress,
  runIn,
  type Served,
  serveTemplateCase,
  templateOf,
} from '../src/templates/run/testing/template-case.ts'

const ADDRESS = caseAddress(80)
const LISTENER = caseAddress(81)
const folder = mkdtempSync(join(tmpdir(), 'sonde-calls-'))
let served: Served

/** As a resolver asks: one question to the server of the zone; resolves to the address that it gives. */
const lookUp = async (name: string): Promise<string | null> => {
  const socket = createSocket('udp4')
  try {
    socket.send(packet.encode({ type: 'query', id: 7, questions: [{ type: 'A', name }] }), 53, LISTENER)
    const [message] = (await once(socket, 'message', { signal: AbortSignal.timeout(5_000) })) as [Buffer]
    const [answer] = packet.decode(message).answers ?? []
    return answer?.type === 'A' ? String(answer.data) : null
  } finally {
    socket.close()
  }
}

const fetchFrom = async (address: string, host: string, path: string): Promise<void> => {
  const request = httpRequest({ host: address, port: 80, path, headers: { host, 'user-agent': 'Shop-Fetcher/2.1' } })
  request.end()
  const [response] = await once(request, 'response', { signal: AbortSignal.timeout(5_000) })
  response.resume()
}

beforeAll(async () => {
  served = await serveTemplateCase(ADDRESS, (request, response) => {
    const [, how, host = ''] = /^\/(fetch|resolve|ignore)\?u=(?:http:\/\/)?([\w.-]+)/.exec(request.url ?? '') ?? []
    response.end('queued')
    if (how === 'resolve') void lookUp(host)
    // The request comes well behind the look-up, as it does in the world.
    if (how === 'fetch') {
      void lookUp(host).then((address) => {
        setTimeout(() => void fetchFrom(address ?? '', host, '/hook?from=shop'), 300)
      })
    }
  })
  const template = (id: string, path: string, matchers: string): void =>
    writeFileSync(
      join(folder, `${id}.yaml`),
      `id: ${id}\ninfo: {name: ${id}, author: me, severity: high}\nhttp:\n  - method: GET\n    path: ["{{BaseURL}}${path}"]\n${matchers}`,
    )
  const protocol = (name: string): string =>
    `    matchers: [{type: word, part: interactsh_protocol, words: [${name}]}]\n`
  template('fetched', '/fetch?u=http://{{interactsh-url}}/', protocol('http'))
  template('resolved', '/resolve?u={{interactsh-url}}', protocol('dns'))
  template('only-resolved', '/resolve?u=http://{{interactsh-url}}/', protocol('http'))
  template('ignored', '/ignore?u=http://{{interactsh-url}}/', protocol('dns'))
  template(
    'who',
    '/fetch?u=http://{{interactsh-url}}/',
    `    matchers-condition: and\n    matchers:\n      - {type: word, words: [queued]}\n      - {type: word, part: interactsh_request, words: ["GET /hook?from=shop", "User-Agent: Shop-Fetcher"], condition: and}\n    extractors: [{type: regex, part: interactsh_request, group: 1, regex: ["User-Agent: (\\\\S+)"]}]\n`,
  )
})
afterAll(async () => {
  await served.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = (more: Readonly<Record<string, string>>) =>
  templateTool(
    readConfig({ SONDE_HOSTS: `shop.test=${ADDRESS}`, SONDE_ALLOW_NETWORKS: '127.0.0.0/8', ...more }, '/nonexistent'),
  ).run(
    { folder, target: `http://shop.test:${served.port}`, allow: [], values: {}, only: [] },
    new AbortController().signal,
    () => undefined,
  )

describe('calls from the target', () => {
  it('are heard by our listener: look-ups and requests, and what they say', async () => {
    const ran = await run({ SONDE_OOB_ADDRESS: LISTENER, SONDE_OOB_DOMAIN: 'oob.test' })
    expect(ran.hits.map(({ template, confidence }) => `${template} ${confidence}`).toSorted()).toEqual([
      'fetched confirmed',
      'resolved confirmed',
      'who confirmed',
    ])
    expect(ran.hits.find(({ template }) => template === 'who')?.extracted).toEqual(['Shop-Fetcher/2.1'])
    expect(ran).toMatchObject({ run: 5, skipped: [], heldBack: {} })
  })

  it('are not waited for without a listener: the templates are held back', async () => {
    expect(await run({})).toMatchObject({ run: 0, hits: [], heldBack: { 'out-of-band': 5 } })
  })

  it('a listener that cannot listen is said, and nothing is asked', async () => {
    const before = served.seen.length
    await expect(run({ SONDE_OOB_ADDRESS: '192.0.2.1' })).rejects.toThrow(/no calls can be heard/)
    expect(served.seen).toHaveLength(before)
  })
})

describe('annotations and waits, against real servers', () => {
  const pem = (): string =>
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'],
        ...['-subj', '/CN=shop.test', '-keyout', '-'],
      ],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 20_000 },
    )

  const raw = (annotation: string): string =>
    `http:\n  - raw:\n      - |\n        ${annotation}\n        GET /where HTTP/1.1\n        Host: {{Hostname}}\n\n    extractors: [{type: regex, part: body, regex: ["(?s).+"]}]`
  const open = () => collectContext(ADDRESS, { module: 'templates', requests: 100 })
  const found = (ran: Awaited<ReturnType<typeof runIn>>): readonly string[] =>
    ran.hits.flatMap(({ extracted }) => extracted.flatMap(({ values }) => values))

  it('@tls-sni names another server in the hello, and the Host header stays', async () => {
    const key = pem()
    const server = createTlsServer({ key, cert: key }, (request, response) => {
      const { servername } = request.socket as unknown as { servername: string | false }
      response.end(`${servername} ${request.headers.host}`)
    })
    server.listen(0, ADDRESS)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { ctx, close } = open()
    try {
      const target = `https://shop.test:${port}`
      expect(found(await runIn(ctx, templateOf(raw('@tls-sni: inner.shop.test')), target))).toEqual([
        `inner.shop.test shop.test:${port}`,
      ])
      expect(found(await runIn(ctx, templateOf(raw('@timeout: 5s')), target))).toEqual([`shop.test shop.test:${port}`])
    } finally {
      await close()
      server.closeAllConnections()
      server.close()
    }
  })

  it('@Host asks another port of the target', async () => {
    const other = await serveTemplateCase(ADDRESS, (_request, response) => response.end('the other port'))
    const { ctx, close } = open()
    try {
      const ran = await runIn(
        ctx,
        templateOf(raw(`@Host: http://{{Host}}:${other.port}`)),
        `http://shop.test:${served.port}`,
      )
      expect(found(ran)).toEqual(['the other port'])
    } finally {
      await close()
      await other.close()
    }
  })

  it('wait_for holds the request back', async () => {
    const { ctx, close } = open()
    try {
      const began = performance.now()
      const yaml = `http:\n  - raw:\n      - |\n        GET /?{{wait_for(1)}} HTTP/1.1\n        Host: {{Hostname}}\n\n    matchers: [{type: word, words: [queued]}]`
      const ran = await runIn(ctx, templateOf(yaml), `http://shop.test:${served.port}`)
      expect(ran.hits).toHaveLength(1)
      expect(performance.now() - began).toBeGreaterThan(990)
    } finally {
      await close()
    }
  })
})
