/** Applications of Debian, set up as an administrator would, each in a folder of its own. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copied, hidden, type Program, startDatabase, startPhp, visitor } from './programs.ts'
import { everything, filesOf, type Read, type State, sqliteOf, tablesOf, type Volatile } from './state.ts'

const run = promisify(execFile)
const PASSWORD = 'Adm1n-pass'
/** By the name and not by the address: what signs in by the one holds for the other alone. */
export const HOST = 'shop.test'

export interface Application {
  readonly name: string
  /** Debian's packages. */
  readonly packages: readonly string[]
  readonly volatile: readonly Volatile[]
  /** What is found of it and was replayed by a person: true, and no false alarm. */
  readonly replayed?: readonly { readonly id: string; readonly path: RegExp; readonly parameter: string }[]
  /** Ready to be scanned: signed in as its administrator. */
  readonly start: (folder: string, address: string) => Promise<Running>
}

export interface Running extends Program {
  readonly port: number
  readonly cookie: string
  readonly state: () => Promise<State>
}

/** The site by the name it is scanned by; fetch resolves no names of tests, so its address is asked and the name is said. */
const origin = (address: string, port: number): string => `http://${address}:${port}`

const wordpress: Application = {
  name: 'WordPress',
  // Debian only recommends a theme; a site without one links to nothing.
  packages: ['wordpress', 'wordpress-theme-twentytwentythree', 'php-mysql'],
  volatile: [
    {
      place: /^table wp_options$/,
      rows: /\| (?:_site)?_?transient|_transient_|\| cron \||\| rewrite_rules \||auto_updater|recently_edited|can_compress_scripts|fresh_site|user_count|category_children|recently_activated|https_detection_errors/,
      is: 'cache',
    },
    {
      place: /^table wp_usermeta$/,
      rows: /session_tokens|community-events-location|dashboard_quick_press/,
      is: 'session',
    },
    // The page "new post" begins one each time it is opened, as its own pages do.
    { place: /^table wp_posts$/, rows: /auto-draft/, is: 'cache' },
    { place: /^table wp_postmeta$/, rows: /_edit_lock/, is: 'session' },
    // What the handbook of privacy proposes, made anew by its display for the name that the site is asked by.
    { place: /^table wp_postmeta$/, rows: /_wp_suggested_privacy_policy_content/, is: 'cache' },
    // How a list was looked at last, and whether the menu was folded: every display writes it anew.
    { place: /^table wp_usermeta$/, rows: /\| wp_(?:user-settings(?:-time)?|media_library_mode) \|/, is: 'session' },
    { place: /^file .*(?:upgrade|cache)\//, is: 'cache' },
  ],
  start: async (folder, address) => {
    const site = await copied('/usr/share/wordpress', join(folder, 'site'))
    const database = await startDatabase(folder)
    await database.run('create database wordpress')
    await writeFile(
      join(site, 'wp-config.php'),
      `<?php
define('DB_NAME','wordpress');define('DB_USER','root');define('DB_PASSWORD','${PASSWORD}');define('DB_HOST','localhost:${database.socket}');
define('DB_CHARSET','utf8mb4');define('DB_COLLATE','');
define('WP_HOME','http://'.$_SERVER['HTTP_HOST']);define('WP_SITEURL','http://'.$_SERVER['HTTP_HOST']);
define('AUTH_KEY','a1');define('SECURE_AUTH_KEY','a2');define('LOGGED_IN_KEY','a3');define('NONCE_KEY','a4');
define('AUTH_SALT','b1');define('SECURE_AUTH_SALT','b2');define('LOGGED_IN_SALT','b3');define('NONCE_SALT','b4');
define('WP_HTTP_BLOCK_EXTERNAL',true);define('AUTOMATIC_UPDATER_DISABLED',true);define('DISABLE_WP_CRON',true);define('COOKIEHASH','harm');
$table_prefix='wp_';
if(!defined('ABSPATH'))define('ABSPATH',__DIR__.'/');
require_once ABSPATH.'wp-settings.php';
`,
    )
    const php = await startPhp(site, folder, address)
    const admin = visitor(origin(address, php.port))
    await admin.ask('/wp-admin/install.php?step=2', {
      ...{
        weblog_title: 'Northfold',
        user_name: 'admin',
        admin_password: PASSWORD,
        admin_password2: PASSWORD,
        pw_weak: 'on',
      },
      ...{ admin_email: 'admin@example.org', blog_public: '0', Submit: 'Install WordPress', language: '' },
    })
    await admin.ask('/wp-login.php')
    const page = await admin.ask('/wp-login.php', {
      log: 'admin',
      pwd: PASSWORD,
      rememberme: 'forever',
      'wp-submit': 'Log In',
      testcookie: '1',
      redirect_to: '/wp-admin/',
    })
    if (!page.includes('wpadminbar')) throw new Error('WordPress: the sign-in failed')
    // Their first display writes down what the pages themselves propose, and the theme's styles.
    for (const path of [
      ...['plugins.php', 'edit-tags.php?taxonomy=category', 'customize.php', 'site-editor.php?postType=wp_template'],
      ...['nav-menus.php', 'options-privacy.php', 'privacy-policy-guide.php', 'post.php?post=3&action=edit'],
    ])
      await admin.ask(`/wp-admin/${path}`)
    // The first who asks for it, a stranger too, whom it refuses, has the widgets sorted into the theme's areas.
    await fetch(`${origin(address, php.port)}/?rest_route=/wp/v2/sidebars`)
    return {
      port: php.port,
      cookie: admin.cookie(),
      state: everything(tablesOf(database.socket, 'wordpress'), filesOf(site)),
      stop: async () => {
        await php.stop()
        await database.stop()
      },
    }
  },
}

const phpmyadmin: Application = {
  name: 'phpMyAdmin',
  packages: ['phpmyadmin', 'php-mysql'],
  volatile: [
    { place: /^table (?:pma__recent|pma__history|pma__tracking)/, is: 'log' },
    { place: /^table pma__userconfig|pma__table_uiprefs/, is: 'cache' },
  ],
  start: async (folder, address) => {
    const site = await copied('/usr/share/phpmyadmin', join(folder, 'site'))
    const database = await startDatabase(folder)
    await database.run('create database shop')
    await database.run(
      "create table customers (id int primary key auto_increment, name varchar(80), mail varchar(80)); insert into customers (name, mail) values ('Robin Hale','robin@example.org'),('Mika Storm','mika@example.org'); create table orders (id int primary key auto_increment, customer int, total decimal(8,2)); insert into orders (customer,total) values (1,19.90),(2,250)",
      'shop',
    )
    const configuration = join(folder, 'config.inc.php')
    await mkdir(join(folder, 'tmp'), { recursive: true })
    await writeFile(
      configuration,
      `<?php $cfg['blowfish_secret']='01234567890123456789012345678901';$cfg['Servers'][1]['auth_type']='cookie';$cfg['Servers'][1]['host']='localhost';$cfg['Servers'][1]['socket']='${database.socket}';$cfg['Servers'][1]['connect_type']='socket';$cfg['TempDir']='${join(folder, 'tmp')}';`,
    )
    const vendor = join(site, 'libraries', 'vendor_config.php')
    await writeFile(
      vendor,
      (await readFile(vendor, 'utf8'))
        .replaceAll('/etc/phpmyadmin/config.inc.php', configuration)
        .replaceAll('/var/lib/phpmyadmin/tmp/', `${join(folder, 'tmp')}/`),
    )
    const php = await startPhp(site, folder, address)
    const admin = visitor(origin(address, php.port))
    const login = await admin.ask('/index.php')
    const page = await admin.ask('/index.php?route=/', {
      ...{ pma_username: 'root', pma_password: PASSWORD, server: '1', route: '/' },
      ...{ set_session: hidden(login, 'set_session'), token: hidden(login, 'token') },
    })
    if (!/logged_in:\s*true|Server version/.test(page)) throw new Error('phpMyAdmin: the sign-in failed')
    return {
      port: php.port,
      cookie: admin.cookie(),
      state: everything(
        tablesOf(database.socket, 'shop'),
        prefixed('mysql ', tablesOf(database.socket, 'mysql')),
        filesOf(site),
      ),
      stop: async () => {
        await php.stop()
        await database.stop()
      },
    }
  },
}

const prefixed =
  (name: string, read: Read): Read =>
  async () =>
    new Map([...(await read())].map(([place, rows]) => [`${place.replace(/^table /, `table ${name}`)}`, rows]))

const mediawiki: Application = {
  name: 'MediaWiki',
  packages: ['mediawiki', 'php-sqlite3', 'php-intl'],
  // The heading of the page takes the few elements that its wiki text may have: `user=<b id=x>x</b>` is a `b` with that id there.
  replayed: [{ id: 'xss/html-injection', path: /\/Special:ListFiles$/, parameter: 'user' }],
  volatile: [
    { place: /^table (?:objectcache|l10n_cache|querycache\w*|module_deps|page_props|site_stats)$/, is: 'cache' },
    { place: /^table updatelog$/, is: 'cache' },
    // Work on caches, and what the account has seen of its notices; other work is waiting to change something.
    {
      place: /^table (?:jobqueue )?job$/,
      rows: /\| (?:htmlCacheUpdate|recentChangesUpdate|activityUpdateJob|refreshLinks\w*) \|/,
      is: 'cache',
    },
    { place: /^table jobqueue sqlite_sequence$/, is: 'counter' },
    // When the account was last seen.
    { place: /^table user$/, within: /\b20\d{12}\b/g, is: 'session' },
    { place: /^table watchlist$/, rows: /^$/, is: 'counter' },
    { place: /^file (?:cache|images\/(?:thumb|temp))\//, is: 'cache' },
  ],
  start: async (folder, address) => {
    const site = await copied('/usr/share/mediawiki', join(folder, 'site'))
    await run('rm', ['-f', join(site, 'LocalSettings.php')])
    const data = join(folder, 'data')
    await mkdir(data, { recursive: true })
    await run(
      'php',
      [
        ...[
          join(site, 'maintenance/install.php'),
          '--dbtype=sqlite',
          `--dbpath=${data}`,
          '--dbname=wiki',
          '--scriptpath=',
        ],
        ...[`--pass=${PASSWORD}`, '--server=http://replaced.invalid', '--with-extensions=', 'Northfold', 'Admin'],
      ],
      { maxBuffer: 16 * 1024 * 1024 },
    )
    const settings = join(site, 'LocalSettings.php')
    await writeFile(
      settings,
      `${(await readFile(settings, 'utf8')).replace('"http://replaced.invalid"', "'http://'.$_SERVER['HTTP_HOST']")}\n$wgMainCacheType=CACHE_NONE;$wgSessionCacheType=CACHE_DB;$wgParserCacheType=CACHE_NONE;$wgJobRunRate=0;$wgTmpDirectory='${join(folder, 'tmp')}';$wgEnableEmail=false;\n`,
    )
    const php = await startPhp(site, folder, address)
    const admin = visitor(origin(address, php.port))
    const token = (
      JSON.parse(await admin.ask('/api.php?action=query&meta=tokens&type=login&format=json')) as {
        query: { tokens: { logintoken: string } }
      }
    ).query.tokens.logintoken
    const answer = await admin.ask('/api.php', {
      action: 'clientlogin',
      format: 'json',
      username: 'Admin',
      password: PASSWORD,
      loginreturnurl: 'http://shop.test/',
      logintoken: token,
    })
    if (!answer.includes('"PASS"')) throw new Error(`MediaWiki: the sign-in failed: ${answer.slice(0, 300)}`)
    return {
      port: php.port,
      cookie: admin.cookie(),
      state: everything(
        async () => sqliteOf(join(data, 'wiki.sqlite')),
        prefixed('jobqueue ', async () => sqliteOf(join(data, 'wiki_jobqueue.sqlite'))),
        filesOf(site),
      ),
      stop: php.stop,
    }
  },
}

const dokuwiki: Application = {
  name: 'DokuWiki',
  packages: ['dokuwiki'],
  volatile: [
    { place: /^file data\/(?:cache|tmp|locks|index)\//, is: 'cache' },
    { place: /^file data\/log\//, is: 'log' },
    // What was read of a page when it was first shown; the pages themselves are in data/pages.
    { place: /^file data\/meta\/.*\.meta$/, is: 'cache' },
    // Which version of a page the search index holds, made when it is shown.
    { place: /^file data\/meta\/.*\.indexed$/, is: 'cache' },
  ],
  start: async (folder, address) => {
    const site = await copied('/usr/share/dokuwiki', join(folder, 'site'))
    const keeps = join(folder, 'keeps')
    const conf = await copied('/etc/dokuwiki', join(keeps, 'conf'))
    await copied('/var/lib/dokuwiki/data', join(keeps, 'data'))
    for (const name of [
      'pages/wiki',
      'attic',
      'media',
      'media_attic',
      'media_meta',
      'meta',
      'cache',
      'index',
      'locks',
      'tmp',
      'log',
    ])
      await mkdir(join(keeps, 'data', name), { recursive: true })
    await writeFile(join(site, 'inc', 'preload.php'), `<?php define('DOKU_CONF','${conf}/');\n`)
    await writeFile(
      join(conf, 'local.php'),
      `<?php $conf['title']='Northfold';$conf['savedir']='${join(keeps, 'data')}';$conf['useacl']=1;$conf['superuser']='@admin';$conf['updatecheck']=0;$conf['basedir']='/';$conf['securecookie']=0;`,
    )
    const { stdout } = await run('php', ['-r', `echo password_hash('${PASSWORD}', PASSWORD_BCRYPT);`])
    await writeFile(join(conf, 'users.auth.php'), `admin:${stdout}:Admin:admin@example.org:admin,user\n`)
    await writeFile(join(conf, 'acl.auth.php'), '*  @ALL  1\n*  @user  8\n')
    await writeFile(
      join(keeps, 'data/pages/start.txt'),
      '====== Northfold ======\nTents and lamps. [[wiki:range]] [[orders]]\n',
    )
    await writeFile(join(keeps, 'data/pages/wiki/range.txt'), '====== Range ======\n  * Ridge tent\n')
    const php = await startPhp(site, folder, address)
    const admin = visitor(origin(address, php.port))
    const login = await admin.ask('/doku.php?do=login')
    const page = await admin.ask('/doku.php?id=start', {
      do: 'login',
      u: 'admin',
      p: PASSWORD,
      r: '1',
      sectok: hidden(login, 'sectok'),
      id: 'start',
    })
    if (!page.includes('do=logout')) throw new Error('DokuWiki: the sign-in failed')
    return { port: php.port, cookie: admin.cookie(), state: filesOf(keeps), stop: php.stop }
  },
}

const cacti: Application = {
  name: 'Cacti',
  packages: ['cacti', 'php-mysql', 'php-snmp'],
  volatile: [
    { place: /^table (?:sessions|user_log|user_auth_cache)$/, is: 'session' },
    { place: /^table (?:settings_user|user_auth_row_cache|poller_time|processes)$/, is: 'cache' },
    // What its own displays measure.
    { place: /^table settings$/, rows: /^boost_max_output_length/, is: 'counter' },
    { place: /^file .*\.log$|^file cache\//, is: 'log' },
  ],
  start: async (folder, address) => {
    const site = await copied('/usr/share/cacti/site', join(folder, 'site'))
    const database = await startDatabase(folder)
    await database.run('create database cacti character set utf8mb4 collate utf8mb4_unicode_ci')
    await database.load('cacti', '/usr/share/dbconfig-common/data/cacti/install/mysql')
    const { stdout } = await run('php', ['-r', `echo password_hash('${PASSWORD}', PASSWORD_BCRYPT);`])
    const version = (await readFile(join(site, 'include/cacti_version'), 'utf8')).trim()
    await database.run(
      `delete from version; insert into version values ('${version}'); update user_auth set must_change_password='', password_change='', password='${stdout}' where username='admin'; replace into settings (name, value) values ('auth_method','1'),('path_php_binary','/usr/bin/php'),('path_cactilog','${join(site, 'log', 'cacti.log')}')`,
      'cacti',
    )
    await mkdir(join(site, 'log'), { recursive: true })
    await writeFile(
      join(site, 'include/config.php'),
      `<?php $database_type='mysql';$database_default='cacti';$database_hostname='localhost';$database_username='root';$database_password='${PASSWORD}';$database_port='3306';$database_retries=5;$database_ssl=false;$database_ssl_key='';$database_ssl_cert='';$database_ssl_ca='';$database_persist=false;$poller_id=1;$url_path='/';$cacti_session_name='Cacti';$cacti_db_session=false;$disable_log_rotation=true;`,
    )
    const php = await startPhp(site, folder, address, { 'pdo_mysql.default_socket': database.socket })
    const admin = visitor(origin(address, php.port))
    const login = await admin.ask('/index.php')
    const page = await admin.ask('/index.php', {
      action: 'login',
      login_username: 'admin',
      login_password: PASSWORD,
      __csrf_magic: hidden(login, '__csrf_magic'),
    })
    if (!page.includes('logout.php')) throw new Error(`Cacti: the sign-in failed: ${page.slice(0, 400)}`)
    return {
      port: php.port,
      cookie: admin.cookie(),
      state: everything(tablesOf(database.socket, 'cacti'), filesOf(site)),
      stop: async () => {
        await php.stop()
        await database.stop()
      },
    }
  },
}

export const APPLICATIONS: readonly Application[] = [wordpress, phpmyadmin, mediawiki, dokuwiki, cacti]
