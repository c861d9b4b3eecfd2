/**
 * Files and pages that should not be reachable, each with the grammar that proves it is what its name says. A status alone
 * proves nothing: applications answer every path. Sources: the documentation of each product's own file format.
 */
import { type FileAnswer, isFile } from './answer.ts'

export type ExposureKind =
  | 'credentials'
  | 'private-key'
  | 'database-dump'
  | 'site-archive'
  | 'repository'
  | 'environment'
  | 'source-code'
  | 'debug-console'
  | 'application-internals'
  | 'log-file'
  | 'server-status'
  | 'php-info'
  | 'admin-tool'
  | 'cross-domain-policy'
  | 'developer-file'
  | 'dependency-list'

export interface ExposedFile {
  readonly kind: ExposureKind
  /** What it is, for a sentence. */
  readonly name: string
  /** From the folder that is looked at, with `{host}` for the host's name. */
  readonly paths: readonly string[]
  /** Also asked for in folders that the site uses, not at the root alone. */
  readonly anywhere?: boolean
  /** The decisive part of the text, or null where it is something else. */
  readonly proof: (answer: FileAnswer) => string | null
}

/** A file whose text matches; what matches is the proof. */
const text =
  (...patterns: readonly RegExp[]) =>
  (answer: FileAnswer): string | null => {
    if (!isFile(answer)) return null
    const found = patterns.map((pattern) => pattern.exec(answer.text)?.[0] ?? null)
    return found.every((one) => one !== null) ? (found[0] ?? null) : null
  }

/** A page of a product, HTML allowed, that holds all of these. */
const page =
  (...patterns: readonly RegExp[]) =>
  (answer: FileAnswer): string | null => {
    const found = patterns.map((pattern) => pattern.exec(answer.text)?.[0] ?? null)
    return answer.status === 200 && found.every((one) => one !== null) ? (found[0] ?? null) : null
  }

/** Magic bytes, in hexadecimal. */
const bytes =
  (...magics: readonly string[]) =>
  (answer: FileAnswer): string | null =>
    isFile(answer) ? (magics.find((magic) => answer.hex.startsWith(magic)) ?? null) : null

const ARCHIVE = bytes('504b0304', '1f8b08', '526172211a07', '377abcaf271c', '425a68', 'fd377a585a00')
const SQL = text(
  /^(?:-- (?:MySQL|MariaDB|PostgreSQL|phpMyAdmin|Adminer|SQLite)[^\n]{0,60}|(?:CREATE TABLE|INSERT INTO|DROP TABLE IF EXISTS|PRAGMA foreign_keys)[^\n]{0,60})/m,
)
const PHP = text(/<\?php\s[\s\S]{0,40}/)
const SECRET_LINE =
  /^\s*(?:export\s+)?(?=[A-Z])[A-Z0-9_]*(?:PASS(?:WORD)?|SECRET|TOKEN|API_?KEY|APP_KEY|ACCESS_KEY|PRIVATE_KEY|DATABASE_URL|DSN)[A-Z0-9_]*\s*=\s*\S+/m
const SETTING_LINE = /^\s*(?:export\s+)?[A-Z][A-Z0-9_]{2,}\s*=\s*\S*/m

