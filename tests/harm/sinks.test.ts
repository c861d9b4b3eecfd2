/**
 * Everything that goes on the wire while places are probed, whichever code has built it: no statement that changes data, no
 * function for files, programs or the network, no condition that matches every row of a request that writes.
 *
 * And every payload of every module, handed as root to an application that writes, appends to, empties, renames and deletes the
 * file of that name: outside of its own folder no file is altered. The application has the machine's
 * files, but writes to a layer of its own (overlayfs in namespaces of its own), in which every alteration would lie.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { HttpRequest } from '../../src/egress/door/egress.ts'
import type { AnyModule } from '../../src/modules/any-module.ts'
import { injection } from '../../src/modules/attack/injection/module.ts'
import { FILES, FOLDERS, NO_FILE, NO_FOLDER, PATHS, SIZED } from '../../src/modules/attack/injection/paths.ts'
import { sqli } from '../../src/modules/attack/sqli/module.ts'
import { collectWaf } from '../../src/modules/attack/waf/collect.ts'
import { xss } from '../../src/modules/attack/xss/module.ts'
import { REDIRECTS } from '../../src/modules/attack/xss/payloads.ts'
import type { CollectContext } from '../../src/modules/module.ts'
import { collect as collectSite } from '../../src/modules/passive/site/collect.ts'
import { type CaseServers, collectContext, serveCase } from '../../src/modules/testing/collecting.ts'
import { formDecoded } from '../../src/page/percent.ts'
import { harmOf } from '../../src/safety/harmless.ts'
import { WEB_CASES } from '../../testbed/web/cases.ts'
import { inventoryOf } from '../../testbed/web/inventory.ts'
import { serveCases } from '../../testbed/web/server.ts'
import { fillShop, startSqlite } from '../../testbed/web/sql.ts'

const OOB = 'http://127.0.179.8:9/abcdefghijklmnopqrstuvwxyz/'
/** Beside the rules that the prober itself asks: words that no probe has any use for. */
const NEVER =
  /\b(?:insert\s+into|update\s+\w+\s+set|delete\s+from|drop\s+\w+|alter\s+\w+|create\s+\w+|truncate|grant|revoke|outfile|dumpfile|load_file|xp_cmdshell|benchmark\s*\(|randomblob|pg_read_file|dblink|utl_http|information_schema|mkfs|rm\s+-|shutdown)/i
const SINK = fileURLToPath(new URL('sink.js', import.meta.url))
const CATALOGUE = fileURLToPath(new URL('../../catalogue', import.meta.url))
/** Of every kind of page and place one: what is sent depends on how pages answer. */
const cases = WEB_CASES.filter(({ id, timed }) => !timed && !/^(?:mariadb|postgres)-|-at-|-shown$/.test(id)).filter(
  ({ module, place }, index) => module !== 'xss' || place !== 'query' || index % 3 === 0,
)

let server: CaseServers
let folder: string
const values = new Set<string>()
const sent: { readonly module: string; readonly request: HttpRequest }[] = []
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sonde-sinks-'))
  const sqlite = await fillShop(await startSqlite())
  closing.push(sqlite.close)
  const pages = serveCases(cases, { folder, databases: { sqlite } })
  server = await serveCase(178, {
    http: (request, response) =>
      request.url === '/' || /^\/\?/.test(request.url ?? '')
        ? void response.end('<title>Shop</title>')
        : pages(request, response),
  })
  closing.push(server.close)
  await Promise.all([sqli, injection, xss].map((module) => recordModule(module as AnyModule)))
  await record('waf', async (ctx) => collectWaf(ctx, await collectSite(ctx)))
  for (const value of await templateTexts()) values.add(value)
  // Where no page has led to them.
  for (const { with: way } of PATHS)
    for (const path of [...[...FILES, ...FOLDERS, SIZED].map((one) => one.path), NO_FILE, NO_FOLDER, SIZED.none])
      values.add(way('terms.txt', path))
  for (const way of REDIRECTS) {
    const value = way('qzv.example', 'shop.test', 'https://known.test/')
    if (value !== null) values.add(value)
  }
}, 300_000)

afterAll(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  await rm(folder, { recursive: true, force: true })
})

const recordModule = (module: AnyModule): Promise<void> =>
  record(module.id, (ctx) =>
    module.collect(ctx, {
      crawl: inventoryOf(cases, 'http://shop.test', 'careless'),
      waf: { blockPage: null },
    } as never),
  )

