/** Every setting of the operator, written once: variable, type, default and meaning. docs/operations.md is generated from it. */
import { hostname } from 'node:os'
import { z } from 'zod'
import { BUILT_IN_PLANS } from '../contract/organisation.ts'
import {
  databaseUrl,
  domainName,
  folder,
  headerList,
  hostTable,
  ipAddress,
  keyList,
  keyText,
  networks,
  number,
  plansFile,
  portChoice,
  resolvers,
  share,
  storageUrl,
  trustAnchors,
  webAddress,
  wordList,
} from './config-values.ts'

/** One setting: what is known of a variable of the environment. */
export interface Setting<T> {
  readonly variable: string
  /** Reads the variable's text, and says what is wrong with it. */
  readonly type: z.ZodType<T>
  /** What holds while the variable is unset or empty. */
  readonly unset: T
  /** What it means, as Markdown. */
  readonly help: string
  /** `unset` as a reader is told of it, as Markdown. */
  readonly shown: string
}

const setting = <T>(
  variable: string,
  type: z.ZodType<T>,
  unset: NoInfer<T>,
  help: string,
  shown = String(unset),
): Setting<T> => ({ variable, type, unset, help, shown })

/** A setting that is null while it is unset. */
const optional = <T>(variable: string, type: z.ZodType<T>, help: string, shown = 'none'): Setting<T | null> =>
  setting<T | null>(variable, type, null, help, shown)

