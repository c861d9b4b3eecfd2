/** Web servers, and what runs in them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { write } from '../../support/services.ts'
import type { Installation } from './installation.ts'

const fileIn = (folder: string, path: string, text: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const GIT_CONFIG =
  '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = https://git.shop.test/shop\n'

const nginx: Installation = {
  id: 'nginx',
  needs: 'nginx-light',
  program: '/usr/sbin/nginx',
  finds: {
    'nginx-listing': 80,
    'nginx-stub-status': 80,
    'nginx-off-by-slash': 80,
    'git-config-served': 80,
    'nginx-version-told': 80,
  },
  public: { 'nginx-version': 80, 'nginx-status': 80, 'git-config': 80 },
  run: ({ address, folder }, how) => {
    const open = how === 'exposed'
    fileIn(folder, 'www/index.html', '<h1>Shop</h1>')
    fileIn(folder, 'www/files/price-list.txt', 'prices')
    fileIn(folder, 'www/.git/config', GIT_CONFIG)
    fileIn(folder, 'private/notes.txt', 'for the office alone')
    fileIn(folder, 'assets/shop.css', 'h1 {}')
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const config = write(folder, 'nginx.conf', [
      'daemon off; master_process off; user root;',
      `pid ${folder}/pid; error_log ${folder}/error.log;`,
      'events {}',
      `http { access_log off; ${temporary.join(' ')} ${open ? '' : 'server_tokens off;'}`,
      `server { listen ${address}:80; root ${folder}/www;`,
      ...(open ? [] : ['location ~ /\\.git { return 404; }']),
      `location /files/ { autoindex ${open ? 'on' : 'off'}; }`,
      `location = /nginx_status { stub_status; ${open ? '' : 'deny all;'} }`,
      `location /assets${open ? '' : '/'} { alias ${folder}/assets/; }`,
      '} }',
    ])
    return { command: '/usr/sbin/nginx', args: ['-c', config, '-p', folder] }
  },
}

const APACHE_MODULES = [
  ...['mpm_event', 'authz_core', 'authz_host', 'dir', 'autoindex', 'mime', 'status', 'info'],
  ...['alias', 'filter'],
]

const apache: Installation = {
  id: 'apache',
  needs: 'apache2-bin',
  program: '/usr/sbin/apache2',
  finds: { 'apache-server-status': 80, 'apache-server-info': 80, 'apache-listing': 80, 'trace-answered': 80 },
  public: { 'apache-server-status': 80, 'http-trace': 80 },
  run: ({ address, folder }, how) => {
    const open = how === 'exposed'
    fileIn(folder, 'www/index.html', '<h1>Shop</h1>')
    fileIn(folder, 'www/files/price-list.txt', 'prices')
    const access = open ? 'Require all granted' : 'Require ip 192.0.2.1'
    const config = write(folder, 'apache.conf', [
      `ServerRoot ${folder}`,
      `ServerName shop.test`,
      `Listen ${address}:80`,
      `PidFile ${folder}/pid`,
      `ErrorLog ${folder}/error.log`,
      `DefaultRuntimeDir ${folder}`,
      'User www-data',
      'Group www-data',
      ...APACHE_MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
      'TypesConfig /etc/mime.types',
      `DocumentRoot ${folder}/www`,
      `<Directory ${folder}/www>`,
      `  Options ${open ? 'Indexes' : 'None'}`,
      '  Require all granted',
      '</Directory>',
      `<Location /server-status>\n  SetHandler server-status\n  ${access}\n</Location>`,
      `<Location /server-info>\n  SetHandler server-info\n  ${access}\n</Location>`,
      `TraceEnable ${open ? 'On' : 'Off'}`,
    ])
    return { command: '/usr/sbin/apache2', args: ['-DFOREGROUND', '-f', config] }
  },
}

const lighttpd: Installation = {
  id: 'lighttpd',
  needs: 'lighttpd',
  program: '/usr/sbin/lighttpd',
  finds: { 'lighttpd-listing': 80, 'lighttpd-status': 80 },
  run: ({ address, folder }, how) => {
    const open = how === 'exposed'
    fileIn(folder, 'www/files/price-list.txt', 'prices')
    const config = write(folder, 'lighttpd.conf', [
      `server.modules = ( "mod_dirlisting"${open ? ', "mod_status"' : ''} )`,
      `server.document-root = "${folder}/www"`,
      `server.bind = "${address}"`,
      'server.port = 80',
      `dir-listing.activate = "${open ? 'enable' : 'disable'}"`,
      ...(open ? ['status.status-url = "/server-status"'] : []),
    ])
    return { command: '/usr/sbin/lighttpd', args: ['-D', '-f', config] }
  },
}

const caddy: Installation = {
  id: 'caddy',
  needs: 'caddy',
  program: '/usr/bin/caddy',
  finds: { 'caddy-admin-open': 2019, 'caddy-browse': 80 },
  closedBy: [2019],
  run: ({ address, folder }, how) => {
    const open = how === 'exposed'
    fileIn(folder, 'www/notes.txt', 'notes')
    const config = write(folder, 'Caddyfile', [
      `{\n\tadmin ${open ? `${address}:2019 {\n\t\torigins shop.test:2019\n\t}` : 'off'}\n\tauto_https off\n}`,
      `http://:80 {\n\tbind ${address}\n\troot * ${folder}/www\n\tfile_server ${open ? 'browse' : ''}\n}`,
    ])
    return {
      command: '/usr/bin/caddy',
      args: ['run', '--config', config, '--adapter', 'caddyfile'],
      env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    }
  },
}

/** PHP's own server, with what somebody left in its folder. */
const php: Installation = {
  id: 'php',
  needs: 'php-cli',
  program: '/usr/bin/php',
  finds: { 'phpinfo-page': 80, 'php-error-shown': 80 },
  public: { 'phpinfo-files': 80 },
  run: ({ address, folder }, how) => {
    const open = how === 'exposed'
    fileIn(folder, 'www/index.php', '<h1>Shop</h1>')
    fileIn(folder, 'www/report.php', '<?php echo strtoupper($_GET["month"]);')
    if (open) fileIn(folder, 'www/phpinfo.php', '<?php phpinfo();')
    const shown = open ? '1' : '0'
    return {
      command: '/usr/bin/php',
      args: ['-d', `display_errors=${shown}`, '-S', `${address}:80`, '-t', `${folder}/www`],
    }
  },
}

