import { describe, expect, it } from 'vitest'
import { harmOfAddress } from '../../../safety/safety.ts'
import { type FileAnswer, maskValues } from './answer.ts'
import { exposedFiles, proofOf, urlsOf } from './files.ts'

const answer = (body: string | Buffer, type = 'text/plain'): FileAnswer => {
  const bytes = Buffer.from(body as string)
  return {
    status: 200,
    type,
    text: maskValues(bytes.toString('utf8').replaceAll('\0', '')),
    hex: bytes.subarray(0, 32).toString('hex'),
    size: bytes.length,
  }
}
const hex = (text: string) => Buffer.from(`${text}00ff`, 'hex')

/** A sample of each, by its name. */
const SAMPLES: Readonly<Record<string, FileAnswer>> = {
  'an environment file with secrets': answer('APP_ENV=prod\nDB_PASSWORD="hunter22"\n'),
  'an environment file': answer('# settings\nAPP_ENV=prod\nAPP_DEBUG=false\n'),
  'a WordPress configuration as text': answer("<?php\ndefine('DB_PASSWORD', 'hunter22');\n"),
  'an Apache password file': answer('admin:$apr1$Zq1x$8rM1o3yYx0Wb2c3d4e5f6.\n'),
  'npm settings with a token': answer('//registry.test/:_authToken=abcdef0123\n'),
  'Git credentials': answer('https://robin:hunter22@git.test\n'),
  'AWS credentials': answer('[default]\naws_access_key_id = A\naws_secret_access_key = hunter22hunter22\n'),
  'registry credentials of Docker': answer(
    '{"auths":{"registry.test":{"auth":"cm9iaW46aHVudGVyMjI="}}}',
    'application/json',
  ),
  'upload settings of an editor': answer('{"host":"h","user":"u","password":"hunter22"}', 'application/json'),
  'a .NET configuration with a secret': answer('{"ConnectionStrings":{"Main":"Server=db;User=sa;Password=hunter22;"}}'),
  'an application’s configuration with a password': answer(
    '{\n  "port": 8080,\n  "mail": {"host": "mail.test", "password": "hunter22"}\n}\n',
    'application/json',
  ),
  'settings in YAML with a password': answer('production:\n  adapter: mysql2\n  host: db\n  password: hunter22\n'),
  'the master key of Rails': answer('5d41402abc4b2a76b9719d911017c592\n'),
  'a private key': answer('-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQhunter22\n'),
  'a database dump': answer(
    '-- MySQL dump 10.13\nCREATE TABLE `users` (id int);\nINSERT INTO `users` VALUES (1,"hunter22");\n',
  ),
  'a packed database dump': answer(hex('1f8b0800')),
  'an SQLite database': answer(hex('53514c69746520666f726d6174203300')),
  'an archive of the site': answer(hex('504b0304')),
  'a Git repository': answer('ref: refs/heads/main\n'),
  'a Subversion working copy': answer(hex('53514c69746520666f726d6174203300')),
  'a Mercurial repository': answer('dotencode\nstore\n'),
  'a Docker Compose file': answer('services:\n  web:\n    image: shop\n'),
  'Laravel’s or Symfony’s parameters': answer('parameters:\n    database_host: db\n'),
  'source code of a script': answer('<?php\n$a = 1;\n'),
  'settings of a Python program': answer("import os\nSECRET_KEY = 'hunter22'\nDEBUG = False\n"),
  'source code of an application': answer("require 'sinatra/base'\nclass Club < Sinatra::Base\n"),
  'a swap file of vim': answer(hex('62305649')),
  'the profiler of Symfony': answer('<html><title>Symfony Profiler</title>', 'text/html'),
  'a console of Werkzeug': answer('<title>Console // Werkzeug Debugger</title><script>var EVALEX = true', 'text/html'),
  'the trace of ASP.NET': answer('<h1>Application Trace</h1>', 'text/html'),
  'the console of an H2 database': answer('<title>H2 Console</title>', 'text/html'),
  'Spring Boot’s environment': answer('{"activeProfiles":[],"propertySources":[{}]}', 'application/json'),
  'Spring Boot’s management interface': answer('{"_links":{"self":{},"env":{"href":"x"}}}', 'application/json'),
  'Laravel Telescope': answer('<title>Telescope - Shop</title><div id="telescope" v-cloak></div>', 'text/html'),
  'Laravel Horizon': answer('<title>Horizon - Shop</title><div id="horizon" v-cloak></div>', 'text/html'),
  'Ignition of Laravel, which runs commands': answer('{"can_execute_commands":true}', 'application/json'),
  'Go’s profiler': answer('<title>/debug/pprof/</title><a>goroutine</a>', 'text/html'),
  'the environment of the process': answer(
    '{"node":"v24.1.0","env":{"PATH":"/usr/local/bin:/usr/bin","HOME":"/srv","DATABASE_PASSWORD":"x"}}',
    'application/json',
  ),
  'Go’s exported variables': answer('{"cmdline":["shop"],"memstats":{"Alloc":1}}', 'application/json'),
  'a log of the application': answer('[2026-05-04 11:00:00] production.ERROR: no database\n'),
  'the status page of Apache': answer('<title>Apache Status</title><dl>Server uptime: 1 day', 'text/html'),
  'the configuration page of Apache': answer(
    '<title>Server Information</title><h1>Apache Server Information</h1>',
    'text/html',
  ),
  'the status page of nginx': answer('Active connections: 2 \nserver accepts handled requests\n 1 1 1\n'),
  'metrics for Prometheus': answer('# HELP http_requests_total Requests.\n# TYPE http_requests_total counter\n'),
  // Its heading stands behind a picture of thousands of characters: what is kept of an answer ends before it.
  'a page of phpinfo()': answer(
    '<title>PHP 8.2.1 - phpinfo()</title><meta name="ROBOTS" content="NOINDEX,NOFOLLOW,NOARCHIVE" /></head>\n<body><div class="center">\n<table>\n<tr class="h"><td>\n<a href="http://www.php.net/"><img border="0" src="data:image/png;base64,iVBORw0KGgo',
    'text/html',
  ),
  'the environment of a CGI program': answer(
    'SERVER_SOFTWARE="Apache/2.4.62"\nGATEWAY_INTERFACE="CGI/1.1"\nPATH="/bin"\n',
  ),
  phpMyAdmin: answer('<title>phpMyAdmin</title><input name="pma_username">', 'text/html'),
  Adminer: answer('<title>Login - Adminer</title><select name="auth[driver]">', 'text/html'),
  'a policy for Flash and Silverlight that admits every site': answer(
    '<cross-domain-policy><allow-access-from domain="*"/>',
    'text/xml',
  ),
  'the folder list of a Mac': answer(hex('0000000142756431')),
  'settings of an editor': answer('{\n  "editor.tabSize": 2\n}', 'application/json'),
  'a list of dependencies with versions': answer('{"name":"shop","lockfileVersion":3}', 'application/json'),
}

