/**
 * Files and interfaces that lie open, named by the template of the catalogue. The mended twin is the one that deceives most: an
 * application that answers every address with its start page and 200.
 */
import { html, json, PHPINFO, type Product, type Reply, type Truth, text, xml } from './products.ts'

const KEY =
  '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78\n-----END RSA PRIVATE KEY-----\n'
const PUBLIC = 'AAAAB3NzaC1yc2EAAAADAQABAAABgQC7vbqajDhA3TzB2xQkq3lqyyB7pQ'
const octets = (body: string): Reply => ({ type: 'application/octet-stream', body })
const start: Product = () => html('<div id="app">Welcome to the shop</div><script src="/app.js"></script>')

/** The path from the site's root, with the query where it matters. */
const OPEN: readonly (readonly [id: string, paths: string, reply: Reply])[] = [
  [
    'git-config',
    '/.git/config',
    text(
      '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote "origin"]\n\turl = git@git.shop.test:shop.git\n[branch "main"]\n\tremote = origin\n',
    ),
  ],
  [
    'exposed-svn',
    '/.svn/entries',
    text(
      '10\n\ndir\n41\nhttp://svn.shop.test/repo/trunk\nhttp://svn.shop.test/repo\n\n2020-01-01T00:00:00.000000Z\n41\ndeploy\n\u000c\nindex.php\nfile\n\n\n\n2011-03-26T18:32:08.000000Z\n0123456789abcdef0123456789abcdef\n2011-03-26T18:32:08.120000Z\n41\ndeploy\nhas-props\n',
    ),
  ],
  [
    'exposed-bzr',
    '/.bzr/branch/branch.conf /.bzr/branch-format',
    text('parent_location = http://bzr.shop.test/trunk\nBazaar-NG meta directory, format 1\n'),
  ],
  ['exposed-darcs', '/_darcs/prefs/binaries', text('# Binary file regexps:\n\\.(png|PNG)$\n\\.(gz|GZ)$\n')],
  ['exposed-hg', '/.hg/hgrc', text('[paths]\ndefault = https://hg.shop.test/shop\n')],
  [
    'exposed-gitignore',
    '/.gitignore',
    text('# Logs\n*.log\nnode_modules/\n/vendor\n/public/uploads/*\n/storage/framework/cache\n.env\n'),
  ],
  [
    'aws-credentials',
    '/.aws/credentials /.aws/config',
    text(
      '[default]\naws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n',
    ),
  ],
  [
    'laravel-env',
    '/.env',
    text(
      'APP_NAME=Shop\nAPP_ENV=production\nAPP_KEY=base64:u30Zp1kK1oUQ9c6T6d3S4m1Wb2xVQ8y7tR0eYxkQh0A=\nAPP_DEBUG=false\nDB_CONNECTION=mysql\nDB_HOST=127.0.0.1\nDB_DATABASE=shop\nDB_USERNAME=shop\nDB_PASSWORD=hunter22\nMAIL_HOST=mail\nREDIS_PASSWORD=null\n',
      { type: 'application/octet-stream' },
    ),
  ],
  [
    'docker-compose-config',
    '/docker-compose.yml',
    text(
      "version: '3.8'\nservices:\n  web:\n    image: nginx:1.25\n    ports:\n      - '80:80'\nvolumes:\n  data: {}\n",
      { type: 'application/x-yaml' },
    ),
  ],
  [
    'composer-config',
    '/composer.json',
    json({ name: 'shop/shop', type: 'project', require: { php: '>=8.1' }, autoload: { 'psr-4': { 'App\\': 'src/' } } }),
  ],
  [
    'package-json',
    '/package.json',
    json({
      name: 'shop',
      version: '1.0.0',
      scripts: { start: 'node server.js' },
      dependencies: { express: '^4.18.0' },
    }),
  ],
  ['phpinfo-files', '/phpinfo.php', { type: 'text/html; charset=UTF-8', body: PHPINFO }],
  ['netrc', '/.netrc', text('machine git.shop.test\nlogin deploy\npassword hunter22\n')],
  ['npmrc-authtoken', '/.npmrc', text('//registry.npmjs.org/:_authToken=npm_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789\n')],
  [
    'htpasswd-detection',
    '/.htpasswd',
    text('admin:$apr1$Qm3yTz2c$Hy5yG7oUO3u8uQn5l4v1.0\nbackup:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\n'),
  ],
  [
    'web-config',
    '/web.config',
    xml(
      '<?xml version="1.0" encoding="utf-8"?>\n<configuration>\n  <system.web><compilation debug="true" /></system.web>\n  <system.webServer><handlers><add name="a" /></handlers></system.webServer>\n</configuration>',
      { type: 'application/xml' },
    ),
  ],
  [
    'ds-store-file',
    '/.DS_Store',
    octets('\u0000\u0000\u0000\u0001Bud1\u0000\u0000\u0010\u0000\u0000\u0000\u0008\u0000\u0000bwspblob'),
  ],
  [
    'filezilla',
    '/sitemanager.xml /filezilla.xml',
    xml(
      '<?xml version="1.0" encoding="UTF-8"?>\n<FileZilla3 version="3.60"><Servers><Server><Host>ftp.shop.test</Host><Port>21</Port><User>deploy</User><Pass encoding="base64">aHVudGVyMjI=</Pass></Server></Servers></FileZilla3>',
      { type: 'application/xml' },
    ),
  ],
  [
    'ftpconfig',
    '/.ftpconfig',
    text(
      '{\n    "protocol": "sftp",\n    "host": "ftp.shop.test",\n    "port": 22,\n    "user": "deploy",\n    "pass": "hunter22",\n    "remote": "/",\n    "promptForPass": false,\n    "privatekey": "",\n    "passphrase": ""\n}',
    ),
  ],
  [
    'vscode-sftp',
    '/.vscode/sftp.json',
    json({
      name: 'live',
      host: 'ftp.shop.test',
      protocol: 'sftp',
      port: 22,
      username: 'deploy',
      password: 'hunter22',
      remotePath: '/var/www',
      uploadOnSave: true,
    }),
  ],
  [
    'sftp-deployment-config',
    '/deployment-config.json',
    json({
      live: {
        type: 'sftp',
        host: 'ftp.shop.test',
        port: 22,
        username: 'deploy',
        password: 'hunter22',
        remotePath: '/var/www',
      },
    }),
  ],
  ['server-private-keys', '/server.key /privatekey.key /key.pem /id_rsa /localhost.key', octets(KEY)],
  [
    'ssh-authorized-keys',
    '/.ssh/authorized_keys /_/.ssh/authorized_keys',
    text(`ssh-rsa ${PUBLIC} deploy@shop\n`, { type: 'application/octet-stream' }),
  ],
  [
    'ssh-known-hosts',
    '/.ssh/known_hosts',
    octets(`github.com ssh-rsa ${PUBLIC}\nshop.test,192.0.2.1 ecdsa-sha2-nistp256 AAAAE2VjZHNh\n`),
  ],
  ['git-credentials-disclosure', '/.git-credentials', text('https://deploy:hunter22hunter@github.com\n')],
  [
    'circleci-config',
    '/.circleci/config.yml',
    text(
      'version: 2.1\njobs:\n  build:\n    docker:\n      - image: cimg/node:20.0\n    steps:\n      - checkout\nworkflows:\n  main:\n    jobs: [build]\n',
      { type: 'text/yaml' },
    ),
  ],
  [
    'gitlab-ci-yml',
    '/.gitlab-ci.yml',
    text('stages:\n  - build\n  - deploy\nbuild:\n  stage: build\n  image: node:20\n  script:\n    - npm ci\n', {
      type: 'text/yaml',
    }),
  ],
  [
    'travis-ci-disclosure',
    '/.travis.yml',
    octets(
      'language: node_js\nnode_js:\n  - 20\nbefore_script:\n  - npm ci\nscript:\n  - npm test\njobs:\n  include:\n    - stage: deploy\n',
    ),
  ],
  [
    'rails-database-config',
    '/config/database.yml',
    text(
      'production:\n  adapter: postgresql\n  encoding: unicode\n  pool: 5\n  host: db\n  database: shop\n  username: shop\n  password: hunter22\n',
      { type: 'text/yaml' },
    ),
  ],
  [
    'symfony-profiler',
    '/_profiler/empty/search/results /app_dev.php/_profiler/empty/search/results',
    html('<title>Symfony Profiler</title><h2>0 results found</h2><div id="sf-toolbar">Symfony Profiler</div>'),
  ],
  [
    'prometheus-metrics',
    '/metrics',
    text(
      '# HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.\n# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 1.5\n# HELP go_goroutines Number of goroutines that currently exist.\n# TYPE go_goroutines gauge\ngo_goroutines 8\n# HELP http_requests_total Requests.\n# TYPE http_requests_total counter\n',
      { type: 'text/plain; version=0.0.4' },
    ),
  ],
  [
    'openapi',
    '/openapi.json',
    json({ openapi: '3.0.1', info: { title: 'Shop', version: '1' }, paths: { '/orders': { get: { responses: {} } } } }),
  ],
  [
    'swagger-api',
    '/swagger.json /v2/api-docs /swagger/v1/swagger.json /api-docs',
    json({
      swagger: '2.0',
      info: { title: 'Swagger Shop', version: '1' },
      host: 'shop.test',
      basePath: '/',
      paths: {},
    }),
  ],
  [
    'wsdl-api',
    '/?wsdl',
    xml(
      '<?xml version="1.0" encoding="UTF-8"?><wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" targetNamespace="http://shop.test/"><wsdl:types/></wsdl:definitions>',
    ),
  ],
  [
    'sql-dump',
    '/dump.sql /backup.sql /database.sql',
    octets(
      '-- MySQL dump 10.13  Distrib 8.0.30\n--\n-- Host: localhost    Database: shop\nDROP TABLE IF EXISTS `users`;\nCREATE TABLE `users` (\n  `id` int NOT NULL\n);\nINSERT INTO `users` VALUES (1);\n',
    ),
  ],
  [
    'crossdomain-xml',
    '/crossdomain.xml',
    xml('<?xml version="1.0"?><cross-domain-policy><allow-access-from domain="*"/></cross-domain-policy>'),
  ],
  [
    'yarn-lock',
    '/yarn.lock',
    text(
      '# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.\n# yarn lockfile v1\n\nexpress@^4.18.0:\n  version "4.18.2"\n',
      { type: 'text/html' },
    ),
  ],
  [
    'pipfile-lock',
    '/Pipfile.lock',
    json({
      _meta: { hash: { sha256: 'a' }, 'pipfile-spec': 6, requires: { python_version: '3.11' }, sources: [] },
      default: { django: { version: '==4.2' } },
      develop: {},
    }),
  ],
  [
    'npm-debug-log',
    '/npm-debug.log',
    text(
      "0 info it worked if it ends with ok\n1 verbose cli [ '/usr/bin/node', '/usr/bin/npm', 'start' ]\n2 info using npm@6.14.4\n3 info using node@v10.19.0\n4 verbose stack Error: shop@1.0.0 start: `node server.js`\n4 verbose stack Exit status 1\n",
    ),
  ],
  [
    'laravel-log-file',
    '/storage/logs/laravel.log',
    text(
      '[2026-11-26 10:00:00] production.ERROR: SQLSTATE[HY000] [2002] Connection refused {"exception":"[object] (Illuminate\\\\Database\\\\QueryException(code: 2002): SQLSTATE at /var/www/vendor/laravel/framework/src/Illuminate/Database/Connection.php:669)\n[stacktrace]\n#0 /var/www/vendor/laravel/framework\nInvalidArgumentException\n',
      { type: 'text/x-log' },
    ),
  ],
  [
    'go-pprof-debug',
    '/debug/pprof/heap',
    text(
      'heap profile: 3: 4096 [9: 8192] @ heap/1048576\n1: 2048 [1: 2048] @ 0x45\n\n# runtime.MemStats\n# Alloc = 812344\n# TotalAlloc = 912344\n',
    ),
  ],
  [
    'php-fpm-status',
    '/status',
    text(
      'pid:                  8\npool:                 www\nprocess manager:      dynamic\nstart time:           26/Nov/2026:10:00:00 +0000\nstart since:          100\naccepted conn:        12\nlisten queue:         0\n',
    ),
  ],
  [
    'elmah-log-file',
    '/elmah.axd',
    html(
      '<title>Error log for /</title><h1 id="PageTitle">Error Log for <span>/</span> on SHOP</h1><p>Powered by <a href="http://elmah.googlecode.com/">ELMAH</a></p>',
    ),
  ],
  ['druid-monitor', '/druid/index.html', html('<title>Druid Stat Index</title><h3>Stat Index</h3>')],
  [
    'docker-registry',
    '/v2/_catalog',
    json(
      { repositories: ['shop/web', 'shop/api'] },
      { headers: { 'Docker-Distribution-Api-Version': 'registry/2.0' } },
    ),
  ],
  [
    'etcd-unauthenticated-api',
    '/v2/auth/roles',
    json({ roles: [{ role: 'guest', permissions: { kv: { read: ['/*'], write: ['/*'] } } }] }),
  ],
  [
    'springboot-env',
    '/actuator/env /env',
    json(
      {
        activeProfiles: ['prod'],
        propertySources: [
          { name: 'server.ports', properties: { 'local.server.port': { value: 8080 } } },
          { name: 'applicationConfig: [classpath:/application.yml]', properties: {} },
          { name: 'systemProperties', properties: {} },
        ],
      },
      { type: 'application/vnd.spring-boot.actuator.v3+json' },
    ),
  ],
  [
    'springboot-mappings',
    '/actuator/mappings /mappings',
    json(
      {
        contexts: {
          application: {
            mappings: {
              dispatcherServlets: {
                dispatcherServlet: [
                  {
                    handler: 'o',
                    predicate: '{GET [/orders]}',
                    details: {
                      requestMappingConditions: {
                        methods: ['GET'],
                        patterns: ['/orders'],
                        produces: [{ mediaType: 'application/json', negated: false }],
                      },
                    },
                  },
                ],
              },
            },
          },
        },
      },
      { type: 'application/vnd.spring-boot.actuator.v3+json' },
    ),
  ],
  [
    'firebase-config-exposure',
    '/config.js',
    text(
      'var config = {\n  apiKey: "AIzaSyA-1234567890abcdefghijklmnopqrstu",\n  authDomain: "shop.firebaseapp.com",\n  databaseURL: "https://shop.firebaseio.com",\n  storageBucket: "shop.appspot.com"\n}\n',
      { type: 'text/javascript' },
    ),
  ],
  [
    'haproxy-status',
    '/haproxy?stats /haproxy-status /haproxy/stats /stats',
    html(
      '<title>Statistics Report for HAProxy</title><h1><a href="http://www.haproxy.org/">HAProxy version 2.6.12</a></h1><h2>Statistics Report for pid 8</h2>',
    ),
  ],
  ['cadvisor-exposure', '/containers/', html('<title>cAdvisor - /</title><div>cAdvisor</div>')],
  [
    'jupyter-notebooks-exposed',
    '/ /tree',
    html(
      '<title>Home Page - Select or create a notebook</title><div id="notebook_list">Jupyter Notebook</div><a>Select items to perform actions on them.</a>',
    ),
  ],
  [
    'error-logs',
    '/error.log /errors.log /logs/error.log /error_log',
    text(
      '[Thu Nov 26 10:00:00.000000 2026] [php:error] [pid 1] [client 192.0.2.9:4711] PHP Fatal error:  Uncaught Error in /var/www/html/index.php:4\nStack trace:\n#0 {main}\n  thrown in /var/www/html/index.php on line 4\n',
    ),
  ],
  [
    'robomongo-credential',
    '/db/robomongo.json /robomongo.json',
    json({
      connections: [
        {
          connectionName: 'live',
          serverHost: 'db.shop.test',
          serverPort: 27017,
          credentials: [{ databaseName: 'admin', userName: 'root', userPassword: 'hunter22', enabled: true }],
        },
      ],
    }),
  ],
  [
    'symfony-database-config',
    '/config/databases.yml',
    text(
      'all:\n  doctrine:\n    class: sfDoctrineDatabase\n    param:\n      dsn: mysql:host=localhost;dbname=shop\n      username: shop\n      password: hunter22\n',
      { type: 'text/yaml' },
    ),
  ],
  [
    'adcs-certificate',
    '/CertEnroll/ /certenroll/',
    html(
      '<title>shop.test - /CertEnroll/</title><h1>/CertEnroll/</h1><pre><a href="/CertEnroll/shop-CA.crl">shop-CA.crl</a><br><a href="/CertEnroll/ca.shop.test_shop-CA.crt">ca.shop.test_shop-CA.crt</a></pre>',
    ),
  ],
  [
    'mysql-history',
    '/.mysql_history',
    text('_HiStOrY_V2_\nshow\\040databases;\nselect\\040*\\040from\\040users;\ndrop table sessions;\n', {
      type: 'application/octet-stream',
    }),
  ],
  [
    'desktop-ini-exposure',
    '/desktop.ini',
    octets('[.ShellClassInfo]\r\nLocalizedResourceName=@shell32.dll,-21770\r\nIconResource=shell32.dll,-112\r\n'),
  ],
  [
    'proxy-wpad-exposure',
    '/wpad.dat /proxy.pac',
    text(
      'function FindProxyForURL(url, host) {\n  if (isPlainHostName(host)) return "DIRECT"\n  return "PROXY proxy.shop.test:8080; DIRECT"\n}\n',
      { type: 'application/x-ns-proxy-autoconfig' },
    ),
  ],
]

export const EXPOSURES: readonly Truth[] = OPEN.map(([id, paths, reply]) => ({
  id,
  product: 'a site that leaves it open',
  vulnerable: ({ raw }) => (paths.split(' ').some((path) => raw === path || raw.split('?')[0] === path) ? reply : null),
  patched: start,
}))
