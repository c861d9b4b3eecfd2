/**
 * The inventory beside Debian's whatweb, on real servers and applications from Debian's packages and npm.
 * Counted is what whatweb names as a product: whether we name it too, and with its version where whatweb has one.
 * Needs: whatweb nginx-light apache2-bin lighttpd php-cli adminer mini-httpd ruby-webrick
 * python3-cherrypy3, and what technology/applications.ts names.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Detected } from '../src/knowledge/fingerprints/match.ts'
import { collectDisclosure } from '../src/modules/passive/disclosure/collect.ts'
import { collect as collectSite } from '../src/modules/passive/site/collect.ts'
import { collectTechnology } from '../src/modules/passive/technology/collect.ts'
import { caseAddress, collectContext } from '../src/modules/testing/collecting.ts'
import { knownCves } from '../testbed/cve/table.ts'
import { judgeAllServices, judgeSites, versionsOf } from '../tests/cve-truth/run.ts'
import { percentile, publish, row } from './table.ts'
import { applications } from './technology/applications.ts'
import type { Subject } from './technology/subject.ts'

const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url))
const ADDRESS = `127.88.${process.pid % 250}.2`
const folder = mkdtempSync(join(tmpdir(), 'sonde-bench-technology-'))
const www = join(folder, 'www')

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const nginx = (port: number): string =>
  file(
    'nginx.conf',
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; events {} http { access_log off; client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c; uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e; types { text/html html; text/javascript js; } server { listen ${ADDRESS}:${port}; root ${www}; } }`,
  )
const apache = (port: number): string =>
  file(
    'apache.conf',
    ['mpm_event', 'authz_core', 'dir', 'mime']
      .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`)
      .join('') +
      `Listen ${ADDRESS}:${port}\nPidFile ${folder}/apache.pid\nErrorLog ${folder}/apache.log\nServerName shop.test\nDocumentRoot ${www}\nDirectoryIndex index.html\nTypesConfig /etc/mime.types\n`,
  )
const lighttpd = (port: number): string =>
  file(
    'lighttpd.conf',
    `server.document-root = "${www}"\nserver.bind = "${ADDRESS}"\nserver.port = ${port}\nindex-file.names = ("index.html")\nmimetype.assign = (".html" => "text/html", ".js" => "text/javascript")\n`,
  )
const node = (port: number, headers: Readonly<Record<string, string>>, body: string): readonly string[] => [
  process.execPath,
  '-e',
  `require('http').createServer((q,r)=>{r.writeHead(200,${JSON.stringify({ 'Content-Type': 'text/html', ...headers })});r.end(${JSON.stringify(body)})}).listen(${port},'${ADDRESS}')`,
]

const subjects: readonly Subject[] = [
  { name: 'nginx', port: 8101, needs: '/usr/sbin/nginx', command: ['/usr/sbin/nginx', '-c', nginx(8101)] },
  {
    name: 'Apache',
    port: 8102,
    needs: '/usr/sbin/apache2',
    command: ['/usr/sbin/apache2', '-DFOREGROUND', '-f', apache(8102)],
  },
  {
    name: 'lighttpd',
    port: 8103,
    needs: '/usr/sbin/lighttpd',
    command: ['/usr/sbin/lighttpd', '-D', '-f', lighttpd(8103)],
  },
  {
    name: 'PHP',
    port: 8104,
    needs: '/usr/bin/php',
    command: [
      '/usr/bin/php',
      '-S',
      `${ADDRESS}:8104`,
      file('hello.php', '<?php session_start(); echo "<html><title>Hi</title></html>";'),
    ],
  },
  {
    name: 'Adminer',
    port: 8105,
    needs: '/usr/share/adminer/adminer.php',
    command: ['/usr/bin/php', '-S', `${ADDRESS}:8105`, '/usr/share/adminer/adminer.php'],
  },
  {
    name: 'Python http.server',
    port: 8106,
    needs: '/usr/bin/python3',
    command: ['/usr/bin/python3', '-m', 'http.server', '8106', '--bind', ADDRESS, '--directory', www],
  },
  {
    name: 'CherryPy',
    port: 8107,
    needs: '/usr/lib/python3/dist-packages/cherrypy',
    command: [
      '/usr/bin/python3',
      '-c',
      `import cherrypy\nclass A:\n  @cherrypy.expose\n  def index(self): return "<html><title>Hi</title></html>"\ncherrypy.config.update({"server.socket_host":"${ADDRESS}","server.socket_port":8107,"tools.sessions.on":True})\ncherrypy.quickstart(A())`,
    ],
  },
  {
    name: 'WEBrick',
    port: 8108,
    needs: '/usr/bin/ruby',
    command: [
      '/usr/bin/ruby',
      '-rwebrick',
      '-e',
      `WEBrick::HTTPServer.new(Port: 8108, BindAddress: "${ADDRESS}", DocumentRoot: "${www}").start`,
    ],
  },
  {
    name: 'WSGI of Python',
    port: 8109,
    needs: '/usr/bin/python3',
    command: [
      '/usr/bin/python3',
      '-c',
      `from wsgiref.simple_server import make_server, demo_app\nmake_server("${ADDRESS}", 8109, demo_app).serve_forever()`,
    ],
  },
  {
    name: 'mini_httpd',
    port: 8110,
    needs: '/usr/sbin/mini_httpd',
    command: ['/usr/sbin/mini_httpd', '-D', '-h', ADDRESS, '-p', '8110', '-d', www],
  },
  {
    name: 'Swagger UI (npm)',
    port: 8111,
    needs: join(MODULES, 'swagger-ui-dist'),
    command: [
      '/usr/bin/python3',
      '-m',
      'http.server',
      '8111',
      '--bind',
      ADDRESS,
      '--directory',
      join(MODULES, 'swagger-ui-dist'),
    ],
  },
  {
    name: 'a page with libraries',
    port: 8112,
    needs: process.execPath,
    command: node(
      8112,
      { 'X-Powered-By': 'Express' },
      '<html><head><meta name="generator" content="WordPress 6.4.2"><title>Shop</title><script src="/js/jquery-3.4.1.min.js"></script><script src="https://www.googletagmanager.com/gtag/js?id=G-1"></script><link rel="stylesheet" href="/bootstrap/4.1.3/css/bootstrap.min.css"></head><body></body></html>',
    ),
  },
]

/** whatweb's name → ours. What is not here is no product: titles, countries, counts of scripts. */
const ALIASES: Readonly<Record<string, string>> = {
  nginx: 'Nginx',
  Apache: 'Apache HTTP Server',
  lighttpd: 'lighttpd',
  PHP: 'PHP',
  Python: 'Python',
  CherryPy: 'CherryPy',
  Ruby: 'Ruby',
  WEBrick: 'WEBrick',
  OpenSSL: 'OpenSSL',
  Adminer: 'Adminer',
  'mini-httpd': 'mini_httpd',
  mini_httpd: 'mini_httpd',
  JQuery: 'jQuery',
  Bootstrap: 'Bootstrap',
  WordPress: 'WordPress',
  Express: 'Express',
  'Google-Analytics': 'Google Analytics',
  DokuWiki: 'DokuWiki',
  phpMyAdmin: 'phpMyAdmin',
  MediaWiki: 'MediaWiki',
  'Squid-Web-Proxy-Cache': 'Squid',
  HAProxy: 'HAProxy',
  'HAProxy-Statistics': 'HAProxy',
  Varnish: 'Varnish',
  'Apache-Tomcat': 'Apache Tomcat',
  Tomcat: 'Apache Tomcat',
  Java: 'Java',
  Caddy: 'Caddy',
  Flask: 'Flask',
  Werkzeug: 'Werkzeug',
  Gunicorn: 'Gunicorn',
  Tornado: 'Tornado',
  Prometheus: 'Prometheus',
  phpSysInfo: 'phpSysInfo',
}