/** What sites answer instead. */
const DECOYS: readonly FileAnswer[] = [
  answer('<!doctype html><html><body><div id=root></div><script src=/app.js></script>', 'text/html'),
  answer('<!doctype html><title>Not found</title>404', 'text/plain'),
  answer('not found'),
  answer('{"error":"not found","path":"/.env"}', 'application/json'),
  answer('OK'),
  answer(''),
  answer(
    '<p>Article: how to write <code>define("DB_PASSWORD")</code> and -----BEGIN PRIVATE KEY----- <title>phpinfo() explained</title>',
    'text/html',
  ),
  answer(
    '<title>Installation</title><p>How to install it</p><form><input name="user"><input type="password" name="password"></form>',
    'text/html',
  ),
  answer('[2026-05-04 11:00:00] we meet here\nand nowhere else'),
  answer('{"database": "Name of it", "password": "Your password"}', 'application/json'),
  answer('host: Server\npassword: Your password\n'),
  answer('# Welcome\nThis file is documentation of our status page: Active connections are shown.'),
]

it.each([
  ['of PHP', '[04-May-2026 11:00:00 UTC] PHP Warning:  Undefined variable'],
  [
    'of Rails',
    'I, [2026-05-04T11:00:00.123456 #812]  INFO -- : [5f0c] Started GET "/rooms" for 192.0.2.7 at 2026-05-04',
  ],
  [
    'of Rails without times',
    'Started POST "/rooms" for 192.0.2.7 at 2026-05-04 11:00:00 +0000\nProcessing by RoomsController',
  ],
  ['of Rails, of errors alone', 'ActionController::RoutingError (No route matches [GET] "/room"):\n  \n'],
  ['of lines that begin with their time', '[2012-06-02 11:02:11] connect failed\n[2012-06-03 04:10:00] no such file'],
])('a log %s is one', (_of, text) => {
  const log = exposedFiles().find(({ kind }) => kind === 'log-file')
  expect(log && proofOf(log, answer(text))).not.toBeNull()
})

