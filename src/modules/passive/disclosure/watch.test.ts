import { describe, expect, it } from 'vitest'
import { judgeModule } from '../../../engine/judge.ts'
import { type CaseAnswer, caseAnswer } from '../../testing/answers.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseSite } from '../../testing/site-facts.ts'
import type { DisclosureFacts } from './facts.ts'
import { disclosure } from './module.ts'
import { caseDisclosure } from './testing/disclosure-facts.ts'
import { watchDisclosure } from './watch.ts'

const target = { host: 'shop.test', port: null, context: null, tier: 'active' } as const

/** What a run of these answers is judged to tell. */
const judged = (
  answers: readonly CaseAnswer[],
  { module = 'crawl', resumed = false, cutOff = '', signedIn = false } = {},
) => {
  const watcher = watchDisclosure({ target, resumed, signedIn })
  for (const answer of answers) watcher.see(caseAnswer(answer), module)
  const facts: DisclosureFacts = JSON.parse(JSON.stringify(watcher.conclude(caseDisclosure(), cutOff || null)))
  const { findings, coverage, failures } = judgeModule(
    disclosure,
    facts,
    { site: caseSite() },
    { ...caseContext(), target },
  )
  expect(failures).toEqual([])
  return { facts, findings, coverage, ids: findings.map(({ check_id }) => check_id) }
}
const page = (path: string, inner: string, change: Partial<CaseAnswer> = {}): CaseAnswer => ({
  ...{ path, body: `<!doctype html><html><head><title>Page</title></head><body>${inner}</body></html>` },
  ...change,
})
const text = (path: string, body: string, type = 'text/plain'): CaseAnswer => ({ path, body, type })

const JAVA = 'java.lang.IllegalStateException: x\n\tat shop.Cart.total(Cart.java:41)\n\tat shop.Main.run(Main.java:9)'
const SQL =
  "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near ''' at line 1"
const WERKZEUG = (error: string): string =>
  `<title>${error} // Werkzeug Debugger</title><script>var CONSOLE_MODE = false, EVALEX = true, EVALEX_TRUSTED = false</script><div class="debugger"><h1>${error}</h1></div>`
const PHPINFO = `<title>PHP 8.2.1 - phpinfo()</title></head><body>${' '.repeat(7_300)}<h1 class="p">PHP Version 8.2.1</h1>`
const ENVIRONMENT = '<td>GATEWAY_INTERFACE</td><td>CGI/1.1</td></tr><tr><td>SERVER_SOFTWARE</td><td>Apache/2.4.62</td>'
const KEY = 'AKIAQWERTYUIOPASDFGH'.replace('AKIAQWERTYUIOPASDFGH', 'AKIA2OGYBAH6QLYRBUCM')
const TOKENS = `aws_key="${KEY}" secret="Zq8vN2mXc7Lp4RtY9wKs3HdJ6fGb1TnV5eUa0QxM"`
const ACCOUNTS = Array.from({ length: 40 }, (_, index) => `user${index},Winter-${index * 7}!,m${index}@shop.test`)

