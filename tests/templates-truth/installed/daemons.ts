/** Services, and the pages by which they are watched and run. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { certificate, write } from '../../support/services.ts'
import type { Installation } from './installation.ts'

/** bcrypt, as `htpasswd -B` writes it. */
const hashOf = (password: string): string =>
  execFileSync('/usr/bin/php', ['-r', 'echo password_hash($argv[1], PASSWORD_BCRYPT);', password], { encoding: 'utf8' })

const redis: Installation = {
  id: 'redis',
  needs: 'redis-server',
  program: '/usr/bin/redis-server',
  finds: { 'redis-open': 6379 },
  public: { 'exposed-redis': 6379, 'redis-info': 6379 },
  run: ({ address, folder }, how) => ({
    command: '/usr/bin/redis-server',
    args: [
      ...['--bind', address, '--port', '6379', '--protected-mode', 'no', '--save', '', '--dir', folder],
      ...(how === 'exposed' ? [] : ['--requirepass', 'long-and-random']),
    ],
  }),
}

const memcached: Installation = {
  id: 'memcached',
  needs: 'memcached',
  program: '/usr/bin/memcached',
  finds: { 'memcached-open': 11211 },
  public: { 'memcached-stats': 11211 },
  run: ({ address, folder }, how) => ({
    command: '/usr/bin/memcached',
    args: [
      ...['-u', 'nobody', '-l', address, '-p', '11211', '-U', '0'],
      ...(how === 'exposed' ? [] : ['-Y', write(folder, 'users', ['shop:long-and-random'])]),
    ],
  }),
}

const mosquitto: Installation = {
  id: 'mosquitto',
  needs: 'mosquitto',
  program: '/usr/sbin/mosquitto',
  finds: { 'mqtt-anonymous': 1883 },
  run: ({ address, folder }, how) => {
    const lines = [`listener 1883 ${address}`, `allow_anonymous ${how === 'exposed'}`, 'persistence false', 'user root']
    return { command: '/usr/sbin/mosquitto', args: ['-c', write(folder, 'mosquitto.conf', lines)] }
  },
}

const rsync: Installation = {
  id: 'rsync',
  needs: 'rsync',
  program: '/usr/bin/rsync',
  finds: { 'rsync-modules': 873 },
  run: ({ address, folder }, how) => {
    const lines = [`pid file = ${folder}/pid`, 'use chroot = no', '[backup]', `path = ${folder}`, 'comment = nightly']
    const config = write(folder, 'rsyncd.conf', [...lines, ...(how === 'exposed' ? [] : ['list = no'])])
    return {
      command: '/usr/bin/rsync',
      args: ['--daemon', '--no-detach', `--address=${address}`, '--port=873', `--config=${config}`],
    }
  },
}

const vsftpd: Installation = {
  id: 'vsftpd',
  needs: 'vsftpd',
  program: '/usr/sbin/vsftpd',
  finds: { 'ftp-anonymous': 21 },
  public: { 'ftp-anonymous-login': 21 },
  run: ({ address, folder }, how) => {
    mkdirSync(join(folder, 'empty'))
    const lines = [
      ...['listen=YES', `listen_address=${address}`, 'background=NO', 'seccomp_sandbox=NO'],
      ...[`anonymous_enable=${how === 'exposed' ? 'YES' : 'NO'}`, `local_enable=${how === 'exposed' ? 'NO' : 'YES'}`],
      ...[`anon_root=${folder}/empty`, `secure_chroot_dir=${folder}/empty`],
    ]
    return { command: '/usr/sbin/vsftpd', args: [write(folder, 'vsftpd.conf', lines)] }
  },
}

const openssh: Installation = {
  id: 'openssh',
  needs: 'openssh-server',
  program: '/usr/sbin/sshd',
  finds: { 'ssh-tells-distribution': 22 },
  run: ({ address, folder }, how) => {
    mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')])
    const config = write(folder, 'sshd_config', [
      ...[`ListenAddress ${address}:22`, `HostKey ${folder}/key`, `PidFile ${folder}/pid`, 'UsePAM no'],
      `DebianBanner ${how === 'exposed' ? 'yes' : 'no'}`,
    ])
    return { command: '/usr/sbin/sshd', args: ['-D', '-e', '-f', config] }
  },
}

