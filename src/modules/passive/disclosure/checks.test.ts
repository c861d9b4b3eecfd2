import { judgeCases } from '../../testing/judge-cases.ts'
import { casePage, caseSite } from '../../testing/site-facts.ts'
import { banner } from './banner.ts'
import { comment } from './comment.ts'
import { debugMode } from './debug-mode.ts'
import { errorTrace } from './error-trace.ts'
import { robots } from './robots.ts'
import { securityTxt } from './security-txt.ts'
import { sourceMap } from './source-map.ts'
import { caseDisclosure, caseFetched, caseMap } from './testing/disclosure-facts.ts'

const facts = caseDisclosure()
const known = { site: caseSite() }
const body = (text: string) => ({ site: caseSite({ page: { body: text } }) })
const header = (name: string, value: string) => ({ site: caseSite({ page: { headers: [[name, value]] } }) })
const VERSION = ['disclosure/banner-version']
const PRODUCT = ['disclosure/banner-product']

judgeCases(banner, [
  { name: 'nothing said', facts, known, expect: [] },
  { name: 'server with version', facts, known: header('Server', 'Apache/2.4.41 (Ubuntu)'), expect: VERSION },
  { name: 'server alone', facts, known: header('Server', 'nginx'), expect: PRODUCT },
  { name: 'network in front', facts, known: header('server', 'cloudflare'), expect: [] },
  { name: 'language', facts, known: header('X-Powered-By', 'PHP/7.4.3'), expect: VERSION },
  { name: 'bare version number', facts, known: header('X-AspNet-Version', '4.0.30319'), expect: VERSION },
  { name: 'empty', facts, known: header('Server', ' '), expect: [] },
  {
    name: 'generator with version',
    facts,
    known: body('<meta name="Generator" content="WordPress 6.4.2">'),
    expect: VERSION,
  },
  {
    name: 'generator in a comment',
    facts,
    known: body('<!-- <meta name="generator" content="WordPress 6.4.2"> -->'),
    expect: [],
  },
  {
    name: 'the same on all pages is one finding',
    facts,
    known: {
      site: caseSite({
        pages: ['/', '/a'].map((path) =>
          casePage({ url: `https://shop.test${path}`, headers: { Server: 'nginx/1.18.0' } }),
        ),
      }),
    },
    expect: VERSION,
  },
])

const TRACE = ['disclosure/error-trace']
const PYTHON =
  'Traceback (most recent call last):\n  File "/srv/app/views.py", line 12, in show\n    return 1 / 0\nZeroDivisionError'
const JAVA =
  'java.lang.NullPointerException\n\tat com.shop.Cart.total(Cart.java:41)\n\tat com.shop.Main.run(Main.java:9)'
const failed = (text: string, status = 500) =>
  caseDisclosure({ malformed: caseFetched('/%c0%ae%c0%ae', text, { status }) })