/** An application in PHP, served or not. */
const adminer: Installation = {
  id: 'adminer',
  needs: 'adminer',
  program: '/usr/share/adminer/adminer.php',
  finds: { 'adminer-panel': 80 },
  public: { 'adminer-panel': 80 },
  run: ({ address, folder }, how) => {
    fileIn(folder, 'www/index.html', '<h1>Shop</h1>')
    const root = how === 'exposed' ? '/usr/share/adminer' : `${folder}/www`
    return { command: '/usr/bin/php', args: ['-d', 'display_errors=0', '-S', `${address}:80`, '-t', root] }
  },
}

const PYTHON = '/usr/bin/python3'

const python: Installation = {
  id: 'python',
  needs: 'python3',
  program: PYTHON,
  finds: { 'python-listing': 80 },
  public: { 'dir-listing': 80 },
  run: ({ address, folder }, how) => {
    fileIn(folder, 'www/price-list.txt', 'prices')
    if (how === 'mended') fileIn(folder, 'www/index.html', '<h1>Shop</h1>')
    return { command: PYTHON, args: ['-m', 'http.server', '80', '--bind', address, '--directory', `${folder}/www`] }
  },
}

const flask: Installation = {
  id: 'flask',
  needs: 'python3-flask',
  program: '/usr/lib/python3/dist-packages/flask/__init__.py',
  finds: { 'werkzeug-debugger': 80 },
  run: ({ address, folder }, how) => {
    const debug = how === 'exposed' ? 'True' : 'False'
    const code = [
      'from flask import Flask',
      'app = Flask(__name__)',
      '@app.route("/")',
      'def home(): return "<h1>Shop</h1>"',
      '@app.route("/report")',
      'def report(): return 1 / 0',
      `app.run(host="${address}", port=80, debug=${debug}, use_reloader=False)`,
    ]
    return { command: PYTHON, args: [write(folder, 'shop.py', code)] }
  },
}

const MODULES = new URL('../../../node_modules/', import.meta.url).pathname

const vite: Installation = {
  id: 'vite',
  needs: 'npm: vite',
  program: join(MODULES, 'vite/bin/vite.js'),
  finds: { 'vite-dev-server': 80, 'vite-files-of-the-machine': 80 },
  public: { 'CVE-2025-30208': 80 },
  run: ({ address, folder }, how) => {
    const open = how === 'exposed'
    fileIn(folder, 'index.html', '<!doctype html><title>Shop</title><h1>Shop</h1>')
    fileIn(folder, 'dist/index.html', '<!doctype html><title>Shop</title><h1>Shop</h1>')
    const config = write(folder, 'vite.config.mjs', [
      `export default { cacheDir: ${JSON.stringify(join(folder, 'cache'))}, server: { allowedHosts: true, fs: { strict: ${!open} } }, preview: { allowedHosts: true } }`,
    ])
    const verb = open ? [] : ['preview']
    return {
      command: process.execPath,
      args: [
        join(MODULES, 'vite/bin/vite.js'),
        ...verb,
        folder,
        '--config',
        config,
        '--host',
        address,
        '--port',
        '80',
        '--strictPort',
      ],
    }
  },
}

const swagger: Installation = {
  id: 'swagger-ui',
  needs: 'npm: swagger-ui-dist',
  program: join(MODULES, 'swagger-ui-dist/index.html'),
  finds: { 'swagger-ui': 80 },
  public: { 'swagger-api': 80 },
  run: ({ address, folder }, how) => {
    fileIn(folder, 'www/index.html', '<h1>Shop</h1>')
    const root = how === 'exposed' ? join(MODULES, 'swagger-ui-dist') : `${folder}/www`
    return { command: PYTHON, args: ['-m', 'http.server', '80', '--bind', address, '--directory', root] }
  },
}

export const WEB_SERVERS: readonly Installation[] = [
  nginx,
  apache,
  lighttpd,
  caddy,
  php,
  adminer,
  python,
  flask,
  vite,
  swagger,
]