const nodeExporter: Installation = {
  id: 'node-exporter',
  needs: 'prometheus-node-exporter',
  program: '/usr/bin/prometheus-node-exporter',
  finds: { 'node-exporter-metrics': 9100 },
  public: { 'prometheus-exporter': 9100, 'prometheus-metrics': 9100 },
  run: ({ address, folder }, how) => {
    const users = how === 'exposed' ? [] : ['basic_auth_users:', `  watch: ${hashOf('long-and-random')}`]
    const config = write(folder, 'web.yml', users)
    return {
      command: '/usr/bin/prometheus-node-exporter',
      args: [`--web.listen-address=${address}:9100`, `--web.config.file=${config}`],
    }
  },
}

const haproxy: Installation = {
  id: 'haproxy',
  needs: 'haproxy',
  program: '/usr/sbin/haproxy',
  finds: { 'haproxy-statistics': 80 },
  public: { 'haproxy-status': 80 },
  run: ({ address, folder }, how) => {
    const config = write(folder, 'haproxy.cfg', [
      'defaults\n  mode http\n  timeout client 5s\n  timeout server 5s\n  timeout connect 5s',
      `frontend shop\n  bind ${address}:80\n  stats enable\n  stats uri /haproxy?stats`,
      ...(how === 'exposed' ? [] : ['  stats auth watch:long-and-random']),
    ])
    return { command: '/usr/sbin/haproxy', args: ['-db', '-f', config] }
  },
}

const icecast: Installation = {
  id: 'icecast',
  needs: 'icecast2',
  program: '/usr/bin/icecast2',
  finds: { 'icecast-default-login': 8000, 'icecast-status': 8000 },
  public: { 'icecast-mediaserver-detect': 8000 },
  run: ({ address, folder }, how) => {
    const open = how === 'exposed'
    mkdirSync(join(folder, 'none'))
    // It gives up being root before it writes.
    chmodSync(folder, 0o777)
    const web = open ? '/usr/share/icecast2/web' : `${folder}/none`
    const config = write(folder, 'icecast.xml', [
      '<icecast><limits><clients>20</clients><sources>2</sources></limits>',
      `<authentication><source-password>s</source-password><admin-user>admin</admin-user><admin-password>${open ? 'hackme' : 'long-and-random'}</admin-password></authentication>`,
      `<hostname>shop.test</hostname><listen-socket><port>8000</port><bind-address>${address}</bind-address></listen-socket>`,
      `<paths><basedir>/usr/share/icecast2</basedir><logdir>${folder}</logdir><webroot>${web}</webroot><adminroot>/usr/share/icecast2/admin</adminroot></paths>`,
      '<logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>2</loglevel></logging>',
      '<security><chroot>0</chroot><changeowner><user>icecast2</user><group>icecast</group></changeowner></security></icecast>',
    ])
    return { command: '/usr/bin/icecast2', args: ['-c', config] }
  },
}

const etcd: Installation = {
  id: 'etcd',
  needs: 'etcd-server',
  program: '/usr/bin/etcd',
  finds: { 'etcd-open': 2379 },
  public: { 'etcd-version': 2379 },
  run: ({ address, folder }, how) => {
    const scheme = how === 'exposed' ? 'http' : 'https'
    const { key, cert } = certificate(folder)
    const own = ['--client-cert-auth', `--trusted-ca-file=${cert}`, `--cert-file=${cert}`, `--key-file=${key}`]
    return {
      command: '/usr/bin/etcd',
      args: [
        ...[`--data-dir=${folder}/data`, `--listen-client-urls=${scheme}://${address}:2379`],
        ...[`--advertise-client-urls=${scheme}://${address}:2379`, `--listen-peer-urls=http://${address}:2380`],
        ...[`--initial-advertise-peer-urls=http://${address}:2380`, `--initial-cluster=default=http://${address}:2380`],
        ...(how === 'exposed' ? [] : own),
      ],
    }
  },
}

