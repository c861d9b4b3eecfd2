/**
 * Who stands in front, on sites where the truth is known: nothing, ModSecurity with the Core Rule Set, nginx that limits
 * requests, something that delivers for others, and applications that only look filtered. Beside Debian's wafw00f.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { judgeModule } from '../src/engine/judge.ts'
import { collectWaf } from '../src/modules/attack/waf/collect.ts'
import { waf } from '../src/modules/attack/waf/module.ts'
import { collect as collectSite } from '../src/modules/passive/site/collect.ts'
import { caseAddress, collectContext, serveCase } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { startModSecurity } from '../testbed/web/modsecurity.ts'
import { publish, row } from './table.ts'

const WAFW00F = '/usr/bin/wafw00f'
const NGINX = '/usr/sbin/nginx'
const PAGE = `<!doctype html><html lang="en"><title>Shop</title><main>${'Tents, packs and small comforts for people who come home later than planned. '.repeat(6)}</main></html>`

type Truth = 'filter' | 'none'

interface Site {
  readonly name: string
  readonly truth: Truth
  /** A delivery network is not a filter, but we have to name it. */
  readonly edge?: boolean
  readonly address: string
}

const closing: (() => Promise<void>)[] = []

const serve = async (last: number, http: RequestListener): Promise<string> => {
  const { address, close } = await serveCase(last, { http })
  closing.push(close)
  return address
}

const page: RequestListener = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE)
}
const withHeaders =
  (headers: Readonly<Record<string, string>>): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end(PAGE)
  }

/** Five requests a second with a burst of five, the rest is 503: a limit, and no filter. */
const startNginx = async (address: string, behind: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-nginx-'))
  await chmod(folder, 0o755)
  const file = join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  await writeFile(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  access_log off; ${paths.join(' ')}
  limit_req_zone $binary_remote_addr zone=one:1m rate=5r/s;
  server { listen ${address}:80; location / { limit_req zone=one burst=5 nodelay; proxy_pass http://${behind}; } }
}`,
  )
  const server = spawn(NGINX, ['-c', file], { stdio: 'ignore' })
  const ended = once(server, 'exit')
  closing.push(async () => {
    server.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const deadline = Date.now() + 10_000
  while (server.exitCode === null && Date.now() < deadline) {
    try {
      await fetch(`http://${address}/`)
      return
    } catch {
      await delay(50) // Not listening yet.
    }
  }
  throw new Error('nginx did not start')
}

const startSites = async (): Promise<readonly Site[]> => {
  const bare = await serve(50, page)
  const guarded = await startModSecurity(caseAddress(51), bare)
  closing.push(guarded.close)
  await startNginx(caseAddress(52), bare)
  const words = () => Array.from({ length: 60 }, () => Math.random().toString(36).slice(2)).join(' ')
  return [
    { name: 'bare', truth: 'none', address: bare },
    { name: 'Core Rule Set', truth: 'filter', address: guarded.address },
    { name: 'nginx with a limit', truth: 'none', address: caseAddress(52) },
    {
      name: 'delivered by a network',
      truth: 'none',
      edge: true,
      address: await serve(53, withHeaders({ Via: '1.1 varnish', 'X-Served-By': 'cache-fra-1', 'X-Cache': 'HIT' })),
    },
    {
      name: 'delivered, other headers',
      truth: 'none',
      edge: true,
      address: await serve(54, withHeaders({ Server: 'cloudflare', 'CF-RAY': '8f00ba4c0ffee000-FRA' })),
    },
    {
      name: 'refuses clients without a name',
      truth: 'none',
      address: await serve(55, (request, response) =>
        request.headers['user-agent'] ? page(request, response) : response.writeHead(403).end('No'),
      ),
    },
    {
      name: 'fails at quotes',
      truth: 'none',
      address: await serve(56, (request, response) =>
        /%27|%3C|'/.test(request.url ?? '') ? response.writeHead(500).end('Error') : page(request, response),
      ),
    },
    {
      name: 'another page for everybody',
      truth: 'none',
      address: await serve(57, (_request, response) => response.end(`<!doctype html><p>${words()}</p>`)),
    },
    {
      name: 'a filter without a name',
      truth: 'filter',
      address: await serve(58, (request, response) =>
        /script|union|etc\/passwd|entity/i.test(decodeURIComponent(request.url ?? ''))
          ? response.writeHead(200).end('<title>Stop</title>Your request was stopped.')
          : page(request, response),
      ),
    },
  ]
}

const ours = async ({ address }: Site): Promise<{ truth: Truth; edge: boolean; words: string }> => {
  const { ctx, close } = collectContext(address, { module: 'waf' })
  try {
    const facts = await collectWaf(ctx, await collectSite(ctx))
    const { findings } = judgeModule(waf as never, facts, {}, caseContext())
    const ids = findings.map(({ check_id }) => check_id)
    const products = facts.products.map(({ name }) => name).join(', ')
    return {
      truth: ids.includes('waf/present') ? 'filter' : 'none',
      edge: ids.includes('waf/edge'),
      words: `${ids.join(' ')}${products ? ` (${products})` : ''}`,
    }
  } finally {
    await close()
  }
}

const Answers = z.array(z.object({ detected: z.boolean(), firewall: z.string() }))

/** Its own word: detected, or not. */
const theirs = async ({ address }: Site): Promise<{ truth: Truth; words: string } | null> => {
  if (!existsSync(WAFW00F)) return null
  const folder = await mkdtemp(join(tmpdir(), 'sonde-wafw00f-'))
  try {
    const file = join(folder, 'out.json')
    await promisify(execFile)(WAFW00F, [`http://${address}/`, '-f', 'json', '-o', file], {
      timeout: 60_000,
      env: { ...process.env, HOME: folder },
    })
    const [answer] = Answers.parse(JSON.parse(await readFile(file, 'utf8')))
    return { truth: answer?.detected ? 'filter' : 'none', words: answer?.detected ? answer.firewall : 'none' }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

try {
  const sites = await startSites()
  const rows = []
  for (const site of sites) {
    const own = await ours(site)
    await delay(1_500) // nginx forgets what it counted.
    const other = await theirs(site)
    const right = own.truth === site.truth && own.edge === (site.edge ?? false)
    rows.push({ site, right, other: other && other.truth === site.truth })
    process.stdout.write(`${site.name.padEnd(32)} ${right ? 'right' : 'WRONG'}  ${own.words}\n`)
    process.stdout.write(
      `${''.padEnd(32)} wafw00f ${other ? (other.truth === site.truth ? 'right' : 'wrong') : 'not installed'}  ${other?.words ?? ''}\n`,
    )
  }
  const value = rows.some(({ other }) => other === null) ? null : rows.filter(({ other }) => other).length
  publish('waf', [
    row({
      id: 'right',
      what: `sites judged rightly, of ${rows.length}`,
      unit: 'sites',
      ours: rows.filter(({ right }) => right).length,
      peer: { name: 'wafw00f', value, ...(value === null ? { hint: 'apt-get install wafw00f' } : {}) },
      target: { text: 'all', met: (count) => count === rows.length },
    }),
  ])
} finally {
  for (const close of closing.toReversed()) await close()
}
