/** Services that take longer to start: for the benchmark. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { printed, type RealService, write } from './services.ts'

const dpkg =
  (name: string, pattern = /^(?:\d+:)?([\d.]+)/) =>
  (): string =>
    printed('dpkg-query', ['-W', '-f', '$'.concat('{Version}'), name], pattern)

const postfix: RealService = {
  id: 'postfix',
  needs: 'postfix',
  program: '/usr/sbin/postfix',
  ports: [25],
  prepare: ({ address, folder }) => {
    // What `postfix check` would make; the master process is started without the scripts around it.
    const queue = join(folder, 'queue')
    const own = [
      'active',
      'bounce',
      'corrupt',
      'defer',
      'deferred',
      'flush',
      'hold',
      'incoming',
      'private',
      'saved',
      'trace',
    ]
    for (const name of [...own, 'pid', 'public', 'maildrop']) mkdirSync(join(queue, name), { recursive: true })
    mkdirSync(join(folder, 'data'))
    execFileSync('chown', ['postfix', join(folder, 'data'), ...own.map((name) => join(queue, name))])
    execFileSync('chown', ['postfix:postdrop', join(queue, 'public'), join(queue, 'maildrop')])
    write(folder, 'main.cf', [
      'compatibility_level = 3.6',
      `queue_directory = ${folder}/queue`,
      `data_directory = ${folder}/data`,
      'command_directory = /usr/sbin',
      'daemon_directory = /usr/lib/postfix/sbin',
      'mail_owner = postfix',
      'setgid_group = postdrop',
      'myhostname = mail.shop.test',
      `inet_interfaces = ${address}`,
      'inet_protocols = ipv4',
      'alias_maps =',
      'local_recipient_maps =',
      'smtpd_relay_restrictions = reject',
      `maillog_file = ${folder}/log`,
      `maillog_file_prefixes = ${folder}`,
    ])
    write(folder, 'master.cf', [
      'smtp inet n - n - - smtpd',
      'rewrite unix - - n - - trivial-rewrite',
      'anvil unix - - n - 1 anvil',
      'cleanup unix n - n - 0 cleanup',
      'qmgr unix n - n 300 1 qmgr',
      'postlog unix-dgram n - n - 1 postlogd',
    ])
    chmodSync(folder, 0o755)
    return { command: '/usr/lib/postfix/sbin/master', args: ['-d', '-c', folder], env: { MAIL_CONFIG: folder } }
  },
  truth: [{ port: 25, product: /^Postfix/, version: null }],
}

const dovecot: RealService = {
  id: 'dovecot',
  needs: 'dovecot-imapd dovecot-pop3d',
  program: '/usr/sbin/dovecot',
  ports: [110, 143],
  prepare: ({ address, folder }) => ({
    command: '/usr/sbin/dovecot',
    args: [
      '-F',
      '-c',
      write(folder, 'dovecot.conf', [
        `base_dir = ${folder}/run`,
        `listen = ${address}`,
        'protocols = imap pop3',
        'ssl = no',
        `log_path = ${folder}/log`,
        `state_dir = ${folder}/state`,
        'passdb {\n driver = static\n args = password=never\n}',
        'userdb {\n driver = static\n args = uid=nobody gid=nogroup home=/nonexistent\n}',
      ]),
    ],
  }),
  truth: [110, 143].map((port) => ({ port, product: /^Dovecot/, version: null })),
}

const apache: RealService = {
  id: 'apache',
  needs: 'apache2',
  program: '/usr/sbin/apache2',
  ports: [8080],
  prepare: ({ address, folder }) => ({
    command: '/usr/sbin/apache2',
    args: [
      '-D',
      'FOREGROUND',
      '-f',
      write(folder, 'apache.conf', [
        `ServerRoot ${folder}`,
        `Listen ${address}:8080`,
        `PidFile ${folder}/pid`,
        `ErrorLog ${folder}/error.log`,
        'ServerName shop.test',
        'LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so',
        'LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so',
        `DocumentRoot ${folder}`,
        'User www-data',
        'Group www-data',
        `DefaultRuntimeDir ${folder}`,
        `Mutex file:${folder} default`,
      ]),
    ],
  }),
  truth: [
    { port: 8080, product: /^Apache httpd$/, version: () => printed('/usr/sbin/apache2', ['-v'], /Apache\/([\d.]+)/) },
  ],
}

const mariadb: RealService = {
  id: 'mariadb',
  needs: 'mariadb-server',
  program: '/usr/sbin/mariadbd',
  ports: [3306],
  prepare: ({ address, folder }) => ({
    command: 'sh',
    args: [
      '-c',
      `mariadb-install-db --no-defaults --datadir=${folder}/data --skip-test-db --auth-root-authentication-method=normal >/dev/null 2>&1; exec /usr/sbin/mariadbd --no-defaults --datadir=${folder}/data --skip-grant-tables --bind-address=${address} --port=3306 --socket=${folder}/s --pid-file=${folder}/pid`,
    ],
    user: 'mysql',
  }),
  truth: [
    {
      port: 3306,
      product: /^(?:MariaDB|MySQL)$/,
      version: () => printed('/usr/sbin/mariadbd', ['--version'], /Ver (\d+\.\d+\.\d+)/),
    },
  ],
}

const bind: RealService = {
  id: 'bind9',
  needs: 'bind9',
  program: '/usr/sbin/named',
  ports: [53],
  // named listens only on addresses that an interface has, and 127.0.0.0/8 has but one.
  prepare: ({ address, folder }) => {
    execFileSync('ip', ['address', 'replace', `${address}/32`, 'dev', 'lo'])
    return {
      command: '/usr/sbin/named',
      args: [
        '-g',
        '-4',
        '-c',
        write(folder, 'named.conf', [
          `options { directory "${folder}"; listen-on { ${address}; }; listen-on-v6 { none; }; recursion no; pid-file "${folder}/pid"; session-keyfile "${folder}/key"; managed-keys-directory "${folder}"; };`,
          'controls { };',
        ]),
      ],
    }
  },
  cleanup: ({ address }) => {
    execFileSync('ip', ['address', 'delete', `${address}/32`, 'dev', 'lo'])
  },
  truth: [{ port: 53, product: /BIND$/, version: () => printed('/usr/sbin/named', ['-v'], /BIND ([\d.]+)/) }],
}

const slapd: RealService = {
  id: 'slapd',
  needs: 'slapd',
  program: '/usr/sbin/slapd',
  ports: [389],
  prepare: ({ address, folder }) => ({
    command: '/usr/sbin/slapd',
    args: [
      '-d',
      '0',
      '-h',
      `ldap://${address}:389/`,
      '-f',
      write(folder, 'slapd.conf', [
        'include /etc/ldap/schema/core.schema',
        `pidfile ${folder}/pid`,
        'modulepath /usr/lib/ldap',
        'moduleload back_mdb',
        'database mdb',
        'suffix "dc=shop,dc=test"',
        `directory ${folder}`,
      ]),
    ],
  }),
  truth: [{ port: 389, product: /^OpenLDAP/, version: null }],
}

const rabbitmq: RealService = {
  id: 'rabbitmq',
  needs: 'rabbitmq-server',
  program: '/usr/sbin/rabbitmq-server',
  ports: [5672, 4369],
  prepare: ({ address, folder }) => ({
    command: 'sh',
    args: [
      '-c',
      `epmd -address ${address} & exec $(ls -d /usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin/rabbitmq-server)`,
    ],
    env: {
      HOME: folder,
      RABBITMQ_NODENAME: 'sonde@localhost',
      RABBITMQ_NODE_IP_ADDRESS: address,
      RABBITMQ_NODE_PORT: '5672',
      RABBITMQ_DIST_PORT: '25672',
      RABBITMQ_MNESIA_BASE: folder,
      RABBITMQ_LOG_BASE: folder,
      RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `-kernel inet_dist_use_interface {${address.split('.').join(',')}}`,
      // The node finds its port mapper on 127.0.0.1, which epmd always serves besides.
      ERL_EPMD_ADDRESS: address,
    },
    user: 'rabbitmq',
  }),
  truth: [
    { port: 5672, product: /^RabbitMQ$/, version: dpkg('rabbitmq-server') },
    { port: 4369, product: /^Erlang Port Mapper Daemon$/, version: null },
  ],
}

export const HEAVY_SERVICES: readonly RealService[] = [postfix, dovecot, apache, mariadb, bind, slapd, rabbitmq]