const record = async (id: string, collect: (ctx: CollectContext) => Promise<unknown>): Promise<void> => {
  const { ctx, close } = collectContext(server.address, {
    ...{ module: id, requests: 100_000 },
    outOfBand: { issue: () => ({ token: 'abcdefghijklmnopqrstuvwxyz', host: null, url: OOB }), hits: async () => [] },
  })
  const egress: CollectContext['egress'] = {
    ...ctx.egress,
    http: (request) => {
      sent.push({ module: id, request })
      for (const value of valuesOf(request)) values.add(value)
      return ctx.egress.http(request)
    },
  }
  try {
    await collect({ ...ctx, egress })
  } finally {
    await close()
  }
}

/** Everything of a request that a program could take for a name. */
const valuesOf = ({ url, headers = [], body }: HttpRequest): readonly string[] => {
  const { pathname, searchParams } = new URL(url)
  const text = body === undefined ? '' : String(body)
  return [
    ...pathname.split('/').map(formDecoded),
    ...[...searchParams].flat(),
    ...headers.map(([, value]) => formDecoded(value)),
    ...headers.flatMap(([name, value]) =>
      /^cookie$/i.test(name) ? value.split(/; ?/).map((pair) => formDecoded(pair.slice(pair.indexOf('=') + 1))) : [],
    ),
    ...[...new URLSearchParams(text)].flat(),
    ...[...text.matchAll(/\r\n\r\n([\s\S]*?)\r\n--/g)].map((part) => part[1] ?? ''),
    ...[...text.matchAll(/SYSTEM "([^"]*)"|>([^<]+)</g)].map((part) => part[1] ?? part[2] ?? ''),
    ...leaves(text),
  ].filter((value) => value !== '' && value.length < 4_000 && !value.includes('\0'))
}

