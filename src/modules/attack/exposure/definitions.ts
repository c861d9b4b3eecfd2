import type { FindingDefinition } from '../../module.ts'

export type DefinitionText = Omit<FindingDefinition, 'id'>

const WSTG =
  'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information'

const MOVE =
  'Delete the file from the folder that the web server delivers, and deliver only what is meant to be read: in nginx `location ~ /\\.(?!well-known) { deny all; }`, in Apache `<FilesMatch "^\\.|\\.(bak|old|save|sql|log|swp|key|pem)$|~$"> Require all denied </FilesMatch>`.'

/** By the id of the kind's template in `catalogue/exposure`. */
export const DEFINITIONS = {
  credentials: {
    title: 'Exposed credentials file: it can be downloaded',
    severity: 'critical',
    cwe: 538,
    why: 'Whoever finds it signs in as the application does: to its database, its mail, its cloud.',
    remediation: `${MOVE} Then change every credential in it: it has to be taken as known.`,
    references: [WSTG, 'https://cwe.mitre.org/data/definitions/538.html'],
  },
  'private-key': {
    title: 'Exposed private key: it can be downloaded',
    severity: 'critical',
    cwe: 538,
    why: 'With the key anybody can pose as the server, or sign in where the key is accepted.',
    remediation: `${MOVE} Make a new key, have its certificate issued anew and the old one revoked, and remove the old key wherever it signs in.`,
    references: [WSTG, 'https://cwe.mitre.org/data/definitions/321.html'],
  },
  'database-dump': {
    title: 'Exposed database dump: a copy of a database can be downloaded',
    severity: 'critical',
    cwe: 530,
    why: 'It holds what the application knows: customers, their passwords as hashes, orders.',
    remediation: `${MOVE} Write backups to a place outside the web server. Take the data as stolen: look for downloads in the access log, and consider the duty to report.`,
    references: [WSTG, 'https://cwe.mitre.org/data/definitions/530.html'],
  },
  'site-archive': {
    title: 'Exposed archive: the files of the site can be downloaded',
    severity: 'high',
    cwe: 530,
    why: 'It usually holds the source code with its configuration and credentials.',
    remediation: `${MOVE} Write backups to a place outside the web server, and change credentials that the archive holds.`,
    references: [WSTG, 'https://cwe.mitre.org/data/definitions/530.html'],
  },
  repository: {
    title: 'Exposed repository (.git and others): the source code can be downloaded',
    severity: 'high',
    cwe: 527,
    why: 'All versions of all files can be rebuilt from it, deleted credentials included.',
    remediation:
      'Deny the folder: nginx `location ~ /\\.(git|svn|hg) { return 404; }`, Apache `RedirectMatch 404 /\\.(git|svn|hg)`. Deploy an export instead of a working copy, and change credentials that the history holds.',
    references: [WSTG, 'https://cwe.mitre.org/data/definitions/527.html'],
  },
  environment: {
    title: 'Exposed configuration file (.env and others): it can be downloaded',
    severity: 'high',
    cwe: 538,
    why: 'It names hosts, ports, switches and often secrets of the application.',
    remediation: MOVE,
    references: [WSTG, 'https://cwe.mitre.org/data/definitions/538.html'],
  },
  'source-code': {
    title: 'Source code disclosure: the code of a script can be read',
    severity: 'high',
    cwe: 540,
    why: 'Copies with another ending are not run but shown, with the credentials and flaws in them.',
    remediation: MOVE,
    references: [WSTG, 'https://cwe.mitre.org/data/definitions/540.html'],
  },
  'debug-console': {
    title: 'Exposed debug console: it is open to everybody',
    severity: 'high',
    cwe: 489,
    why: 'It shows requests of other people with their sessions, settings and stacks; some of them run code.',
    remediation:
      'Switch debugging off in production (Symfony `APP_ENV=prod`, Flask and Werkzeug `debug=False`, ASP.NET `<trace enabled="false"/>`, H2 `spring.h2.console.enabled=false`) and deny the path in the web server.',
    references: ['https://cwe.mitre.org/data/definitions/489.html'],
  },
  'application-internals': {
    title: 'Exposed application internals: interfaces for operating it are open to everybody',
    severity: 'medium',
    cwe: 200,
    why: 'They show configuration, memory and traffic of the application, and some can change it.',
    remediation:
      'Bind them to another port that only the own network reaches: Spring Boot `management.server.port` and `management.endpoints.web.exposure.include=health`; in Go register `net/http/pprof` on a mux of its own.',
    references: [
      'https://docs.spring.io/spring-boot/reference/actuator/endpoints.html',
      'https://cwe.mitre.org/data/definitions/200.html',
    ],
  },
  'log-file': {
    title: 'Exposed log file: a log of the application can be read',
    severity: 'medium',
    cwe: 532,
    why: 'Logs hold paths, queries, addresses of people and at times their sessions and passwords.',
    remediation: MOVE,
    references: ['https://cwe.mitre.org/data/definitions/532.html'],
  },
  'server-status': {
    title: 'Exposed server status page',
    severity: 'medium',
    cwe: 200,
    why: 'It shows load and versions, and in Apache the addresses that visitors are asking for right now.',
    remediation:
      'Allow it from the own network alone: Apache `Require ip 10.0.0.0/8`, nginx `allow 10.0.0.0/8; deny all;`.',
    references: [
      'https://httpd.apache.org/docs/2.4/mod/mod_status.html',
      'https://cwe.mitre.org/data/definitions/200.html',
    ],
  },
  'php-info': {
    title: 'phpinfo(): a page of it can be read',
    severity: 'medium',
    cwe: 200,
    why: 'It lists versions, paths, modules, and all environment variables, secrets among them.',
    remediation: 'Delete the script. Put `phpinfo` into `disable_functions` of php.ini where nobody needs it.',
    references: [
      'https://www.php.net/manual/en/function.phpinfo.php',
      'https://cwe.mitre.org/data/definitions/200.html',
    ],
  },
  'cgi-environment': {
    title: 'Environment of a CGI program: a page shows it',
    severity: 'medium',
    cwe: 497,
    why: 'It lists paths, versions, the addresses of servers within, and whatever secrets the server was started with.',
    remediation:
      'Delete the script (`printenv` and `test-cgi` come with servers as examples), or take its right to be executed.',
    references: [
      'https://www.rfc-editor.org/rfc/rfc3875#section-4.1',
      'https://cwe.mitre.org/data/definitions/497.html',
    ],
  },
  'admin-tool': {
    title: 'Exposed administration tool: one for databases is open to the internet',
    severity: 'medium',
    cwe: 284,
    why: 'Its login can be guessed from anywhere, and its own flaws become those of the site.',
    remediation:
      'Allow it from the own network or through a VPN alone, or remove it and use a tunnel when it is needed.',
    references: ['https://docs.phpmyadmin.net/en/latest/setup.html#securing-your-phpmyadmin-installation'],
  },
  'cross-domain-policy': {
    title: 'Cross-domain policy too broad: every site may read this one by a browser plug-in',
    severity: 'low',
    cwe: 942,
    why: 'Browsers have dropped these plug-ins; readers of documents and old devices still follow the file.',
    remediation:
      'Delete crossdomain.xml and clientaccesspolicy.xml, or name the hosts that need access in place of `*`.',
    references: ['https://cwe.mitre.org/data/definitions/942.html'],
  },
  'developer-file': {
    title: 'Exposed developer files: they lie on the site',
    severity: 'low',
    cwe: 538,
    group: 'disclosure',
    why: 'They name files and folders that nobody links to.',
    remediation: MOVE,
    references: [WSTG, 'https://cwe.mitre.org/data/definitions/538.html'],
  },
  'dependency-list': {
    title: 'Exposed dependency list: it can be read',
    severity: 'info',
    cwe: 200,
    group: 'disclosure',
    why: 'Each library is named with its version, which tells what known flaws to try.',
    remediation: MOVE,
    references: [WSTG, 'https://cwe.mitre.org/data/definitions/200.html'],
  },
} satisfies Readonly<Record<string, DefinitionText>>

export type ExposureKind = keyof typeof DEFINITIONS
