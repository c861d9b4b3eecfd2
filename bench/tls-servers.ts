/** The six servers of the TLS benchmark: five of nginx, and gnutls-serv for what Debian's OpenSSL no longer has (3DES). */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface BenchServer {
  readonly id: string
  readonly what: string
  readonly port: number
}

export interface BenchServers {
  readonly list: readonly BenchServer[]
  readonly stop: () => void
}

/** What the servers are made of and this machine lacks. */
export const missingPrograms = (): readonly string[] =>
  ['nginx', 'gnutls-serv', 'openssl'].filter((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error)

const SITE = 'shop.test'
const MODERN = 'ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20; ssl_prefer_server_ciphers on;'

export const startServers = (folder: string): BenchServers => {
  const openssl = (...options: string[]) =>
    execFileSync('openssl', options, { cwd: folder, stdio: 'ignore', timeout: 120_000 })
  const certificate = (name: string, subject: string, ...more: string[]) =>
    openssl(
      'req',
      '-x509',
      '-nodes',
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
      '-subj',
      `/CN=${subject}`,
      '-addext',
      `subjectAltName=DNS:${subject}`,
      ...more,
    )
  certificate('ec', SITE, '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-days', '60')
  certificate('rsa', SITE, '-newkey', 'rsa:2048', '-days', '60')
  // A day that is over: issued for one day, the day before yesterday.
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'old.key', '-out', 'old.csr', '-subj', '/CN=other.test')
  openssl('x509', '-req', '-in', 'old.csr', '-signkey', 'old.key', '-out', 'old.pem', '-days', '-1')
  openssl('dhparam', '-dsaparam', '-out', 'dh.pem', '1024')
  const server = (port: number, pair: string, lines: string) => `server {
    listen 127.0.0.1:${port} ssl; server_name _;
    ssl_certificate ${folder}/${pair}.pem; ssl_certificate_key ${folder}/${pair}.key;
    ${lines}
    location / { return 200 "ok"; }
  }`
  const config = `daemon off; pid ${folder}/nginx.pid; worker_processes 2; error_log /dev/null crit;
events { worker_connections 1024; }
http { access_log off; client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c; uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
  ${server(7441, 'ec', MODERN)}
  ${server(7443, 'rsa', `ssl_protocols TLSv1.2; ssl_ciphers DHE+AES:@SECLEVEL=0; ssl_dhparam ${folder}/dh.pem;`)}
  ${server(7444, 'rsa', 'ssl_protocols TLSv1.2; ssl_ciphers kRSA+AES;')}
  ${server(7445, 'old', MODERN)}
  ${server(7446, 'rsa', `${MODERN} ssl_verify_client on; ssl_client_certificate ${folder}/rsa.pem;`)}
}`
  writeFileSync(join(folder, 'nginx.conf'), config)
  const children: ChildProcess[] = [
    spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' }),
    spawn(
      'gnutls-serv',
      [
        ...[
          '-p',
          '7442',
          '--http',
          '-q',
          '--x509keyfile',
          join(folder, 'rsa.key'),
          '--x509certfile',
          join(folder, 'rsa.pem'),
        ],
        ...['--priority', 'NORMAL:-VERS-ALL:+VERS-TLS1.2:+VERS-TLS1.1:+VERS-TLS1.0:+3DES-CBC:+SHA1:%SERVER_PRECEDENCE'],
      ],
      { stdio: 'ignore' },
    ),
  ]
  return {
    list: [
      { id: 'modern', what: 'strong modern (nginx)', port: 7441 },
      { id: 'legacy', what: 'TLS 1.0 to 1.2 with CBC and 3DES (GnuTLS)', port: 7442 },
      { id: 'weak-dh', what: 'weak DH of 1024 bits (nginx)', port: 7443 },
      { id: 'rsa-only', what: 'RSA key exchange only (nginx)', port: 7444 },
      { id: 'expired', what: 'expired and wrong name (nginx)', port: 7445 },
      { id: 'client-auth', what: 'client certificates (nginx)', port: 7446 },
    ],
    stop: () => {
      for (const child of children) child.kill('SIGTERM')
    },
  }
}