const registry: Installation = {
  id: 'docker-registry',
  needs: 'docker-registry',
  program: '/usr/bin/docker-registry',
  finds: { 'docker-registry-open': 5000 },
  public: { 'docker-registry': 5000 },
  run: ({ address, folder }, how) => {
    const users = write(folder, 'users', [`shop:${hashOf('long-and-random')}`])
    const config = write(folder, 'config.yml', [
      'version: 0.1',
      `storage:\n  filesystem:\n    rootdirectory: ${folder}/data`,
      `http:\n  addr: ${address}:5000\n  secret: long-and-random`,
      ...(how === 'exposed' ? [] : [`auth:\n  htpasswd:\n    realm: shop\n    path: ${users}`]),
    ])
    mkdirSync(join(folder, 'data/docker/registry/v2/repositories'), { recursive: true })
    return { command: '/usr/bin/docker-registry', args: ['serve', config] }
  },
}

const monit: Installation = {
  id: 'monit',
  needs: 'monit',
  program: '/usr/bin/monit',
  finds: { 'monit-default-login': 2812 },
  run: ({ address, folder }, how) => {
    const config = write(folder, 'monitrc', [
      'set daemon 30',
      `set pidfile ${folder}/pid\nset idfile ${folder}/id\nset statefile ${folder}/state`,
      `set httpd port 2812 and use address ${address}`,
      `  allow 127.0.0.0/8\n  allow admin:${how === 'exposed' ? 'monit' : '"long-and-random"'}`,
    ])
    execFileSync('chmod', ['600', config])
    return { command: '/usr/bin/monit', args: ['-I', '-c', config] }
  },
}

const nats: Installation = {
  id: 'nats',
  needs: 'nats-server',
  program: '/usr/sbin/nats-server',
  finds: { 'nats-open': 4222, 'nats-monitor': 8222 },
  closedBy: [8222],
  run: ({ address }, how) => ({
    command: '/usr/sbin/nats-server',
    args: [
      '-a',
      address,
      '-p',
      '4222',
      ...(how === 'exposed' ? ['-m', '8222'] : ['--user', 'shop', '--pass', 'long-and-random']),
    ],
  }),
}

const transmission: Installation = {
  id: 'transmission',
  needs: 'transmission-daemon',
  program: '/usr/bin/transmission-daemon',
  finds: { 'transmission-open': 9091 },
  run: ({ address, folder }, how) => ({
    // Its own guard against names that lead to it is switched off by whoever gives it one.
    env: { SETTINGS: write(folder, 'settings.json', ['{ "rpc-host-whitelist-enabled": false }']) },
    command: '/usr/bin/transmission-daemon',
    args: [
      ...['-f', '-g', folder, '-r', address, '-p', '9091', '-a', '127.*.*.*', '--no-portmap', '--no-dht', '--no-lpd'],
      ...(how === 'exposed' ? ['-T'] : ['-t', '-u', 'shop', '-v', 'long-and-random']),
    ],
  }),
}

const beanstalkd: Installation = {
  id: 'beanstalkd',
  needs: 'beanstalkd',
  program: '/usr/bin/beanstalkd',
  finds: { 'beanstalkd-open': 11300 },
  closedBy: [11300],
  // It has no password at all, and is mended by listening where nobody else can be.
  run: ({ address, folder }, how) => ({
    command: '/usr/bin/beanstalkd',
    args: how === 'exposed' ? ['-l', address, '-p', '11300'] : ['-l', `unix:${folder}/socket`],
  }),
}

export const DAEMONS: readonly Installation[] = [
  ...[redis, memcached, mosquitto, rsync, vsftpd, openssh, nodeExporter, haproxy, icecast, etcd, registry, monit],
  ...[nats, transmission, beanstalkd],
]
