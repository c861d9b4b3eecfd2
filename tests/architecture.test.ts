/** The house's rules about who may import whom, who may open a connection, and how long a file may be. */
import { readdirSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { circles } from '../scripts/house.ts'
import { code, DYNAMIC, filesIn, HOME, type Import, importsOf, isTest, withoutComments } from './support/imports.ts'

const MAX_LINES = 400

/** The interfaces of egress and its errors; never what opens a connection. */
const FACE = ['src/egress/door/egress.ts', 'src/egress/door/target-failure.ts', 'src/egress/oob/out-of-band.ts']

/** Folder of `src` → what it may import beside itself; a list names the only files. */
const MAY_IMPORT: Readonly<Record<string, Readonly<Record<string, 'all' | readonly string[]>>>> = {
  contract: {},
  temporary: {},
  store: { contract: 'all', signature: ['src/signature/envelope.ts'] },
  signature: { contract: 'all' },
  egress: { contract: 'all' },
  knowledge: { contract: 'all' },
  feeds: { contract: 'all', knowledge: 'all' },
  artifacts: { contract: 'all' },
  report: { contract: 'all', temporary: 'all' },
  backup: { contract: 'all', store: 'all', artifacts: 'all' },
  // What a key may do, the interface decides: it is asked through its client alone.
  mcp: { contract: 'all' },
  cli: { contract: 'all', signature: 'all' },
  page: { contract: 'all', knowledge: 'all', egress: FACE },
  protocols: { contract: 'all', knowledge: 'all', egress: FACE },
  descriptions: { contract: 'all', knowledge: 'all', page: 'all' },
  'sign-in': {
    ...{ contract: 'all', page: 'all' },
    modules: ['src/modules/browser.ts', 'src/modules/endings.ts'],
    egress: [...FACE, 'src/egress/door/session-gate.ts', 'src/egress/http/redirects.ts'],
  },
  safety: { contract: 'all', page: 'all', templates: 'all', modules: ['src/modules/attack/crawl/facts.ts'] },
  templates: {
    ...{ contract: 'all', knowledge: 'all', page: 'all', protocols: 'all', safety: 'all', egress: FACE },
    // What a module is, and what the templates module keeps of a run.
    modules: [
      ...['src/modules/module.ts', 'src/modules/browser.ts', 'src/modules/endings.ts', 'src/modules/faults.ts'],
      'src/modules/in-page.ts',
      'src/modules/attack/templates/facts.ts',
    ],
  },
  modules: {
    ...{ contract: 'all', knowledge: 'all', page: 'all', protocols: 'all', safety: 'all', templates: 'all' },
    descriptions: 'all',
    // How long an answer asks to be waited for.
    egress: [...FACE, 'src/egress/pace/retry-after.ts'],
  },
  engine: {
    ...{ contract: 'all', modules: 'all', egress: 'all', safety: 'all', temporary: 'all' },
    knowledge: ['src/knowledge/ratings/ratings.ts'],
    page: ['src/page/percent.ts'],
    'sign-in': 'all',
  },
  worker: {
    ...{ contract: 'all', store: 'all', engine: 'all', egress: 'all', report: 'all', artifacts: 'all' },
    signature: 'all',
    page: ['src/page/html.ts', 'src/page/names.ts'],
  },
  // As a worker, without a database: what it asks of the store are the types of the seam.
  agent: {
    ...{ contract: 'all', worker: 'all', temporary: 'all' },
    engine: ['src/engine/faults.ts'],
    egress: ['src/egress/oob/out-of-band.ts'],
  },
  notify: { contract: 'all', store: 'all', egress: ['src/egress/door/egress.ts'] },
  // Descriptions are read where they are brought; reading one sends nothing.
  api: {
    ...{ contract: 'all', store: 'all', artifacts: 'all', descriptions: 'all', mcp: 'all' },
    // What people read, in their language.
    knowledge: ['src/knowledge/texts/localise.ts', 'src/knowledge/texts/texts.ts'],
    // The same holds for a recorded sign-in.
    'sign-in': ['src/sign-in/recording.ts'],
  },
  main: {
    descriptions: 'all',
    contract: 'all',
    temporary: 'all',
    store: 'all',
    egress: 'all',
    knowledge: 'all',
    feeds: 'all',
    artifacts: 'all',
    backup: 'all',
    report: 'all',
    signature: 'all',
    cli: 'all',
    page: 'all',
    safety: 'all',
    'sign-in': 'all',
    templates: 'all',
    modules: 'all',
    engine: 'all',
    worker: 'all',
    agent: 'all',
    notify: 'all',
    api: 'all',
  },
}

/** Modules of Node and packages that open or answer connections. */
const NETWORK = ['net', 'tls', 'dns', 'dns/promises', 'http', 'https', 'http2', 'dgram'].flatMap((name) => [
  name,
  `node:${name}`,
])
const NETWORK_PACKAGES = [
  ...NETWORK,
  'undici',
  'dns-packet',
  'pg',
  '@aws-sdk/client-s3',
  'fastify',
  'playwright-core',
  'nodemailer',
  '@opentelemetry/exporter-trace-otlp-http',
]

/** Who may, outside of egress, and why that is never towards a target. */
const NETWORK_EXCEPTIONS: Readonly<Record<string, { readonly of: readonly string[]; readonly why: string }>> = {
  'engine/browser/launch.ts': {
    of: ['playwright-core'],
    why: 'the browser is spoken to by a pipe, and goes out by egress alone',
  },
  'artifacts/s3.ts': { of: ['@aws-sdk/client-s3'], why: 'the bucket of the operator' },
  'store/postgres.ts': { of: ['pg'], why: 'the database of the operator' },
  'contract/client-core.ts': { of: ['fetch'], why: 'the client of our own interface' },
  'contract/package.ts': { of: ['fetch'], why: 'a client of our own interface, in a program of others' },
  'cli/client.ts': { of: ['node:http', 'node:https'], why: 'signed addresses that our own interface gave' },
  'knowledge/roots/roots.ts': { of: ['node:tls'], why: 'the list of root certificates that Node brings along' },
  'modules/network/nameservers/transfer.ts': { of: ['dns-packet'], why: 'reads messages; the connection is of egress' },
  'feeds/ask.ts': {
    of: ['node:http', 'node:https'],
    why: 'the publishers of the feeds, or the mirror of the operator',
  },
  'modules/attack/injection/payloads.ts': { of: ['fetch'], why: 'the text of a payload, which the target runs' },
  'main/testbed.ts': { of: ['node:net'], why: 'looks for a free loopback address for the demo shop' },
  'main/tracing.ts': { of: ['@opentelemetry/exporter-trace-otlp-http'], why: 'the collector of the operator' },
  'main/mail.ts': { of: ['nodemailer'], why: 'the mail server of the operator' },
  'main/control-socket.ts': { of: ['node:http'], why: 'a Unix socket' },
}
/** The interface is served by these; Fastify listens and does not call. */
const SERVING = /^(?:api|main)\//

/** Null when the import is allowed, else why not. */
const verdict = ({ from, to }: Import): string | null => {
  const own = folderOf(from)
  const rules = MAY_IMPORT[own]
  if (rules === undefined) return `${from}: the folder src/${own} is not in the table`
  if (!to.includes('/') || !/\.(?:ts|tsx|js|json)$/.test(to) || !to.startsWith('src/')) {
    return /^(?:testbed|tests|bench|web)\//.test(to) ? `${from} imports ${to}: the product needs no tests` : null
  }
  const other = folderOf(to)
  const rule = own === other ? 'all' : rules[other]
  if (rule === undefined) return `${from} imports ${to}: ${own} may not import ${other}`
  return rule === 'all' || rule.includes(to) ? null : `${from} imports ${to}: only ${rule.join(', ')}`
}

const folderOf = (file: string): string => file.split(sep)[1] ?? ''

const networkUse = (file: string, text: string): readonly string[] => {
  const packages = importsOf(file, text)
    .filter((each) => !each.typeOnly && NETWORK_PACKAGES.includes(each.to))
    .map((each) => each.to)
  const body = withoutComments(text)
  // A function of one's own that happens to be called so is none of our business.
  const own = /\b(?:const|function)\s+fetch\b/.test(body)
  const calls =
    /\bnew (?:WebSocket|EventSource)\(|\bglobalThis\.fetch\b/.test(body) ||
    (!own && /(?<![.\w'])fetch\(|[?:=]\s*fetch\b/.test(body))
  return calls ? [...packages, 'fetch'] : packages
}

/** Of the modules of Node that open sockets, what only reads or describes. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['isIP', 'isIPv4', 'isIPv6', 'BlockList', 'createSecureContext', 'checkServerIdentity'],
  ...['validateHeaderName', 'validateHeaderValue', 'STATUS_CODES'],
])
const NAMED = /(?:^|\n)\s*import\s+(?!type\s)([^'"`;]*?)\s+from\s+'([^']+)'/g

/** What a file of egress takes in order to open or to listen: by import, or from inside of the runtime. */
const openers = (text: string): readonly string[] => {
  const body = withoutComments(text)
  const taken = [...body.matchAll(NAMED)]
    .filter(([, , from = '']) => NETWORK.includes(from))
    .flatMap(([, names = '']) => names.replace(/[{}]/g, '').split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type ') && !HARMLESS.has(name.split(' ')[0] ?? ''))
  const dynamic = [...body.matchAll(DYNAMIC)].map(([, from = '']) => from).filter((from) => NETWORK.includes(from))
  return [...taken, ...dynamic, ...(/\bbinding\b.*'tcp_wrap'/.test(body) ? ['tcp_wrap'] : [])]
}

const sources = filesIn('src').filter((file) => !isTest(file))
const inSrc = (file: string): string => relative('src', file)

describe('the architecture', () => {
  test('there is something to look at', () => {
    expect(sources.length).toBeGreaterThan(50)
  })

  test('every import is in the table', () => {
    const all = sources.flatMap((file) => importsOf(file, code(file)))
    expect(all.length).toBeGreaterThan(sources.length)
    expect(all.map(verdict).filter((problem) => problem !== null)).toEqual([])
  })

  test('no files need each other to start', () => {
    const all = sources.flatMap((file) => importsOf(file, code(file)))
    expect(circles(all.filter(({ typeOnly }) => !typeOnly))).toBe(0)
  })

  test('only egress opens connections', () => {
    const found = sources
      .filter((file) => folderOf(file) !== 'egress')
      .flatMap((file) => {
        const allowed = NETWORK_EXCEPTIONS[inSrc(file)]?.of ?? []
        const serving = SERVING.test(inSrc(file)) ? ['fastify'] : []
        return networkUse(file, code(file))
          .filter((use) => !allowed.includes(use) && !serving.includes(use))
          .map((use) => `${file} uses ${use}`)
      })
    expect(found).toEqual([])
  })

  test('within egress only src/egress/sockets opens them, where every way to fail has an owner', () => {
    const inEgress = sources.filter((file) => folderOf(file) === 'egress')
    const found = inEgress.flatMap((file) => openers(code(file)).map((name) => `${file} uses ${name}`))
    expect(found.filter((use) => !use.startsWith('src/egress/sockets/'))).toEqual([])
    expect(found.length).toBeGreaterThan(5)
  })

  test('every exception is still one', () => {
    for (const [file, { of }] of Object.entries(NETWORK_EXCEPTIONS)) {
      expect(networkUse(`src/${file}`, code(`src/${file}`)), file).toEqual(expect.arrayContaining([...of]))
    }
  })

  test('temporary files are made in one place', () => {
    const found = sources
      .filter((file) => folderOf(file) !== 'temporary')
      .filter((file) => /\b(?:mkdtemp(?:Sync|Disposable)?|tmpdir)\(/.test(withoutComments(code(file))))
      .map(inSrc)
    // Beside its sources, so that it is renamed into place on the same disk.
    expect(found).toEqual(['main/builds.ts'])
    expect(code('src/temporary/temporary.ts')).toMatch(/mkdtemp\(/)
  })

  test('the web application brings no schemas into the browser: zod makes code of text, which its policy forbids', () => {
    const seen = new Map<string, string>()
    const visit = (file: string, by: string): void => {
      if (seen.has(file)) return
      seen.set(file, by)
      for (const { to, typeOnly } of importsOf(file, code(file)))
        if (!typeOnly && (to === 'zod' || /^(?:src|web)\/.*\.tsx?$/.test(to)))
          to === 'zod' ? seen.set(to, file) : visit(to, file)
    }
    for (const file of filesIn('web/src').filter((one) => !isTest(one))) visit(file, 'the application')
    expect([...seen.keys()].some((file) => file.startsWith('src/contract/'))).toBe(true)
    expect(seen.get('zod')).toBeUndefined()
  })

  test('no file is longer than it may be', () => {
    const folders = ['src', 'tests', 'testbed', 'bench', 'web'].filter((folder) =>
      readdirSync(HOME, { withFileTypes: true }).some((entry) => entry.isDirectory() && entry.name === folder),
    )
    const long = folders
      .flatMap(filesIn)
      .map((file) => ({ file, lines: code(file).split('\n').length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES)
      .map(({ file, lines }) => `${file} has ${lines} lines`)
    expect(long).toEqual([])
  })
})

describe('the reader of imports', () => {
  const TEXT = `import { a } from '../store/runs.ts'
import type { B } from '../egress/egress.ts'
import {
  c,
} from 'undici'
import './side.ts'
export * from '../api/app.ts'
// import { no } from '../none.ts'
const d = await import('../worker/loop.ts')
new Worker(new URL('./thread.ts', import.meta.url))
`

  test('sees every way to import', () => {
    expect(importsOf('src/modules/x.ts', TEXT).map((each) => `${each.typeOnly ? 'type ' : ''}${each.to}`)).toEqual([
      'src/store/runs.ts',
      'type src/egress/egress.ts',
      'undici',
      'src/modules/side.ts',
      'src/api/app.ts',
      'src/worker/loop.ts',
      'src/modules/thread.ts',
    ])
  })

  test.each([
    ['a module reads the store', 'src/modules/a/b.ts', 'src/store/runs.ts', /may not import store/],
    [
      'a module opens connections',
      'src/modules/a/b.ts',
      'src/egress/door/create-egress.ts',
      /only src\/egress\/door\/egress.ts/,
    ],
    ['the interface scans', 'src/api/app.ts', 'src/engine/plan.ts', /may not import engine/],
    ['somebody needs main', 'src/cli/x.ts', 'src/main/config.ts', /may not import main/],
    ['the contract needs something', 'src/contract/run.ts', 'src/store/runs.ts', /may not import store/],
    ['the product needs its testbed', 'src/main/demo.ts', 'testbed/main.ts', /needs no tests/],
    ['a new folder', 'src/new/x.ts', 'src/contract/run.ts', /not in the table/],
  ])('%s: refused', (_trick, from, to, message) => {
    expect(verdict({ from, to, typeOnly: false })).toMatch(message)
  })

  test.each([
    ['own folder', 'src/store/a.ts', 'src/store/b.ts'],
    ['contract', 'src/cli/a.ts', 'src/contract/run.ts'],
    ['a package', 'src/store/a.ts', 'zod'],
  ])('%s: allowed', (_trick, from, to) => {
    expect(verdict({ from, to, typeOnly: false })).toBeNull()
  })

  test.each([
    ['a socket', `import { createSocket } from 'node:dgram'`, ['createSocket']],
    ['beside what is harmless', `import { connect, isIP, type Socket } from 'node:net'`, ['connect']],
    ['under another name', `import { connect as isIP } from 'node:net'`, ['connect as isIP']],
    ['a whole module', `import tls from 'node:tls'`, ['tls']],
    ['by star', `import * as net from 'net'`, ['* as net']],
    ['over several lines', `import {\n  isIP,\n  Socket,\n} from 'node:net'`, ['Socket']],
    ['at run time', `const { connect } = await import('node:net')`, ['node:net']],
    ['a type alone', `import type { Socket } from 'node:net'`, []],
    ['what is harmless', `import { isIP } from 'node:net'`, []],
  ])('openers of sockets: %s', (_trick, text, expected) => {
    expect(openers(text)).toEqual(expected)
  })

  test.each([
    ['a call', 'await fetch(url)', ['fetch']],
    ['handing it over', 'const send = options.fetch ?? fetch', ['fetch']],
    ['a package', `import { request } from 'undici'`, ['undici']],
    ['a type of a package', `import type { Socket } from 'node:net'`, []],
    ['a method called fetch', 'client.fetch(url)', []],
    ['a comment', '// fetch(url)', []],
    ['a function of the same name', 'const fetch = (url) => egress.http({ url })\nfetch(url)', []],
    ['the global under the same name', 'const fetch = globalThis.fetch', ['fetch']],
  ])('network use: %s', (_trick, text, expected) => {
    expect(networkUse('src/x/y.ts', text)).toEqual(expected)
  })
})