export const EXPOSED_FILES: readonly ExposedFile[] = [
  {
    kind: 'credentials',
    name: 'an environment file with secrets',
    paths: ['.env', '.env.local', '.env.production', '.env.backup'],
    anywhere: true,
    proof: text(SECRET_LINE),
  },
  {
    kind: 'environment',
    name: 'an environment file',
    paths: ['.env'],
    anywhere: true,
    proof: (answer) =>
      SECRET_LINE.test(answer.text)
        ? null
        : text(SETTING_LINE, /^(?:\s*(?:#.*|(?:export\s+)?[A-Za-z_]\w*\s*=.*)?\r?\n?)+$/)(answer),
  },
  {
    kind: 'credentials',
    name: 'a WordPress configuration as text',
    paths: ['wp-config.php.bak', 'wp-config.php~', 'wp-config.php.save', 'wp-config.txt'],
    proof: text(/define\(\s*['"]DB_PASSWORD['"]/),
  },
  {
    kind: 'credentials',
    name: 'an Apache password file',
    paths: ['.htpasswd'],
    proof: text(/^[\w.@-]{1,64}:\[masked\]/m),
  },
  {
    kind: 'credentials',
    name: 'npm settings with a token',
    paths: ['.npmrc'],
    proof: text(/^\S*:?_(?:authToken|auth|password)\s*=\s*\S+/m),
  },
  {
    kind: 'credentials',
    name: 'Git credentials',
    paths: ['.git-credentials'],
    proof: text(/^https?:\/\/[^:\s]+:\[masked\]@\S+/m),
  },
  {
    kind: 'credentials',
    name: 'AWS credentials',
    paths: ['.aws/credentials'],
    proof: text(/^aws_secret_access_key\s*=\s*\S+/m),
  },
  {
    kind: 'credentials',
    name: 'registry credentials of Docker',
    paths: ['.docker/config.json'],
    proof: text(/"auths"\s*:\s*\{[\s\S]{0,200}"auth"/),
  },
  {
    kind: 'credentials',
    name: 'upload settings of an editor',
    paths: ['sftp-config.json', '.vscode/sftp.json'],
    proof: text(/"(?:password|privateKeyPath)"\s*:/, /"host"\s*:/),
  },
  {
    kind: 'credentials',
    name: 'a .NET configuration with a connection string',
    paths: ['appsettings.json', 'web.config'],
    proof: text(/(?:ConnectionStrings?|connectionString)["'=\s:{][\s\S]{0,300}(?:Password|Pwd)\s*=/i),
  },
  {
    kind: 'private-key',
    name: 'a private key',
    paths: ['id_rsa', '.ssh/id_rsa', 'server.key', 'privkey.pem', '{host}.key'],
    proof: text(/-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----/),
  },
  {
    kind: 'database-dump',
    name: 'a database dump',
    paths: ['dump.sql', 'backup.sql', 'database.sql', 'db.sql', '{host}.sql'],
    proof: SQL,
  },
  {
    kind: 'database-dump',
    name: 'a packed database dump',
    paths: ['dump.sql.gz', 'backup.sql.gz'],
    proof: bytes('1f8b08'),
  },
  {
    kind: 'database-dump',
    name: 'an SQLite database',
    paths: ['db.sqlite3', 'database.sqlite'],
    proof: bytes('53514c69746520666f726d6174203300'),
  },
  {
    kind: 'site-archive',
    name: 'an archive of the site',
    paths: ['backup.zip', 'backup.tar.gz', 'site.zip', 'www.zip', '{host}.zip', '{host}.tar.gz'],
    proof: ARCHIVE,
  },
  {
    kind: 'repository',
    name: 'a Git repository',
    paths: ['.git/HEAD'],
    anywhere: true,
    proof: text(/^(?:ref: refs\/\S{1,200}|[0-9a-f]{40})\s*$/),
  },
  {
    kind: 'repository',
    name: 'a Subversion working copy',
    paths: ['.svn/wc.db'],
    proof: bytes('53514c69746520666f726d6174203300'),
  },
  {
    kind: 'repository',
    name: 'a Mercurial repository',
    paths: ['.hg/requires'],
    proof: text(/^(?:dotencode|fncache|generaldelta|revlogv1|store)$/m),
  },
  {
    kind: 'environment',
    name: 'a Docker Compose file',
    paths: ['docker-compose.yml'],
    proof: text(/^services\s*:/m, /^\s{1,8}(?:image|build)\s*:/m),
  },
  {
    kind: 'environment',
    name: 'Laravel’s or Symfony’s parameters',
    paths: ['app/config/parameters.yml'],
    proof: text(/^parameters\s*:/m, /database_|secret/),
  },
  {
    kind: 'source-code',
    name: 'source code of a script',
    paths: ['index.php.bak', 'index.php~', 'config.php.bak', 'config.php.old', 'configuration.php.bak'],
    proof: PHP,
  },
  { kind: 'source-code', name: 'a swap file of vim', paths: ['.index.php.swp'], proof: bytes('62305649') },
  {
    kind: 'debug-console',
    name: 'the profiler of Symfony',
    paths: ['_profiler/latest'],
    proof: page(/<title>\s*Symfony Profiler/i),
  },
  {
    kind: 'debug-console',
    name: 'a console of Werkzeug',
    paths: ['console'],
    proof: page(/Werkzeug\s+(?:powered|Debugger)|<title>Console \/\/ Werkzeug/i, /EVALEX|SECRET\s*=/),
  },
  {
    kind: 'debug-console',
    name: 'the trace of ASP.NET',
    paths: ['trace.axd', 'elmah.axd'],
    proof: page(/<h1>(?:Application Trace|Error Log for)|<title>(?:Application Trace|Error log for)/i),
  },
  {
    kind: 'debug-console',
    name: 'the console of an H2 database',
    paths: ['h2-console/'],
    proof: page(/<title>H2 Console<\/title>/i),
  },
  {
    kind: 'application-internals',
    name: 'Spring Boot’s environment',
    paths: ['actuator/env'],
    proof: text(/"propertySources"\s*:\s*\[/),
  },
  {
    kind: 'application-internals',
    name: 'Spring Boot’s management interface',
    paths: ['actuator'],
    proof: text(/"_links"\s*:\s*\{[\s\S]{0,400}"(?:env|heapdump|threaddump|loggers|mappings|beans|shutdown)"/),
  },
  {
    kind: 'application-internals',
    name: 'Go’s profiler',
    paths: ['debug/pprof/'],
    proof: page(/<title>\/debug\/pprof\/?<\/title>/i, /goroutine/),
  },
  {
    kind: 'application-internals',
    name: 'Go’s exported variables',
    paths: ['debug/vars'],
    proof: text(/"memstats"\s*:\s*\{/, /"cmdline"\s*:/),
  },
  {
    kind: 'log-file',
    name: 'a log of the application',
    paths: ['error.log', 'debug.log', 'storage/logs/laravel.log', 'wp-content/debug.log', 'npm-debug.log'],
    proof: text(
      /^(?:\[\d{4}-\d\d-\d\d[T ][\d:.+-]+\]\s*\w+\.[A-Z]+:|\[\d\d-[A-Z][a-z]{2}-\d{4} [\d:]+ [\w/]+\]\s*PHP |\[?\w{3} \w{3} \d\d [\d:.]+ \d{4}\]|\d{4}\/\d\d\/\d\d [\d:]+ \[(?:error|warn|crit)|\d+ (?:info|verbose|error|silly) )[^\n]{0,120}/m,
    ),
  },
  {
    kind: 'server-status',
    name: 'the status page of Apache',
    paths: ['server-status'],
    proof: page(/<title>Apache Status<\/title>/i, /Server uptime|Scoreboard/i),
  },
  {
    kind: 'server-status',
    name: 'the configuration page of Apache',
    paths: ['server-info'],
    proof: page(/<title>Server Information<\/title>/i, /Apache Server Information/i),
  },
  {
    kind: 'server-status',
    name: 'the status page of nginx',
    paths: ['nginx_status'],
    proof: text(/^Active connections:\s*\d+/, /server accepts handled requests/),
  },
  {
    kind: 'server-status',
    name: 'metrics for Prometheus',
    paths: ['metrics', 'actuator/prometheus'],
    proof: text(/^# (?:HELP|TYPE) \w+ [^\n]{0,80}/m),
  },
  {
    kind: 'php-info',
    name: 'a page of phpinfo()',
    paths: ['phpinfo.php', 'info.php'],
    proof: page(/<title>(?:PHP [\d.]+[^<]{0,20} - )?phpinfo\(\)<\/title>/i, /<h1 class="p">PHP Version|>PHP Version /),
  },
  {
    kind: 'admin-tool',
    name: 'phpMyAdmin',
    paths: ['phpmyadmin/'],
    proof: page(/<title>[^<]{0,60}phpMyAdmin\s*<\/title>/i, /pma_username|pmahomme|pma_password/),
  },
  {
    kind: 'admin-tool',
    name: 'Adminer',
    paths: ['adminer.php'],
    proof: page(/<title>[^<]{0,60}Adminer<\/title>/i, /auth\[driver\]/),
  },
  {
    kind: 'cross-domain-policy',
    name: 'a policy for Flash and Silverlight that admits every site',
    paths: ['crossdomain.xml', 'clientaccesspolicy.xml'],
    proof: text(/<(?:allow-access-from[^>]{0,100}domain|domain[^>]{0,40}uri)\s*=\s*["']\*["']/i),
  },
  {
    kind: 'developer-file',
    name: 'the folder list of a Mac',
    paths: ['.DS_Store'],
    anywhere: true,
    proof: bytes('0000000142756431'),
  },
  {
    kind: 'developer-file',
    name: 'settings of an editor',
    paths: ['.idea/workspace.xml', '.vscode/settings.json'],
    proof: text(
      /<project version="\d|^\s*\{\s*(?:\/\/[^\n]*\n\s*)*"(?:editor|files|workbench|python|php|eslint|terminal|git|search)\.[\w.]+"\s*:/,
    ),
  },
  {
    kind: 'dependency-list',
    name: 'a list of dependencies with versions',
    paths: ['composer.lock', 'package-lock.json', 'yarn.lock'],
    proof: text(/"packages(?:-dev)?"\s*:\s*[[{]|"lockfileVersion"\s*:\s*\d|^# yarn lockfile v1/m),
  },
]
