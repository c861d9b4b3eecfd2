/** Pages that call out when they are told to, a real listener, and nobody else on the network. */
import { execFile, spawnSync } from 'node:child_process'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:http'
import { createRequire } from 'node:module'
import { runInNewContext, runInThisContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import type { WebCase } from '../../../../testbed/web/case.ts'
import { inventoryOf } from '../../../../testbed/web/inventory.ts'
import { openOobListener } from '../../../egress/oob/listener.ts'
import { judgeModule } from '../../../engine/judge.ts'
import { createOobInbox, type OobInbox } from '../../../engine/out-of-band.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { collect } from './collect.ts'
import { injection } from './module.ts'

const LISTENER = '127.0.175.2'
const PAGE = '<!doctype html><title>Shop</title><p>Thank you, we will look at it.</p>'
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

type Page = (value: string, request: IncomingMessage, body: string) => void

const fetchIt = (url: string): void => {
  if (URL.canParse(url) && url.startsWith('http://'))
    get(url, (response) => response.resume()).on('error', () => undefined)
}

/** What an interpreter of PHP does with a text it has included, as far as this text goes. */
/** Programs that run the text of another server, as pages include it. */
const INCLUDING = {
  PHP: ['php', '-r', 'eval("?>" . file_get_contents("php://stdin"));'],
  Python: ['python3', '-c', 'import sys; exec(sys.stdin.read())'],
} as const
const included = (language: keyof typeof INCLUDING, input: string): string => {
  const [program, ...args] = INCLUDING[language]
  const { stdout, error } = spawnSync(program, args, { input, timeout: 20_000, encoding: 'utf8' })
  if (error) throw error
  return stdout
}

const scanned = async (
  place: WebCase['place'],
  page: Page | null,
  including: ((text: string) => string) | null = null,
  value = 'tent',
) => {
  const listener = await openOobListener({ address: LISTENER, bind: LISTENER, domain: null, httpPort: 0, dnsPort: 0 })
  cleanups.push(listener.close)
  let inbox: OobInbox | null = null
  const { run } = listener.watch((hit) => inbox?.arrived(hit))
  inbox = createOobInbox(run, () => undefined)
  const server = await serveCase(175, {
    http: async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const given = place === 'xml' ? body : (new URL(request.url ?? '', 'http://x').searchParams.get('q') ?? '')
      page?.(given, request, body)
      const shown = including && given.startsWith('http') ? including(await (await fetch(given)).text()) : ''
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`${PAGE}${shown}`)
    },
  })
  cleanups.push(server.close)
  const { ctx, close } = collectContext(server.address, { module: 'injection', requests: 1_000, outOfBand: inbox })
  cleanups.push(close)
  const one: WebCase = { id: 'x', module: 'injection', finds: [], place, value, answer: () => ({ body: '' }) }
  const known = { crawl: inventoryOf([one], 'http://shop.test', 'careless'), waf: { blockPage: null } }
  const facts = await collect(ctx, known, 700)
  const { findings } = judgeModule(injection as never, facts, known, caseContext())
  return findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`)
}

const entities: Page = (body) => {
  for (const [, url] of body.matchAll(/SYSTEM "(http[^"]+)"/g)) fetchIt(url ?? '')
}
const shell: Page = (value) => {
  execFile('/bin/sh', ['-c', `echo "${value}" >/dev/null`], { timeout: 8_000 }, () => undefined)
}

/** Lets through what begins or ends as its own addresses do. */
const filtered =
  (passes: RegExp): Page =>
  (value) => {
    if (passes.test(value)) fetchIt(value)
  }

/** Runs functions of a document in base64, as one of the libraries for it does. */
const unserialised: Page = (value) => {
  for (const [, code] of Buffer.from(value, 'base64')
    .toString('utf8')
    .matchAll(/"_\$\$ND_FUNC\$\$_(.*?)"[,}]/g))
    runInNewContext(`(${code})`, { require: createRequire(import.meta.url) })
}

/** A formula that is evaluated, with an answer that has nothing to do with it. */
const formula: Page = (value) => {
  try {
    runInThisContext(`"${value}"`)
  } catch {
    // The page hides its errors, as it hides its results.
  }
}

describe('calls from the target', () => {
  it.each([
    ['fetches the address', 'query', fetchIt, ['injection/server-side-request confirmed']],
    ['a parser that loads document types', 'xml', entities, ['injection/xml-external-entity confirmed']],
    ['a shell whose output nobody sees', 'query', shell, ['injection/command confirmed']],
    ['code whose result nobody sees', 'query', formula, ['injection/code confirmed']],
    ['does nothing', 'query', null, []],
    ['a parser that ignores document types', 'xml', null, []],
    [
      'something in front follows every address in a request',
      'query',
      (_value, request) => {
        for (const [url] of decodeURIComponent(request.url ?? '').matchAll(/http:\/\/127[^&]*/g)) fetchIt(url)
      },
      [],
    ],
  ] as const satisfies readonly (readonly [string, WebCase['place'], Page | null, readonly string[]])[])(
    '%s',
    async (_name, place, page, expected) => expect(await scanned(place, page)).toEqual(expected),
    30_000,
  )

  it.each([
    ['begin with the host that it knows', /^http:\/\/feeds\.test/],
    ['end as pictures do', /\.png$/],
  ])('fetches only addresses that %s', async (_name, passes) => {
    const found = await scanned('query', filtered(passes), null, 'http://feeds.test/tent.png')
    expect(found).toEqual(['injection/server-side-request confirmed'])
  })

  it('an object is built that a page reads', async () => {
    const value = Buffer.from('{"name":"Robin"}').toString('base64')
    expect(await scanned('query', unserialised, null, value)).toEqual(['injection/deserialization confirmed'])
  })

  it.each(Object.keys(INCLUDING) as (keyof typeof INCLUDING)[])('%s from another server is run', async (language) => {
    const found = await scanned('query', null, (text) => included(language, text))
    expect(found).toEqual(['injection/file-inclusion confirmed'])
  })

  it('a program from another server is shown, and not run', async () => {
    expect(await scanned('query', null, (text) => text)).toEqual(['injection/server-side-request confirmed'])
  })
})