judgeCases(errorTrace, [
  { name: 'plain error page', facts, known, expect: [] },
  { name: 'Python', facts: failed(PYTHON), known, expect: TRACE },
  { name: 'Java', facts: failed(JAVA), known, expect: TRACE },
  {
    name: 'Java in a table, escaped',
    facts: failed(`<table><tr><td>${JAVA.replaceAll('\n', '<br>')}</td></tr></table>`),
    known,
    expect: TRACE,
  },
  {
    name: 'PHP, a list of frames in JSON',
    facts: failed(
      JSON.stringify({
        message: 'Server Error',
        trace: ['Cart', 'Main'].map((name) => ({ file: `/srv/app/${name}.php`, line: 12, function: 'run' })),
      }),
    ),
    known,
    expect: TRACE,
  },
  {
    name: 'Java, as Tomcat writes it',
    facts: failed(
      '<p><b>Exception</b></p><pre>java.io.StreamCorruptedException: invalid stream header: 71787175\n\tjava.base&#47;java.io.ObjectInputStream.readStreamHeader(ObjectInputStream.java:963)\n\tshop.Base.doPost(Base.java:18)\n</pre><p><b>Note</b> The full stack trace of the root cause is available in the server logs.</p>',
    ),
    known,
    expect: TRACE,
  },
  {
    name: 'Java, of a module each',
    facts: failed(
      'java.lang.IllegalStateException: x\n\tat java.base/java.util.Optional.get(Optional.java:143)\n\tat app//shop.core@1.2/shop.Main.run(Main.java:9)',
    ),
    known,
    expect: TRACE,
  },
  {
    name: 'files of Java in a list',
    facts: failed('Cart.java:41\nMain.java:9\nshop.Main(Main.java)'),
    known,
    expect: [],
  },
  { name: 'one line of Java', facts: failed('at com.shop.Cart.total(Cart.java:41)'), known, expect: [] },
  {
    name: '.NET',
    facts: failed(
      '[System.FormatException: bad]\n   at System.Number.Parse(String s)\n   at Shop.Cart.Page_Load(Object sender, EventArgs e) in c:\\inetpub\\shop\\Cart.aspx.cs:line 17',
    ),
    known,
    expect: TRACE,
  },
  {
    name: 'Node.js',
    facts: failed('TypeError: x\n    at show (/srv/app/cart.js:10:5)\n    at node:internal/main:23:47'),
    known,
    expect: TRACE,
  },
  {
    name: 'Node.js, told to a program in JSON',
    facts: failed(
      JSON.stringify({
        error: {
          message: 'x',
          stack: 'TypeError: x\n    at show (/srv/app/cart.js:10:5)\n    at node:internal/main:23:47',
        },
      }),
    ),
    known,
    expect: TRACE,
  },
  {
    name: 'Java, told to a program in JSON',
    facts: failed(JSON.stringify({ status: 500, trace: JAVA })),
    known,
    expect: TRACE,
  },
  {
    name: 'somebody’s words about a stack, in a plain answer to a program',
    facts: failed(JSON.stringify([{ id: 4, text: `It says\n${JAVA}\n` }]), 200),
    known,
    expect: [],
  },
  {
    name: 'Ruby',
    facts: failed("app/models/cart.rb:12:in `total'\napp/controllers/cart.rb:4:in `show'"),
    known,
    expect: TRACE,
  },
  {
    name: 'Go',
    facts: failed('goroutine 7 [running]:\nmain.show()\n\t/srv/app/main.go:31 +0x1d'),
    known,
    expect: TRACE,
  },
  { name: 'PHP frames', facts: failed("#0 /var/www/a.php(3): b('x')\n#1 {main}"), known, expect: TRACE },
  {
    name: 'PHP markup on a page that says 200',
    facts,
    known: body('<b>Warning</b>:  include(x.php): failed in <b>/var/www/a.php</b> on line <b>3</b>'),
    expect: TRACE,
  },
  {
    name: 'a lesson about stacks',
    facts,
    known: body(`<p>You may see:</p><pre><code>${PYTHON}</code></pre>`),
    expect: [],
  },
  {
    name: 'a sentence about stacks',
    facts,
    known: body('<p>A traceback (most recent call last) names File "x.py", line 3</p>'),
    expect: [],
  },
  {
    name: 'SQL error',
    facts: failed(
      'You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version',
    ),
    known,
    expect: ['disclosure/sql-error'],
  },
  {
    name: 'SQL error on a missing path',
    facts,
    known: {
      site: caseSite({
        missing: [
          casePage({ url: 'https://shop.test/q', status: 404, body: 'SQLSTATE[42S02]: Base table or view not found' }),
        ],
      }),
    },
    expect: ['disclosure/sql-error'],
  },
  {
    name: 'path without stack',
    facts: failed('could not open /var/www/shop/inc/db.php'),
    known,
    expect: ['disclosure/absolute-path'],
  },
  {
    name: 'path as a link',
    facts,
    known: body('<a href="https://shop.test/opt/x.js">x</a> see shop.test/home/a/x.php'),
    expect: [],
  },
  { name: 'malformed path not asked', facts: caseDisclosure({ malformed: null }), known, expect: [] },
])