/** By the name that the code has for each, in the order of the document; settings of one thing together. */
export const SETTINGS = {
  dataDir: setting(
    'SONDE_DATA',
    folder,
    'data',
    'data folder: embedded database, files, keys, control socket',
    "`data` in the product's folder",
  ),
  databaseUrl: optional('DATABASE_URL', databaseUrl, '`postgres://user@host/name`; version 15 or later', 'embedded'),
  storageUrl: optional(
    'SONDE_STORAGE',
    storageUrl,
    '`s3://bucket?endpoint=…&region=…&prefix=…`',
    '`files` in the data folder',
  ),
  secretKey: optional(
    'SONDE_SECRET_KEY',
    keyText,
    '32 bytes in hex or base64; needed with `DATABASE_URL`, the same in every process',
    '`secret.key` in the data folder',
  ),
  secretKeysOld: setting<readonly Buffer[]>(
    'SONDE_SECRET_KEY_OLD',
    keyList,
    [],
    'further keys, by spaces, that are accepted beside `SONDE_SECRET_KEY` while one replaces the other',
    'none',
  ),
  publicUrl: optional(
    'SONDE_PUBLIC_URL',
    webAddress.transform((address) => address.replace(/\/+$/, '')),
    'where clients reach the service, for the addresses it gives out',
    'where it listens',
  ),
  hosts: setting(
    'SONDE_HOSTS',
    hostTable,
    {},
    'static name table, `shop.test=127.0.0.9 other.test=10.1.2.3,fd00::3`; used by every resolver, the browser included',
    'empty',
  ),
  allowNetworks: setting(
    'SONDE_ALLOW_NETWORKS',
    networks,
    [],
    'networks that the guard opens although it refuses them, `127.0.0.0/8 10.0.0.0/8`',
    'none',
  ),
  allowTargetPorts: setting<boolean>(
    'SONDE_ALLOW_TARGET_PORTS',
    z.literal('any', 'may only be "any"').transform(() => true),
    false,
    '`any` lets a domain carry a port, `shop.test:8081`',
    'off',
  ),
  resolvers: setting(
    'SONDE_RESOLVERS',
    resolvers,
    [],
    "resolvers instead of the system's, `192.0.2.53 [2001:db8::53]:5353`; those without a route or an answer are asked last",
    "the system's",
  ),
  trustAnchors: optional(
    'SONDE_TRUST_ANCHORS',
    trustAnchors,
    'DNSSEC trust anchors as DS records, `. 20326 8 2 E06D…; corp.example. 4711 13 2 AB…`',
    "the root zone's",
  ),
  ports: setting(
    'SONDE_PORTS',
    portChoice,
    'top',
    'TCP ports that an active run tries: `top` (the thousand most usual), `all`, or a list, `22,80,8000-8100`',
    '`top`',
  ),
  recogFolder: optional(
    'SONDE_RECOG',
    folder,
    'folder with imported Recog rules (XML), run beside the built-in identification of services',
  ),
  outOfBand: {
    address: optional(
      'SONDE_OOB_ADDRESS',
      ipAddress,
      'IP address under which targets reach this worker; switches the listener for calls from targets on',
      'off',
    ),
    domain: optional(
      'SONDE_OOB_DOMAIN',
      domainName,
      'zone delegated to that address, `oob.example.net`; without it only calls by address are heard',
    ),
    bind: optional('SONDE_OOB_BIND', ipAddress, 'address to listen on, where it is another one', '`SONDE_OOB_ADDRESS`'),
    httpPort: setting('SONDE_OOB_HTTP_PORT', number(0, 65_535), 80, 'TCP port of the listener'),
    dnsPort: setting('SONDE_OOB_DNS_PORT', number(0, 65_535), 53, 'UDP port of the listener, with `SONDE_OOB_DOMAIN`'),
  },
  templatesFolder: optional(
    'SONDE_TEMPLATES',
    folder,
    "folder with a template catalogue (nuclei's YAML format), in place of an imported one",
  ),
  feeds: setting<'auto' | 'off' | URL>(
    'SONDE_FEEDS',
    z.union([z.enum(['auto', 'off']), webAddress.transform((address) => new URL(address))], {
      error: 'must be auto, off, or the http address of a mirror',
    }),
    'auto',
    'knowledge feeds: `auto` fetches them from their publishers every day, `off` never, an address fetches from a mirror, `https://mirror.example/feeds/`',
    '`auto`',
  ),
  feedsKey: optional(
    'SONDE_FEEDS_KEY',
    z.string().regex(/^RW[\w+/]{54}$/, { error: 'must be a public key of minisign, one line that begins with RW' }),
    'whose bundles `sonde feeds import` takes: the public key that `sonde feeds bundle` prints',
  ),
  judgeAgainPerMinute: setting(
    'SONDE_JUDGE_AGAIN_PER_MINUTE',
    number(0, 10_000),
    60,
    'stored runs that are judged again in a minute, by all workers together, when feeds bring news; 0: none',
  ),
  scanAddresses: setting(
    'SONDE_SCAN_ADDRESSES',
    networks,
    [],
    'addresses from which scans come, as targets see them, `192.0.2.16/28 2001:db8:5::/64`; published at `/v1/scan-addresses` for allow-lists',
    'none',
  ),
  contact: setting(
    'SONDE_CONTACT',
    z
      .string()
      .max(200)
      .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII: it goes into a header'),
    '',
    'address or page for owners of scanned sites, shown in `User-Agent`',
    'empty',
  ),
  plans: setting(
    'SONDE_PLANS',
    plansFile,
    BUILT_IN_PLANS,
    'file (YAML or JSON) with the list of plans, instead of free, team and enterprise',
    'built in',
  ),
  eventDays: optional(
    'SONDE_EVENT_DAYS',
    number(31, 36_500),
    'days that the events of ended runs are kept, by whole months',
    'as the longest of the plans keeps files',
  ),
  concurrency: optional('SONDE_CONCURRENCY', number(1, 256), 'runs at once in one worker', 'one for each core'),
  lightConcurrency: optional(
    'SONDE_LIGHT_CONCURRENCY',
    number(0, 256),
    'passive runs without a browser at once beside those, which mostly wait for answers',
    'two for each core; none where `SONDE_CONCURRENCY` is set',
  ),
  runMinutes: setting(
    'SONDE_RUN_MINUTES',
    number(1, 24 * 60),
    60,
    'wall-clock limit of one scan; crawl and probes take more or less time by it',
  ),
  childMemoryMb: setting('SONDE_CHILD_MEMORY_MB', number(128, 65_536), 1024, 'heap limit of one scan'),
  targetRequestsPerSecond: setting(
    'SONDE_TARGET_REQUESTS_PER_SECOND',
    number(1, 1_000),
    20,
    'most requests to one target in a second; a domain may take fewer',
  ),
  targetConnections: setting(
    'SONDE_TARGET_CONNECTIONS',
    number(1, 100),
    10,
    'most requests to one target at once, and connections of a run',
  ),
  limits: {
    requestsPerMinute: setting(
      'SONDE_LIMIT_REQUESTS_PER_MINUTE',
      number(1, 1_000_000),
      300,
      'API requests with one key',
    ),
    startsPerMinute: setting('SONDE_LIMIT_STARTS_PER_MINUTE', number(1, 1_000_000), 30, 'starts of runs with one key'),
    refusalsPerMinute: setting(
      'SONDE_LIMIT_REFUSALS_PER_MINUTE',
      number(1, 1_000_000),
      30,
      'refused credentials from one address',
    ),
  },
  smtpUrl: optional(
    'SONDE_SMTP_URL',
    z.url({ protocol: /^smtps?$/, error: 'must be an address such as smtps://user:password@mail.example.com' }),
    'mail server for e-mail about runs, `smtps://user:password@mail.example.com` or `smtp://…` (STARTTLS where offered)',
    'none: no e-mail',
  ),
  mailFrom: setting(
    'SONDE_MAIL_FROM',
    z.email('must be an e-mail address'),
    `sonde@${hostname()}`,
    'sender of e-mail',
    '`sonde@` and the name of the machine',
  ),
  trustProxy: setting(
    'SONDE_TRUST_PROXY',
    networks,
    [],
    'networks of reverse proxies whose `X-Forwarded-For` is believed',
    'none',
  ),
  openId: {
    issuer: optional(
      'SONDE_OIDC_ISSUER',
      webAddress,
      'address of the OpenID Connect provider by which people sign in to the web application',
    ),
    clientId: optional(
      'SONDE_OIDC_CLIENT_ID',
      z.string(),
      "this installation's client at the provider; its redirect address is `SONDE_PUBLIC_URL` + `/sign-in/openid/callback`",
    ),
    clientSecret: optional(
      'SONDE_OIDC_CLIENT_SECRET',
      z.string(),
      "the client's secret; without it the client is a public one",
    ),
    name: setting('SONDE_OIDC_NAME', z.string().max(60), 'OpenID Connect', 'what the button on the sign-in page says'),
    owners: setting(
      'SONDE_OIDC_OWNERS',
      wordList,
      [],
      'verified e-mail addresses of people who become owners, `ada@example.com bob@example.com`',
      'none',
    ),
    role: setting(
      'SONDE_OIDC_ROLE',
      z.enum(['reader', 'member', 'owner', 'none']),
      'reader',
      'what everybody else becomes at the first sign-in: `reader`, `member`, `owner`, or `none`',
    ),
    organisation: optional(
      'SONDE_OIDC_ORGANISATION',
      z.string(),
      'id or name of the organisation whose members they become',
      'the oldest',
    ),
  },
  otlp: {
    collector: optional(
      'SONDE_OTLP',
      webAddress,
      'collector that gets traces of runs and requests by OTLP over HTTP, `http://127.0.0.1:4318`; `/v1/traces` is added',
      'no traces',
    ),
    headers: setting(
      'SONDE_OTLP_HEADERS',
      headerList,
      {},
      'headers for it, such as its key, `x-key=abc,x-tenant=7`; values percent-encoded',
      'none',
    ),
    ratio: setting('SONDE_OTLP_RATIO', share, 1, 'share of traces that are sent, 0 to 1'),
  },
  logLevel: setting(
    'SONDE_LOG_LEVEL',
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
    'trace, debug, info, warn, error, fatal, silent',
  ),
} as const