describe('what a run was answered', () => {
  it.each<[string, CaseAnswer, readonly string[]]>([
    ['a stack on an error page', page('/cart', `<pre>${JAVA}</pre>`, { status: 500 }), ['error-trace']],
    ['an error of a database on a page', page('/list', `<b>Error</b>: ${SQL}<br>`), ['sql-error']],
    [
      'one in the words of the database alone, in an error of an interface',
      { path: '/api/list', body: '{"error":"near \\"ASC\\": syntax error"}', type: 'application/json', status: 500 },
      ['sql-error'],
    ],
    [
      'a key in a bundle, behind its libraries',
      text('/app.js', `${'var a=1;'.repeat(60_000)}const k='${TOKENS}'`, 'text/javascript'),
      ['secret-critical'],
    ],
    ['a debugger with a console', page('/x', WERKZEUG('KeyError'), { status: 500 }), ['debug-console', 'debug-mode']],
    ['phpinfo whose mark lies deep', { path: '/i.php', body: PHPINFO }, ['debug-mode']],
    ['the environment of a CGI program', page('/env', `<table><tr>${ENVIRONMENT}</tr></table>`), ['debug-mode']],
    [
      'passwords in a table',
      text('/accounts.txt', ['login,password,mail', ...ACCOUNTS].join('\n')),
      ['credential-list'],
    ],
    [
      'passwords in an answer of an interface',
      text(
        '/api/staff',
        JSON.stringify(ACCOUNTS.slice(0, 4).map((one) => ({ login: one, password: `${one}#` }))),
        'application/json',
      ),
      ['credential-list'],
    ],
    ['a file of hashes', text('/.htpasswd', `admin:$apr1$abcdefgh$${'Zq8vN2mXc7Lp4RtY9wKs30'}\n`), ['credential-list']],
    [
      'settings of a database',
      text('/inc/db.inc', "$host = 'db.inside';\n$user = 'shop';\n$password = 'Herbst#2031';\n$database = 'shop';"),
      ['credential-list'],
    ],
    ['a key in a script', text('/app.js', TOKENS, 'application/javascript'), ['secret-critical']],
    ['code that should have run', page('/old.php', '<?php include("x.php"); $a = $_GET["a"]; ?>'), ['source-code']],
    [
      'a copy of a program',
      text('/index.php.bak', '<?php\nrequire "x.php";\n$a = 1;', 'application/octet-stream'),
      ['source-code'],
    ],
    [
      'a dump',
      text('/b.sql', '-- MySQL dump 10.13\nCREATE TABLE `u` (a int);\nINSERT INTO `u` VALUES (1);', 'application/sql'),
      ['database-dump'],
    ],
    [
      'a dump that a program of the site has written',
      text(
        '/files/old.sql',
        "-- plants\nBEGIN;\nCREATE TABLE users (mail text);\nINSERT INTO users VALUES ('ida@post.example');",
        'application/sql',
      ),
      ['database-dump'],
    ],
    [
      'a dump in small letters',
      text(
        '/files/small.sql',
        "create table users (mail text);\ninsert into users values ('ida@post.example');",
        'application/sql',
      ),
      ['database-dump'],
    ],
    [
      'a sample without people',
      text('/docs/try.sql', 'CREATE TABLE plants (name text);\nINSERT INTO plants VALUES (1);', 'application/sql'),
      [],
    ],
    ['a listing', page('/files/', '<h1>Index of /files</h1><a href="/">Parent Directory</a>'), ['directory-listing']],
    ['a password in a comment', page('/a', '<!-- login: shop password: Herbst#2031 -->'), ['comment-credentials']],
    ['an inner address in an error', page('/a', 'upstream 10.3.0.17 failed', { status: 502 }), ['private-address']],
  ])('%s', (_name, answer, ids) => {
    expect(judged([page('/', 'Hello'), answer]).ids.toSorted()).toEqual(ids.map((id) => `disclosure/${id}`))
  })

  it.each<[string, CaseAnswer]>([
    [
      'a question about an error, as its title',
      page('/q/1', `<h1>${SQL}</h1><p>I get the error ${SQL} when I insert.</p>`),
    ],
    [
      'a list of questions',
      page('/q', `<ul><li><a href="/q/1">${SQL}</a></li><li>ORA-00933: sql command not ended</li></ul>`),
    ],
    ['an article about stacks', page('/blog/stacks', `<p>Read it from below:</p><pre><code>${JAVA}</code></pre>`)],
    [
      'an article about PHP errors',
      page('/blog/php', '<p>Warning: include(x.php): failed to open stream in a.php on line 3</p>'),
    ],
    ['a manual of a debugger', page('/docs', `<pre>${WERKZEUG('x').replaceAll('<', '&lt;')}</pre>`)],
    ['a program shown for reading', page('/repo/a.php', '<pre>&lt;?php include("x.php"); $a = $_GET["a"];</pre>')],
    ['a program offered as a file', text('/repo/raw/a.php', '<?php include("x.php"); $a = $_GET["a"];')],
    [
      'texts of an interface',
      text('/de.json', '{"password": "Passwort", "user": "Name", "password2": "Kennwort"}', 'application/json'),
    ],
    [
      'a description with samples',
      text(
        '/openapi.json',
        `{"openapi": "3.1.0", "x": [${[1, 2, 3].map((n) => `{"login":"a${n}","password":"P@ss${n}"}`)}]}`,
        'application/json',
      ),
    ],
    [
      'a readme with settings',
      text('/README.txt', 'Set:\nhost = db\nuser = shop\npassword = Geheim#77\ndatabase = shop'),
    ],
    ['a schema to download', text('/schema.sql', '-- MySQL dump 10.13\nCREATE TABLE `u` (a int);', 'application/sql')],
    [
      'a sample key',
      text('/docs.txt', 'aws_key="AKIAIOSFODNN7EXAMPLE" secret="wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"'),
    ],
    ['another host', page('/cart', `<pre>${JAVA}</pre>`, { status: 500, host: 'cdn.test' })],
  ])('is told apart from %s', (_name, answer) => {
    const { ids, coverage } = judged([page('/', 'Hello'), answer])
    expect(ids).toEqual([])
    expect(coverage.find(({ check_id }) => check_id === 'disclosure/error-trace')?.state).toBe('pass')
  })

  it.each([
    ['a link leads to', '/exports-2024/', 'crawl'],
    ['a guess met', '/documents/', 'exposure'],
  ])('is a listing that names the folder that %s', (_name, folder, module) => {
    const listed = {
      ...{ path: folder, type: 'text/html' },
      body: `<title>listing directory ${folder}</title><h1><a href="/">~</a></h1><a href="${folder}staff.pdf">staff.pdf</a>`,
    }
    expect(judged([listed], { module }).ids).toEqual(['disclosure/directory-listing'])
  })

  it('is never what we sent ourselves, at once or stored', () => {
    const sent = `<pre>${JAVA}</pre>`
    const echo = page(`/find?q=${encodeURIComponent(sent)}`, `No hits for ${sent}`, { status: 500 })
    const escaped = page('/say', `You said ${SQL.replaceAll("'", '&#39;')}`, {
      method: 'POST',
      sent: `text=${encodeURIComponent(SQL)}`,
      status: 400,
    })
    const later = page('/guests', `<p>${SQL}</p>`, { status: 500 })
    expect(judged([echo, escaped, later], { module: 'sqli' }).ids).toEqual([])
  })

  it('is one finding with its places where one debugger shows each error', () => {
    const answers = Array.from({ length: 72 }, (_, index) =>
      page(`/part-${index}?id=%27`, WERKZEUG(`Error of ${String.fromCharCode(97 + (index % 26))} ${index}`), {
        status: 500,
      }),
    )
    const { findings, facts } = judged(answers, { module: 'sqli' })
    expect(findings.map(({ check_id }) => check_id)).toEqual(['disclosure/debug-console', 'disclosure/debug-mode'])
    expect(findings[0]?.places.length).toBeGreaterThanOrEqual(26)
    expect(findings[0]?.proof?.replay).toBe("curl -sik --path-as-is 'https://shop.test/part-0?id=%27'")
    expect(facts.seen?.texts.length).toBeLessThanOrEqual(3)
  })

  it('has a place that is the same in the next run, and what was sent in its command', () => {
    const of = (word: string) =>
      judged([page(`/list?q=${word}`, `<pre>${JAVA}</pre>`, { status: 500 })], { module: 'sqli' }).findings[0]
    expect([of('qx1a')?.location, of('qx1a')?.detail]).toEqual([of('qx2b')?.location, of('qx2b')?.detail])
    expect(of('qx1a')?.proof?.replay).toContain('/list?q=qx1a')
  })

  it('repeats how a request with a body is sent', () => {
    const answer = page('/pay', `<pre>${JAVA}</pre>`, { status: 500, method: 'POST', sent: "a=it's" })
    expect(judged([answer], { module: 'injection' }).findings[0]?.proof?.replay).toBe(
      `curl -sik --path-as-is -X POST --data-binary 'a=it'\\''s' 'https://shop.test/pay'`,
    )
  })

  it('names the credentials of the run in its command, where they were sent', () => {
    const replay = (cookie: string, signedIn: boolean) => {
      const answer = page('/cart', `<pre>${JAVA}</pre>`, { status: 500, cookie })
      return judged([answer], { signedIn }).findings[0]?.proof?.replay
    }
    expect(replay('sid=1', true)).toBe(
      "curl -sik --path-as-is -H '<the credentials of an account>' 'https://shop.test/cart'",
    )
    for (const plain of [replay('', true), replay('sid=1', false)])
      expect(plain).toBe("curl -sik --path-as-is 'https://shop.test/cart'")
  })

  it('reads each content once, and says what it did not see', () => {
    const { facts } = judged([page('/a?x=1', 'visit 17'), page('/a?x=2', 'visit 18'), page('/b', 'another')])
    expect(facts.seen).toMatchObject({ answers: 3, contents: 2, unread: 0, texts: [] })
    const { coverage } = judged([page('/', 'Hello')], { resumed: true })
    expect(coverage.find(({ check_id }) => check_id === 'disclosure/error-trace')).toMatchObject({
      state: 'inconclusive',
    })
  })

  it('an error in the entries of a log that a page shows is none of the page, whatever it was asked with', () => {
    const logOf = (time: string) =>
      page(
        '/admin/log?x=1',
        `<table><tr><td>${time} - ERROR: A row failed! ${SQL} in /srv/shop/lib/db.php</td></tr></table>`,
      )
    for (const time of ['2026-11-30 14:56:19', '[30/Nov/2026:14:56:19 +0000]', 'Mon Nov 30 14:56:19 2026'])
      expect(judged([logOf(time)], { module: 'injection' }).ids).toEqual([])
    expect(judged([logOf('Sorry')], { module: 'injection' }).ids).toContain('disclosure/sql-error')
  })

  it('passes nothing where the crawl was cut off, and keeps what it found', () => {
    const unread = 'what the crawl did not come to may hold more: 40 not read: its share of the time was used up'
    const { coverage, findings } = judged([page('/cart', `<pre>${JAVA}</pre>`, { status: 500 })], { cutOff: unread })
    const of = (id: string) => coverage.find(({ check_id }) => check_id === `disclosure/${id}`)
    expect(findings.map(({ check_id }) => check_id)).toContain('disclosure/error-trace')
    expect(of('sql-error')).toMatchObject({ state: 'inconclusive', reason: unread })
    expect(of('secret-critical')).toMatchObject({ state: 'inconclusive', reason: unread })
  })

  it('costs little', () => {
    const pages = Array.from({ length: 40 }, (_, index) =>
      page(`/p/${index}`, `<p class="c${'x'.repeat(index)}">lorem ipsum &amp; at dolor:1</p>`.repeat(400)),
    )
    const before = process.cpuUsage()
    judged(pages)
    const { user } = process.cpuUsage(before)
    // 30 kB each; the bound is for a machine that does ten other things.
    expect(user / 1_000 / pages.length).toBeLessThan(40)
  })
})