interface Seen {
  readonly product: string
  readonly version: string | null
}

/** Says nothing about products: what the page is made of, where it stands, and strings of unknown headers. */
const unknown = new Set<string>()

const whatweb = (url: string): readonly Seen[] => {
  const log = join(folder, 'whatweb.json')
  rmSync(log, { force: true })
  execFileSync('whatweb', ['-q', '--no-errors', `--log-json=${log}`, url], { timeout: 60_000, stdio: 'ignore' })
  const text = readFileSync(log, 'utf8')
  const answers = text
    .split('\n')
    .map((line) => line.trim().replace(/,$/, ''))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { plugins?: Record<string, { version?: string[] }> })
  const seen = answers.flatMap(({ plugins = {} }) =>
    Object.entries(plugins).flatMap(([name, { version }]) => {
      const product = ALIASES[name]
      if (product === undefined) unknown.add(name)
      return product === undefined ? [] : [{ product, version: version?.[0] ?? null }]
    }),
  )
  // A redirect and what it leads to are two answers, with the same product.
  return [...new Map(seen.map((one) => [`${one.product} ${one.version}`, one])).values()]
}

const ours = async (port: number): Promise<readonly Detected[]> => {
  const about = { host: 'shop.test', port }
  const [site, disclosure, technology] = ['site', 'disclosure', 'technology'].map((module) =>
    collectContext(ADDRESS, { ...about, module }),
  )
  if (!site || !disclosure || !technology) throw new Error('no context')
  try {
    const pages = await collectSite(site.ctx)
    const told = await collectDisclosure(disclosure.ctx, pages)
    return (await collectTechnology(technology.ctx, pages, told)).technologies
  } finally {
    await Promise.all([site.close(), disclosure.close(), technology.close()])
  }
}

