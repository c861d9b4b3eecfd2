/** Services that start within a second or two: those that ordinary tests use. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { certificate, printed, type RealService, write } from './services.ts'

const openssh: RealService = {
  id: 'openssh',
  needs: 'openssh-server',
  program: '/usr/sbin/sshd',
  ports: [22],
  prepare: ({ address, folder }) => {
    mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')])
    execFileSync('ssh-keygen', ['-q', '-t', 'rsa', '-b', '1024', '-N', '', '-f', join(folder, 'short')])
    const config = write(folder, 'sshd_config', [
      `ListenAddress ${address}:22`,
      `HostKey ${folder}/key`,
      `HostKey ${folder}/short`,
      `PidFile ${folder}/pid`,
      'UsePAM no',
      'MACs hmac-sha2-256,hmac-md5',
      'MaxStartups 200',
    ])
    return { command: '/usr/sbin/sshd', args: ['-D', '-e', '-f', config] }
  },
  truth: [{ port: 22, product: /^OpenSSH$/, version: () => printed('ssh', ['-V'], /OpenSSH_(\d[\w.]+)/) }],
}

const nginx: RealService = {
  id: 'nginx',
  needs: 'nginx-light',
  program: '/usr/sbin/nginx',
  ports: [80, 443],
  prepare: ({ address, folder }) => {
    const { key, cert } = certificate(folder)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const config = write(folder, 'nginx.conf', [
      'daemon off; master_process off;',
      `pid ${folder}/pid; error_log ${folder}/error.log;`,
      'events {}',
      `http { access_log off; ${temporary.join(' ')}`,
      `server { listen ${address}:80; location / { return 200 "shop"; } }`,
      `server { listen ${address}:443 ssl; ssl_certificate ${cert}; ssl_certificate_key ${key}; location / { return 200 "shop"; } } }`,
    ])
    return { command: '/usr/sbin/nginx', args: ['-c', config, '-p', folder] }
  },
  truth: [80, 443].map((port) => ({
    port,
    product: /^nginx$/,
    version: () => printed('/usr/sbin/nginx', ['-v'], /nginx\/([\d.]+)/),
  })),
}

const redis: RealService = {
  id: 'redis',
  needs: 'redis-server',
  program: '/usr/bin/redis-server',
  ports: [6379],
  prepare: ({ address, folder }) => ({
    command: '/usr/bin/redis-server',
    args: ['--bind', address, '--port', '6379', '--protected-mode', 'no', '--save', '', '--dir', folder],
  }),
  truth: [
    { port: 6379, product: /^Redis/, version: () => printed('/usr/bin/redis-server', ['--version'], /v=([\d.]+)/) },
  ],
}

const memcached: RealService = {
  id: 'memcached',
  needs: 'memcached',
  program: '/usr/bin/memcached',
  ports: [11211],
  prepare: ({ address }) => ({
    command: '/usr/bin/memcached',
    args: ['-u', 'nobody', '-l', address, '-p', '11211', '-U', '11211'],
  }),
  truth: [
    {
      port: 11211,
      product: /^Memcached$/i,
      version: () => printed('/usr/bin/memcached', ['-V'], /memcached ([\d.]+)/),
    },
  ],
}

const mosquitto: RealService = {
  id: 'mosquitto',
  needs: 'mosquitto',
  program: '/usr/sbin/mosquitto',
  ports: [1883],
  prepare: ({ address, folder }) => ({
    command: '/usr/sbin/mosquitto',
    args: [
      '-c',
      write(folder, 'mosquitto.conf', [
        `listener 1883 ${address}`,
        'allow_anonymous true',
        'persistence false',
        'user root',
      ]),
    ],
  }),
  truth: [
    {
      port: 1883,
      product: /^mosquitto/i,
      version: () => printed('/usr/sbin/mosquitto', ['-h'], /mosquitto version ([\d.]+)/),
    },
  ],
}

const rsync: RealService = {
  id: 'rsync',
  needs: 'rsync',
  program: '/usr/bin/rsync',
  ports: [873],
  prepare: ({ address, folder }) => ({
    command: '/usr/bin/rsync',
    args: [
      '--daemon',
      '--no-detach',
      `--address=${address}`,
      '--port=873',
      `--config=${write(folder, 'rsyncd.conf', [`pid file = ${folder}/pid`, 'use chroot = no', '[backup]', `path = ${folder}`, 'comment = nightly'])}`,
    ],
  }),
  truth: [{ port: 873, product: /^rsync$/i, version: null }],
}

const POSTGRES = '/usr/lib/postgresql/15/bin'
const postgresql: RealService = {
  id: 'postgresql',
  needs: 'postgresql-15',
  program: `${POSTGRES}/postgres`,
  ports: [5432],
  prepare: ({ address, folder }) => ({
    command: 'sh',
    args: [
      '-c',
      `${POSTGRES}/initdb -D ${folder}/data -A scram-sha-256 --pwfile=/etc/hostname >/dev/null && exec ${POSTGRES}/postgres -D ${folder}/data -h ${address} -p 5432 -k ${folder}`,
    ],
    user: 'postgres',
  }),
  truth: [{ port: 5432, product: /^PostgreSQL/, version: null }],
}

const vsftpd: RealService = {
  id: 'vsftpd',
  needs: 'vsftpd',
  program: '/usr/sbin/vsftpd',
  ports: [21],
  prepare: ({ address, folder }) => {
    mkdirSync(join(folder, 'empty'))
    return {
      command: '/usr/sbin/vsftpd',
      args: [
        write(folder, 'vsftpd.conf', [
          'listen=YES',
          `listen_address=${address}`,
          'background=NO',
          'anonymous_enable=YES',
          'local_enable=NO',
          `anon_root=${folder}/empty`,
          `secure_chroot_dir=${folder}/empty`,
          'seccomp_sandbox=NO',
        ]),
      ],
    }
  },
  truth: [
    {
      port: 21,
      product: /^vsftpd$/,
      version: () => printed('dpkg-query', ['-W', '-f', '$'.concat('{Version}'), 'vsftpd'], /^(?:\d:)?([\d.]+)/),
    },
  ],
}

export const LIGHT_SERVICES: readonly RealService[] = [
  openssh,
  nginx,
  redis,
  memcached,
  mosquitto,
  rsync,
  postgresql,
  vsftpd,
]