const leaves = (text: string): readonly string[] => {
  if (!/^\s*[{[]/.test(text)) return []
  try {
    return texts(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return [] // Broken on purpose: its parts were read as a form's.
    throw error
  }
}

const texts = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(texts)
      : []

/** All texts of our own templates, payloads among them. */
const templateTexts = async (): Promise<readonly string[]> => {
  const files = (await readdir(CATALOGUE, { recursive: true })).filter((name) => name.endsWith('.yaml'))
  expect(files.length).toBeGreaterThan(5)
  const all = await Promise.all(files.map(async (name) => texts(parse(await readFile(join(CATALOGUE, name), 'utf8')))))
  return all.flat()
}

interface Outcome {
  readonly counts: { readonly values: number; readonly tried: number; readonly worked: number }
  /** Files of the machine that were altered or deleted in the layer that was written to. */
  readonly altered: readonly string[]
  /** What lies in that layer and was not there before. */
  readonly made: readonly string[]
}

/** A root folder of its own over the machine's; the kernel's files are the real ones. */
const SCRIPT = `set -e
layer=$1 node=$2 sink=$3
mount -t tmpfs -o size=256m none "$layer"
mkdir "$layer/up" "$layer/work" "$layer/root"
mount -t overlay -o "lowerdir=/,upperdir=$layer/up,workdir=$layer/work" none "$layer/root"
mount -t proc proc "$layer/root/proc"
mkdir -p "$layer/root/srv/app/data" "$layer/root/srv/bin"
cp "$node" "$layer/root/srv/bin/node"; cp "$sink" "$layer/root/srv/bin/sink.mjs"
chroot "$layer/root" /srv/bin/node --disable-warning=ExperimentalWarning /srv/bin/sink.mjs /srv/app/data
cd "$layer/up"
find . -path ./srv/app -prune -o -path ./srv/bin -prune -o ! -type d -print0 -o -type d -empty -print0
`

const runSinks = async (given: Iterable<string>): Promise<Outcome> => {
  const layer = await mkdtemp(join(tmpdir(), 'sonde-layer-'))
  try {
    // Root here, or root in a namespace of users.
    const namespaces = process.getuid?.() === 0 ? ['-mpf'] : ['-Urmpf']
    const child = spawn('unshare', [...namespaces, 'bash', '-c', SCRIPT, 'bash', layer, process.execPath, SINK], {
      // What Node keeps for itself is no work of a sink.
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
    })
    let [out, error] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      error += chunk.toString()
    })
    child.stdin.end(`${[...given].map((value) => JSON.stringify(value)).join('\n')}\n`)
    const [code] = (await once(child, 'close')) as [number]
    if (code !== 0) throw new Error(`the sandbox of sinks ended with ${code}: ${error}`)
    const end = out.indexOf('\n')
    const touched = out
      .slice(end + 1)
      .split('\0')
      .filter(Boolean)
      .map((path) => path.slice(1))
    const altered = touched.filter((path) => existsSync(path))
    return {
      counts: JSON.parse(out.slice(0, end)) as Outcome['counts'],
      altered,
      made: touched.filter((path) => !altered.includes(path)),
    }
  } finally {
    await rm(layer, { recursive: true, force: true })
  }
}

describe('a place that does with a file whatever it is told', () => {
  it('as root: every file outside of the application is as it was', async () => {
    expect(values.size).toBeGreaterThan(1_000)
    const kernel = await kernelFiles()
    const { counts, altered, made } = await runSinks(values)
    process.stdout.write(
      `sinks: ${counts.values} values, ${counts.tried} attempts, ${counts.worked} in the application's own folder\n`,
    )
    expect(altered).toEqual([])
    // A page's own value that begins at the root, with a probe behind it, and hosts that exist nowhere: new names there, at most.
    expect(made.filter((path) => !/^\/(?:account|qx\w+\.example|\\?[\w.]+\.example)/.test(path))).toEqual([])
    expect(counts.values).toBe(values.size)
    expect(counts.worked).toBeGreaterThan(1_000)
    expect(await kernelFiles()).toEqual(kernel)
  }, 300_000)

  it('and the sandbox would have told', async () => {
    const { altered, made } = await runSinks([
      '../../../etc/os-release',
      '/etc/made-by-sinks',
      '/etc/hostname',
      'terms.txt',
    ])
    expect(altered).toContain('/etc/hostname')
    expect(made).toContain('/etc/made-by-sinks')
    expect(altered.some((path) => path.endsWith('os-release'))).toBe(true)
    // The layer alone was written to.
    expect((await stat('/etc/os-release')).size).toBeGreaterThan(50)
    expect(await readdir('/etc')).not.toContain('made-by-sinks')
  }, 60_000)
})

const kernelFiles = async () =>
  Promise.all(
    [...FILES, SIZED].map(async ({ path }) => {
      const { mode, uid, gid } = await stat(path)
      return [path, await readFile(path, 'utf8'), mode, uid, gid, (await stat(dirname(path))).mode]
    }),
  )

/** The values of a request, without the address of the page. */
const givenOf = ({ url, headers = [], body }: HttpRequest): readonly string[] => {
  const { pathname, searchParams } = new URL(url)
  return [
    ...pathname.split('/').slice(3).map(formDecoded),
    ...[...searchParams].flat(),
    ...headers
      .filter(([name]) => /^(?:referer|cookie|user-agent|x-)/i.test(name))
      .map(([, value]) => formDecoded(value)),
    // The word by which XML names a file is a program's in other languages.
    ...(body === undefined ? [] : [formDecoded(String(body)).replace(/(<!ENTITY (?:% )?\w+ )SYSTEM/g, '$1')]),
  ]
}

const writes = ({ url }: HttpRequest): boolean =>
  cases.find(({ id }) => new URL(url).pathname.split('/')[2] === id)?.effect === 'writes'

describe('what is sent', () => {
  it('was sent by every module, in great variety', () => {
    for (const id of ['sqli', 'injection', 'xss']) {
      const own = sent.filter(({ module }) => module === id).flatMap(({ request }) => givenOf(request))
      expect(new Set(own).size).toBeGreaterThan(100)
    }
  })

  it.each(['sqli', 'injection', 'xss'])('%s: harms nothing', (id) => {
    const language = id === 'xss' ? 'markup' : 'sql'
    const harmful = sent
      .filter(({ module }) => module === id)
      .flatMap(({ request }) =>
        givenOf(request).map((value) => ({
          value,
          harm:
            harmOf(value, { effect: writes(request) ? 'writes' : 'reads', language, home: OOB }) ??
            (NEVER.test(value) ? 'never' : null),
        })),
      )
      .filter(({ harm }) => harm !== null)
    expect(harmful).toEqual([])
  })

  it('asks for no file but some of the kernel, in folders in which nothing is made, and for some that are not there', () => {
    const files = sent
      .filter(({ module }) => module !== 'waf')
      .flatMap(({ request }) =>
        givenOf(request).flatMap(
          (value) => formDecoded(value).match(/(?:\/etc|\/proc|\/var|\/root|\/home)\/[\w./-]+/g) ?? [],
        ),
      )
    const read = ['/proc/version', '/proc/filesystems', '/proc/sys/kernel', '/proc/sys/kernel/qz', '/proc/versioq']
    // Of its own process, which may be opened to write: each with a name beside it that is none.
    const own = ['self/coredump_filter', 'self/timerslack_ns', 'self/clear_refs']
    const taking = ['self/sched', 'thread-self/sched', 'self/./sched']
    const opened = [...own, ...taking].flatMap((name) => [`/proc/${name}`, `/proc/${name.slice(0, -1)}q`])
    expect([...new Set(files)].filter((file) => !opened.includes(file)).toSorted()).toEqual(read.toSorted())
  })
})