const answers = async (port: number): Promise<boolean> => {
  for (let turn = 0; turn < 100; turn += 1) {
    try {
      await fetch(`http://${ADDRESS}:${port}/`, { signal: AbortSignal.timeout(1_000) })
      return true
    } catch {
      // Not up yet; the loop is bounded.
      await delay(100)
    }
  }
  return false
}

mkdirSync(www)
writeFileSync(
  join(www, 'index.html'),
  '<!doctype html><html><head><title>Shop</title></head><body><h1>Shop</h1></body></html>',
)
const running: ChildProcess[] = []
const peerInstalled = existsSync('/usr/bin/whatweb')
const missing: string[] = []
const lines: string[] = []
const [times, theirTimes]: [number[], number[]] = [[], []]
let count = { subjects: 0, theirs: 0, both: 0, versions: 0, bothVersions: 0, ours: 0 }
try {
  for (const { name, port, needs, command, env } of [...subjects, ...applications({ address: ADDRESS, folder, www })]) {
    if (!existsSync(needs)) {
      missing.push(name)
      continue
    }
    const [program = '', ...words] = command
    const child = spawn(program, words, { stdio: 'ignore', cwd: folder, env: { ...process.env, ...env } })
    running.push(child)
    if (!(await answers(port))) {
      missing.push(`${name} (does not answer)`)
      continue
    }
    const start = performance.now()
    const found = await ours(port)
    const middle = performance.now()
    const theirs = peerInstalled ? whatweb(`http://${ADDRESS}:${port}/`) : []
    times.push(middle - start)
    theirTimes.push(performance.now() - middle)
    const seen = found.filter(({ confidence }) => confidence !== 'implied')
    const match = (one: Seen) => found.find((each) => each.name === one.product)
    const sameVersion = (one: Seen): boolean => {
      const theirVersion = one.version?.replace(/[-+].*$/, '') ?? null
      return theirVersion !== null && (match(one)?.version?.startsWith(theirVersion) ?? false)
    }
    const versioned = theirs.filter(({ version }) => version !== null)
    count = {
      subjects: count.subjects + 1,
      theirs: count.theirs + theirs.length,
      both: count.both + theirs.filter((one) => match(one) !== undefined).length,
      versions: count.versions + versioned.length,
      bothVersions: count.bothVersions + versioned.filter(sameVersion).length,
      ours: count.ours + seen.length,
    }
    const text = (list: readonly { name: string; version: string | null }[]) =>
      list.map((one) => `${one.name}${one.version ? ` ${one.version}` : ''}`).join(', ') || '-'
    lines.push(
      `${name}\n  ours:    ${text(seen)}\n  whatweb: ${text(theirs.map((one) => ({ name: one.product, version: one.version })))}`,
    )
  }
} finally {
  for (const child of running) {
    if (child.exitCode === null && child.kill('SIGTERM')) await Promise.race([once(child, 'exit'), delay(3_000)])
  }
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`${lines.join('\n')}\n`)
process.stdout.write(`no products: ${[...unknown].toSorted().join(', ')}\n`)
if (missing.length > 0) process.stdout.write(`not installed or not running: ${missing.join(', ')}\n`)

const peer = (value: number) => ({
  name: 'whatweb',
  value: peerInstalled ? value : null,
  hint: 'apt-get install whatweb',
})
const shown = versionsOf(knownCves())
const nothing = mkdtempSync(join(tmpdir(), 'sonde-bench-technology-'))
const read = [...(await judgeSites(caseAddress(119), shown, nothing)), ...(await judgeAllServices(shown, nothing))]
rmSync(nothing, { recursive: true, force: true })

publish('technology', [
  row({
    id: 'presented',
    what: `of ${read.length} versions of ${shown.size} products, shown as the real ones do, read`,
    unit: '',
    ours: read.filter((one) => one.read).length,
    target: { text: 'all', met: (ours) => ours === read.length },
  }),
  row({
    id: 'subjects',
    what: 'real servers and applications',
    unit: '',
    ours: count.subjects,
    target: { text: '>= 10', met: (n) => n >= 10 },
  }),
  row({
    id: 'found',
    what: 'products of whatweb that we name too',
    unit: '',
    ours: count.both,
    peer: peer(count.theirs),
    target: { text: 'all', met: (_n, ratio) => (ratio === null ? null : ratio >= 1) },
  }),
  row({
    id: 'versions',
    what: 'versions of whatweb that we read too',
    unit: '',
    ours: count.bothVersions,
    peer: peer(count.versions),
    target: { text: 'all', met: (_n, ratio) => (ratio === null ? null : ratio >= 1) },
  }),
  row({ id: 'named', what: 'products named', unit: '', ours: count.ours, peer: peer(count.theirs) }),
  row({
    id: 'time',
    what: 'one site with all requests, p50',
    unit: 'ms',
    ours: percentile(times, 0.5),
    peer: peer(percentile(theirTimes, 0.5)),
  }),
])