const ENVIRONMENT = [
  ...['SHELL=/bin/sh', 'NODE_ENV=production', 'PWD=/srv/app', 'LOGNAME=app', 'HOME=/srv/app', 'LANG=C.UTF-8'],
  ...['PORT=3000', 'DATABASE_URL=postgres://app@db/app', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin'],
]

judgeCases(debugMode, [
  {
    name: 'ASP.NET on Mono',
    facts: failed(
      '<title>Error 500</title><div id="header-text">Application Exception</div><h1>System.FormatException</h1><div><strong>Exception stack trace:</strong></div>',
    ),
    known,
    expect: ['disclosure/debug-mode'],
  },
  {
    name: 'Mojolicious, of an address that is not there',
    facts: failed('<title>Page Not Found (development mode)</title><h1>None of these routes</h1>', 404),
    known,
    expect: ['disclosure/debug-mode'],
  },
  { name: 'plain error page', facts, known, expect: [] },
  {
    name: 'Werkzeug, with its console',
    facts: failed('<div class="debugger"></div><script>var CONSOLE_MODE = false,\nEVALEX = true</script>'),
    known,
    expect: ['disclosure/debug-console', 'disclosure/debug-mode'],
  },
  {
    name: 'Werkzeug, its console switched off',
    facts: failed('<div class="debugger"></div><script>var CONSOLE_MODE = false,\nEVALEX = false</script>'),
    known,
    expect: ['disclosure/debug-mode'],
  },
  {
    name: 'Django',
    facts: failed("You're seeing this error because you have <code>DEBUG = True</code> in your settings"),
    known,
    expect: ['disclosure/debug-mode'],
  },
  {
    name: 'Symfony, whose title is what went wrong',
    facts: failed(
      '<title>no such column: a (500 Internal Server Error)</title><h1 class="break-long-words exception-message long">no such column: a</h1>',
    ),
    known,
    expect: ['disclosure/debug-mode'],
  },
  {
    name: 'the environment of a process, in lines',
    facts,
    known: body(`<h1>Status</h1><pre>${ENVIRONMENT.join('\n')}</pre>`),
    expect: ['disclosure/debug-mode'],
  },
  {
    name: 'the same in a table',
    facts,
    known: body(`<table>${ENVIRONMENT.map((line) => `<tr><td>${line.replace('=', '</td><td>')}`).join('')}</table>`),
    expect: ['disclosure/debug-mode'],
  },
  {
    name: 'the same in a handbook',
    facts,
    known: body(
      `<p>${'A process is given names and values by whoever starts it. '.repeat(40)}</p><pre>${ENVIRONMENT.join('\n')}</pre>`,
    ),
    expect: [],
  },
  {
    name: 'lines for a shell that set the path',
    facts,
    known: body('<pre>PATH=/opt/tools/bin:$PATH\nHOME=/root\nLANG=C\nTERM=xterm\nUSER=root\nTZ=UTC</pre>'),
    expect: [],
  },
  { name: 'a sentence about it', facts, known: body('<p>Set DEBUG = True to see more.</p>'), expect: [] },
])

const CREDENTIALS = ['disclosure/comment-credentials']

judgeCases(comment, [
  { name: 'no comment', facts, known, expect: [] },
  { name: 'password', facts, known: body('<!-- login user=admin password=Summer-2024 -->'), expect: CREDENTIALS },
  { name: 'in another language', facts, known: body('<!-- Kennwort: s3kret99 -->'), expect: CREDENTIALS },
  { name: 'visible form, no comment', facts, known: body('<label>password: hunter22x</label>'), expect: [] },
  { name: 'code that handles one', facts, known: body('<!-- if (password == form.value1) -->'), expect: [] },
  { name: 'a hint', facts, known: body('<!-- password: required -->'), expect: [] },
  { name: 'a placeholder', facts, known: body('<!-- password=your_password1 -->'), expect: [] },
])

judgeCases(sourceMap, [
  { name: 'none', facts, known, expect: [] },
  {
    name: 'with sources',
    facts: caseDisclosure({ maps: [caseMap('let a')] }),
    known,
    expect: ['disclosure/source-map'],
  },
  { name: 'names only', facts: caseDisclosure({ maps: [caseMap('', 0)] }), known, expect: [] },
])

const rules = (text: string, change = {}) => caseDisclosure({ robots: caseFetched('/robots.txt', text, change) })

judgeCases(robots, [
  { name: 'ordinary rules', facts, known, expect: [] },
  {
    name: 'administration',
    facts: rules('User-agent: *\nDISALLOW : /admin-old/ # keep out'),
    known,
    expect: ['disclosure/robots-paths'],
  },
  {
    name: 'what a blog names by itself',
    facts: rules('User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php'),
    known,
    expect: [],
  },
  {
    name: 'other words for what is kept from visitors',
    facts: rules('Disallow: /back-office/\nDisallow: /x/restricted'),
    known,
    expect: ['disclosure/robots-paths'],
  },
  {
    name: 'a word that only begins so',
    facts: rules('Disallow: /testimonials\nDisallow: /logistics\nDisallow: /staffing\nDisallow: /shops'),
    known,
    expect: [],
  },
  { name: 'page for everything', facts: rules('<!doctype html>Disallow: /admin/'), known, expect: [] },
  { name: 'only in a comment', facts: rules('# Disallow: /admin/'), known, expect: [] },
  { name: 'absent', facts: rules('Disallow: /admin/', { status: 404 }), known, expect: [] },
  { name: 'no answer', facts: caseDisclosure({ robots: null }), known, expect: [], unjudged: 'not_tested' },
])

const CONTACT = 'Contact: https://shop.test/security\n'
const EXPIRES = 'Expires: 2026-12-01T00:00:00Z\n'
const file = (text: string, change = {}) =>
  caseDisclosure({ securityTxt: caseFetched('/.well-known/security.txt', text, change) })
const INVALID = ['disclosure/security-txt-invalid']
const ABSENT = ['disclosure/security-txt-absent']
const html = { headers: [['Content-Type', 'text/html']] }

judgeCases(securityTxt, [
  { name: 'complete', facts, known, expect: [] },
  {
    name: 'signed',
    facts: file(
      `-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\n${CONTACT}${EXPIRES}-----BEGIN PGP SIGNATURE-----\nExpires: x\n`,
    ),
    known,
    expect: [],
  },
  { name: 'missing', facts: file('Not found', { status: 404 }), known, expect: ABSENT },
  { name: 'page for everything', facts: file('<!doctype html><html></html>'), known, expect: ABSENT },
  { name: 'expired', facts: file(`${CONTACT}Expires: 2026-05-01T00:00:00Z`), known, expect: INVALID },
  { name: 'no Expires', facts: file(CONTACT), known, expect: INVALID },
  { name: 'Expires twice', facts: file(`${CONTACT}${EXPIRES}${EXPIRES}`), known, expect: INVALID },
  { name: 'Expires as a day', facts: file(`${CONTACT}Expires: 2026-12-01`), known, expect: INVALID },
  { name: 'no Contact', facts: file(EXPIRES), known, expect: INVALID },
  { name: 'bare mail address', facts: file(`Contact: security@shop.test\n${EXPIRES}`), known, expect: INVALID },
  { name: 'type of a page', facts: file(`${CONTACT}${EXPIRES}`, html), known, expect: INVALID },
  {
    name: 'other charset',
    facts: file(`${CONTACT}${EXPIRES}`, { headers: [['Content-Type', 'text/plain; charset=latin1']] }),
    known,
    expect: INVALID,
  },
  {
    name: 'only in the old place',
    facts: caseDisclosure({
      securityTxt: caseFetched('/.well-known/security.txt', '', { status: 404 }),
      securityTxtAtRoot: caseFetched('/security.txt', CONTACT + EXPIRES),
    }),
    known,
    expect: INVALID,
  },
  {
    name: 'over http',
    facts: file(`${CONTACT}${EXPIRES}`, { url: 'http://shop.test/.well-known/security.txt' }),
    known,
    expect: INVALID,
  },
  { name: 'no answer', facts: caseDisclosure({ securityTxt: null }), known, expect: [], unjudged: 'not_tested' },
])