/** Variables that other parts read by themselves, each with what it means, as Markdown. */
export const READ_ELSEWHERE: Readonly<Record<string, string>> = {
  SONDE_URL: 'address of the service that the program `sonde` talks to, with `SONDE_API_KEY`',
  SONDE_API_KEY: "key of that service; without both, the service of this machine's data folder is meant",
  SONDE_AGENT_TOKEN: 'for `sonde agent`: the token that its service gave; `SONDE_URL` is its address',
  SONDE_AUTH_COOKIE: 'for `sonde scan`: the `Cookie` header of a logged-in area',
  SONDE_AUTH_HEADER: 'for `sonde scan`: one header line of a logged-in area, `Authorization: Bearer …`',
  SONDE_CHROMIUM: 'the browser to use, in place of the Chromium that Debian installs',
  NO_COLOR: 'switches colours off',
}

type Settings = { readonly [name: string]: Setting<unknown> | Settings }

const isSetting = (entry: Setting<unknown> | Settings): entry is Setting<unknown> => typeof entry.variable === 'string'

/** All of them, in the order of the table. */
export const settingList = (settings: Settings = SETTINGS): readonly Setting<unknown>[] =>
  Object.values(settings).flatMap((entry) => (isSetting(entry) ? [entry] : settingList(entry)))

/** What a table of settings is read into. */
export type ValuesOf<S> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : ValuesOf<S[K]>
}

/** The table's shape with `value` in the place of each setting. */
export const valuesOf = <S extends Settings>(settings: S, value: (setting: Setting<unknown>) => unknown): ValuesOf<S> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, entry]) => [name, isSetting(entry) ? value(entry) : valuesOf(entry, value)]),
  ) as ValuesOf<S>