it('a dump in small letters is one, and its rows are masked', () => {
  const dump = exposedFiles().find(({ name }) => name === 'a database dump')
  const sample = answer(
    "create table riders(id serial, mail text);\ninsert into riders values (1,'ida@post.example');\n",
  )
  expect(dump && proofOf(dump, sample)).not.toBeNull()
  expect(sample.text).not.toContain('ida@post.example')
})

it('the status page of nginx is asked for by each of the names that its handbooks give it', () => {
  const page = exposedFiles().find(({ name }) => name === 'the status page of nginx')
  const urls = page === undefined ? [] : urlsOf(page, new URL('http://shop.test/'), 'shop.test')
  const names = ['nginx_status', 'stub_status', 'basic_status', 'status']
  expect(urls).toEqual(names.map((name) => `http://shop.test/${name}`))
})

it.each([
  [
    'with an address of the database',
    'production:\n  adapter: mysql2\n  url: mysql2://shop:hunter22@db.internal/shop\n',
    true,
  ],
  ['with an address that has no password', 'production:\n  adapter: mysql2\n  url: mysql2://db.internal/shop\n', false],
])('settings in YAML %s', (_of, text, isOne) => {
  const settings = exposedFiles().find(({ name }) => name === 'settings in YAML with a password')
  expect((settings && proofOf(settings, answer(text))) !== null).toBe(isOne)
})

it('a key by which an application of .NET signs what it hands out is a secret', () => {
  const key = 'A1B2C3D4E5F60718'.repeat(8)
  const configuration = exposedFiles().find(({ name }) => name === 'a .NET configuration with a secret')
  const text = `<?xml version="1.0"?>\n<configuration><system.web><machineKey validation="SHA1" validationKey="${key}" /></system.web></configuration>`
  const sample = answer(text, 'application/octet-stream')
  expect(configuration && proofOf(configuration, sample)).not.toBeNull()
  expect(sample.text).not.toContain(key)
})

describe('exposed files', () => {
  it('are asked for at addresses that the one policy lets be read', () => {
    const urls = exposedFiles().flatMap((file) => urlsOf(file, new URL('http://shop.test/'), 'shop.test'))
    expect(urls.length).toBeGreaterThan(80)
    expect(urls.filter((url) => harmOfAddress(url) !== null)).toEqual([])
  })

  it('all have a sample, and together are few', () => {
    expect(Object.keys(SAMPLES).toSorted()).toEqual(
      exposedFiles()
        .map(({ name }) => name)
        .toSorted(),
    )
    expect(exposedFiles().flatMap(({ step }) => step.paths).length).toBeLessThanOrEqual(145)
  })

  it.each(exposedFiles().map((file) => [file.name, file] as const))(
    '%s: is known by its content, and by nothing else',
    (name, file) => {
      const sample = SAMPLES[name] ?? answer('')
      expect(proofOf(file, sample)).not.toBeNull()
      expect(proofOf(file, { ...sample, status: 404 })).toBeNull()
      for (const decoy of DECOYS) expect(proofOf(file, decoy), decoy.text).toBeNull()
    },
  )

  it('no value that could be used is kept', () => {
    const kept = JSON.stringify(Object.values(SAMPLES).map(({ text }) => text))
    expect(kept).not.toMatch(/hunter22|8rM1o3yYx0Wb2c3d4e5f6|cm9iaW46|abcdef0123/)
  })
})
