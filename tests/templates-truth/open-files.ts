/** Files that lie open: template, paths from the root of the site, what is served. */
import { json, PHPINFO, type Reply, text, xml } from './products.ts'

const KEY =
  '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78\n-----END RSA PRIVATE KEY-----\n'
const PUBLIC = 'AAAAB3NzaC1yc2EAAAADAQABAAABgQC7vbqajDhA3TzB2xQkq3lqyyB7pQ'
const octets = (body: string): Reply => ({ type: 'application/octet-stream', body })

export const OPEN_FILES: readonly (readonly [id: string, paths: string, reply: Reply])[] = [
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
]
