/**
 * Applications and servers as Debian packages them, without a database where they start without one. Needs: dokuwiki
 * phpmyadmin mediawiki wordpress phpsysinfo squid varnish haproxy caddy tomcat10 python3-flask gunicorn python3-tornado
 * uvicorn prometheus.
 */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place, Subject } from './subject.ts'

export const applications = (place: Place): readonly Subject[] => [
  php(place, 'DokuWiki', 8121, '/usr/share/dokuwiki'),
  php(place, 'phpMyAdmin', 8122, '/usr/share/phpmyadmin'),
  // Its own page for a wiki that is not set up yet, whatever this machine has.
  { ...php(place, 'MediaWiki', 8123, '/usr/share/mediawiki'), env: { MW_CONFIG_FILE: join(place.folder, 'none.php') } },
  php(place, 'WordPress', 8124, '/usr/share/wordpress', withoutConfiguration(place)),
  php(place, 'phpSysInfo', 8125, '/usr/share/phpsysinfo'),
  ...servers(place),
  ...python(place),
]

const php = ({ address }: Place, name: string, port: number, installed: string, root = installed): Subject => ({
  ...{ name, port, needs: join(installed, 'index.php') },
  command: ['/usr/bin/php', '-S', `${address}:${port}`, '-t', root],
})

/** Debian's wp-config.php looks for one of the host; without any, WordPress shows how to set it up. */
const withoutConfiguration = ({ folder }: Place): string => {
  const root = join(folder, 'wordpress')
  if (existsSync('/usr/share/wordpress')) {
    cpSync('/usr/share/wordpress', root, { recursive: true, dereference: true })
    rmSync(join(root, 'wp-config.php'), { force: true })
  }
  return root
}

const file = (folder: string, name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const servers = ({ address, folder, www }: Place): readonly Subject[] => {
  const tomcat = join(folder, 'tomcat')
  for (const part of ['conf', 'webapps', 'logs', 'temp', 'work']) mkdirSync(join(tomcat, part), { recursive: true })
  file(
    join(tomcat, 'conf'),
    'server.xml',
    `<Server port="-1"><Service name="a"><Connector address="${address}" port="8133"/><Engine name="e" defaultHost="h"><Host name="h" appBase="webapps"/></Engine></Service></Server>`,
  )
  const squid = file(
    folder,
    'squid.conf',
    `http_port ${address}:8131\npid_filename none\ncache_log /dev/null\naccess_log none\nhttp_access deny all\nvisible_hostname shop.test\n`,
  )
  const haproxy = file(
    folder,
    'haproxy.cfg',
    `defaults\n mode http\n timeout client 5s\n timeout server 5s\n timeout connect 5s\nfrontend f\n bind ${address}:8132\n stats enable\n stats uri /\n`,
  )
  const prometheus = file(folder, 'prometheus.yml', 'scrape_configs: []\n')
  return [
    { name: 'Squid', port: 8131, needs: '/usr/sbin/squid', command: ['/usr/sbin/squid', '-N', '-f', squid] },
    { name: 'HAProxy', port: 8132, needs: '/usr/sbin/haproxy', command: ['/usr/sbin/haproxy', '-db', '-f', haproxy] },
    {
      ...{ name: 'Tomcat', port: 8133, needs: '/usr/share/tomcat10/bin/catalina.sh' },
      command: ['/usr/share/tomcat10/bin/catalina.sh', 'run'],
      env: { CATALINA_BASE: tomcat, CATALINA_HOME: '/usr/share/tomcat10' },
    },
    {
      ...{ name: 'Varnish', port: 8134, needs: '/usr/sbin/varnishd' },
      command: [
        '/usr/sbin/varnishd',
        '-F',
        '-a',
        `${address}:8134`,
        '-b',
        'none',
        '-n',
        join(folder, 'v'),
        '-T',
        'none',
      ],
    },
    {
      ...{ name: 'Caddy', port: 8135, needs: '/usr/bin/caddy' },
      command: ['/usr/bin/caddy', 'file-server', '--listen', `${address}:8135`, '--root', www],
      env: { HOME: folder },
    },
    {
      ...{ name: 'Prometheus', port: 8136, needs: '/usr/bin/prometheus' },
      command: [
        '/usr/bin/prometheus',
        `--web.listen-address=${address}:8136`,
        `--storage.tsdb.path=${join(folder, 'tsdb')}`,
        `--config.file=${prometheus}`,
      ],
    },
  ]
}

const python = ({ address, folder }: Place): readonly Subject[] => {
  file(
    folder,
    'app.py',
    'def app(e, r):\n  r("200 OK", [("Content-Type", "text/html")])\n  return [b"<title>Hi</title>"]\n',
  )
  file(
    folder,
    'asgi.py',
    'async def app(scope, receive, send):\n  await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})\n  await send({"type": "http.response.body", "body": b"<title>Hi</title>"})\n',
  )
  const packages = '/usr/lib/python3/dist-packages'
  return [
    {
      ...{ name: 'Flask', port: 8141, needs: `${packages}/flask` },
      command: [
        '/usr/bin/python3',
        '-c',
        `import flask\na=flask.Flask("a")\na.secret_key="x"\n@a.get("/")\ndef i():\n  flask.session["a"]=1\n  return "<title>Hi</title>"\na.run("${address}", 8141)`,
      ],
    },
    {
      ...{ name: 'Gunicorn', port: 8142, needs: '/usr/bin/gunicorn' },
      command: ['/usr/bin/gunicorn', '-b', `${address}:8142`, '--chdir', folder, 'app:app'],
    },
    {
      ...{ name: 'Tornado', port: 8143, needs: `${packages}/tornado` },
      command: [
        '/usr/bin/python3',
        '-c',
        `import asyncio, tornado.web\nasync def main():\n  tornado.web.Application([]).listen(8143, "${address}")\n  await asyncio.Event().wait()\nasyncio.run(main())`,
      ],
    },
    {
      ...{ name: 'Uvicorn', port: 8144, needs: '/usr/bin/uvicorn' },
      command: ['/usr/bin/uvicorn', '--host', address, '--port', '8144', '--app-dir', folder, 'asgi:app'],
    },
  ]
}
