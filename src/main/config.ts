/** The operator's settings: read once at start from the environment, checked whole, every bad value named at once. */
import { hostname } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { BUILT_IN_PLANS, type Plan, type Role } from '../contract/organisation.ts'
import type { OobSettings } from '../egress/oob/out-of-band.ts'
import {
  databaseUrl,
  domainName,
  hostTable,
  ipAddress,
  keyText,
  networks,
  plansFile,
  portChoice,
  resolvers,
  storageUrl,
  trustAnchors,
  wordList,
} from './config-values.ts'
import type { OpenIdSettings } from './open-id.ts'

const number = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
const whole = (min: number, max: number, fallback: number) => number(min, max).default(fallback)

/** What each variable means is in docs/operations.md; a test holds the two lists equal. */
export const VARIABLES = {
  SONDE_DATA: z.string().min(1).optional(),
  DATABASE_URL: databaseUrl.optional(),
  SONDE_STORAGE: storageUrl.optional(),
  SONDE_SECRET_KEY: keyText.optional(),
  SONDE_PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  SONDE_HOSTS: hostTable.default({}),
  SONDE_ALLOW_NETWORKS: networks.default([]),
  SONDE_ALLOW_TARGET_PORTS: z.literal('any', 'may only be "any"').optional(),
  SONDE_RESOLVERS: resolvers.default([]),
  SONDE_TRUST_ANCHORS: trustAnchors.optional(),
  SONDE_PORTS: portChoice.default('top'),
  SONDE_RECOG: z.string().min(1).optional(),
  SONDE_OOB_ADDRESS: ipAddress.optional(),
  SONDE_OOB_DOMAIN: domainName.optional(),
  SONDE_OOB_BIND: ipAddress.optional(),
  SONDE_OOB_HTTP_PORT: whole(0, 65_535, 80),
  SONDE_OOB_DNS_PORT: whole(0, 65_535, 53),
  SONDE_TEMPLATES: z.string().min(1).optional(),
  SONDE_CONTACT: z
    .string()
    .max(200)
    .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII: it goes into a header')
    .default(''),
  SONDE_PLANS: plansFile.optional(),
  SONDE_CONCURRENCY: number(1, 256).optional(),
  SONDE_RUN_MINUTES: whole(1, 24 * 60, 60),
  SONDE_CHILD_MEMORY_MB: whole(128, 65_536, 1_024),
  SONDE_TARGET_REQUESTS_PER_SECOND: whole(1, 1_000, 20),
  SONDE_TARGET_CONNECTIONS: whole(1, 100, 10),
  SONDE_LIMIT_REQUESTS_PER_MINUTE: whole(1, 1_000_000, 300),
  SONDE_LIMIT_STARTS_PER_MINUTE: whole(1, 1_000_000, 30),
  SONDE_LIMIT_REFUSALS_PER_MINUTE: whole(1, 1_000_000, 30),
  SONDE_SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an address such as smtps://user:password@mail.example.com' })
    .optional(),
  SONDE_MAIL_FROM: z.email('must be an e-mail address').optional(),
  SONDE_TRUST_PROXY: networks.default([]),
  SONDE_OIDC_ISSUER: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  SONDE_OIDC_CLIENT_ID: z.string().min(1).optional(),
  SONDE_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  SONDE_OIDC_NAME: z.string().min(1).max(60).default('OpenID Connect'),
  SONDE_OIDC_OWNERS: wordList.default([]),
  SONDE_OIDC_ROLE: z.enum(['reader', 'member', 'owner', 'none']).default('reader'),
  SONDE_OIDC_ORGANISATION: z.string().min(1).optional(),
  SONDE_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
} as const

/** Read elsewhere, so not unknown: the command line's own, and the tests' one. */
const ELSEWHERE = ['SONDE_URL', 'SONDE_API_KEY', 'SONDE_AUTH_COOKIE', 'SONDE_AUTH_HEADER', 'SONDE_LONG']

export interface Config {
  /** Absolute. Holds the embedded database, files, keys, the control socket. */
  readonly dataDir: string
  /** Null means the embedded database. */
  readonly databaseUrl: string | null
  /** Null means a folder in `dataDir`. */
  readonly storageUrl: string | null
  /** 32 bytes, or null: then a file in `dataDir` holds it. */
  readonly secretKey: Buffer | null
  /** Where clients reach the service; null means where it listens. */
  readonly publicUrl: string | null
  readonly hosts: Readonly<Record<string, readonly string[]>>
  readonly allowNetworks: readonly string[]
  /** A domain may carry a port. */
  readonly allowTargetPorts: boolean
  readonly resolvers: readonly string[]
  /** DS records in place of the root zone's; null means those of IANA. */
  readonly trustAnchors: readonly string[] | null
  /** TCP ports of an active run: `top`, `all` or a list. */
  readonly ports: string
  /** Absolute. Folder of imported Recog files; null without. */
  readonly recogFolder: string | null
  /** Listener for calls from targets; null means that there is none. */
  readonly outOfBand: OobSettings | null
  /** Absolute. Folder of a template catalogue; null without. */
  readonly templatesFolder: string | null
  readonly contact: string
  readonly plans: readonly Plan[]
  /** Runs at once in one worker; null means one for each core. */
  readonly concurrency: number | null
  readonly runSeconds: number
  readonly childMemoryMb: number
  readonly targetRequestsPerSecond: number
  readonly targetConnections: number
  readonly limits: {
    readonly requestsPerMinute: number
    readonly startsPerMinute: number
    readonly refusalsPerMinute: number
  }
  /** Null: no e-mail is sent. */
  readonly smtpUrl: string | null
  /** Sender of e-mail. */
  readonly mailFrom: string
  /** Networks of reverse proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[]
  /** Null: nobody signs in by a provider. */
  readonly openId: OpenIdSettings | null
  readonly logLevel: z.infer<(typeof VARIABLES)['SONDE_LOG_LEVEL']>
  /** Variables that begin with SONDE_ but mean nothing: most likely mistyped. */
  readonly unknown: readonly string[]
}

/** Thrown with one line for each bad variable. */
export class ConfigError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'ConfigError'
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** An empty variable counts as unset, as in `SONDE_HOSTS= ./run`. Relative folders start at `home`. */
export const readConfig = (env: Environment, home: string): Config => {
  const given = Object.fromEntries(
    Object.keys(VARIABLES).flatMap((name) => (env[name] ? [[name, env[name].trim()]] : [])),
  )
  const parsed = z.object(VARIABLES).safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${String(issue.path[0])} ${issue.message}`)
    throw new ConfigError(`These settings are wrong:\n${[...new Set(lines)].join('\n')}`)
  }
  const values = parsed.data
  const data = values.SONDE_DATA ?? 'data'
  return {
    dataDir: isAbsolute(data) ? data : resolve(join(home, data)),
    databaseUrl: values.DATABASE_URL ?? null,
    storageUrl: values.SONDE_STORAGE ?? null,
    secretKey: values.SONDE_SECRET_KEY ?? null,
    publicUrl: values.SONDE_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    hosts: values.SONDE_HOSTS,
    allowNetworks: values.SONDE_ALLOW_NETWORKS,
    allowTargetPorts: values.SONDE_ALLOW_TARGET_PORTS === 'any',
    resolvers: values.SONDE_RESOLVERS,
    trustAnchors: values.SONDE_TRUST_ANCHORS ?? null,
    ports: values.SONDE_PORTS,
    recogFolder: values.SONDE_RECOG === undefined ? null : resolve(home, values.SONDE_RECOG),
    outOfBand: outOfBandOf(values),
    templatesFolder: values.SONDE_TEMPLATES === undefined ? null : resolve(home, values.SONDE_TEMPLATES),
    contact: values.SONDE_CONTACT,
    plans: values.SONDE_PLANS ?? BUILT_IN_PLANS,
    concurrency: values.SONDE_CONCURRENCY ?? null,
    runSeconds: values.SONDE_RUN_MINUTES * 60,
    childMemoryMb: values.SONDE_CHILD_MEMORY_MB,
    targetRequestsPerSecond: values.SONDE_TARGET_REQUESTS_PER_SECOND,
    targetConnections: values.SONDE_TARGET_CONNECTIONS,
    limits: {
      requestsPerMinute: values.SONDE_LIMIT_REQUESTS_PER_MINUTE,
      startsPerMinute: values.SONDE_LIMIT_STARTS_PER_MINUTE,
      refusalsPerMinute: values.SONDE_LIMIT_REFUSALS_PER_MINUTE,
    },
    smtpUrl: values.SONDE_SMTP_URL ?? null,
    mailFrom: values.SONDE_MAIL_FROM ?? `sonde@${hostname()}`,
    trustProxy: values.SONDE_TRUST_PROXY,
    openId: openIdOf(values),
    logLevel: values.SONDE_LOG_LEVEL,
    unknown: Object.keys(env).filter(
      (name) => name.startsWith('SONDE_') && !(name in VARIABLES) && !ELSEWHERE.includes(name),
    ),
  }
}

type Values = z.infer<z.ZodObject<typeof VARIABLES>>

/** The address switches it on; the rest alone would be a listener that nobody reaches. */
const outOfBandOf = (values: Values): OobSettings | null => {
  const { SONDE_OOB_ADDRESS: address, SONDE_OOB_DOMAIN: domain, SONDE_OOB_BIND: bind } = values
  if (address === undefined) {
    if (domain === undefined && bind === undefined) return null
    throw new ConfigError(
      'These settings are wrong:\n  SONDE_OOB_ADDRESS must be set with SONDE_OOB_DOMAIN and SONDE_OOB_BIND',
    )
  }
  return {
    address,
    bind: bind ?? address,
    domain: domain ?? null,
    httpPort: values.SONDE_OOB_HTTP_PORT,
    dnsPort: values.SONDE_OOB_DNS_PORT,
  }
}

interface OpenIdValues {
  readonly SONDE_OIDC_ISSUER?: string | undefined
  readonly SONDE_OIDC_CLIENT_ID?: string | undefined
  readonly SONDE_OIDC_CLIENT_SECRET?: string | undefined
  readonly SONDE_OIDC_NAME: string
  readonly SONDE_OIDC_OWNERS: readonly string[]
  readonly SONDE_OIDC_ROLE: Role | 'none'
  readonly SONDE_OIDC_ORGANISATION?: string | undefined
}

const openIdOf = (values: OpenIdValues): OpenIdSettings | null => {
  const { SONDE_OIDC_ISSUER: issuer, SONDE_OIDC_CLIENT_ID: clientId } = values
  if (issuer === undefined && clientId === undefined) return null
  if (issuer === undefined || clientId === undefined) {
    throw new ConfigError(
      'These settings are wrong:\n  SONDE_OIDC_ISSUER and SONDE_OIDC_CLIENT_ID go together: set both or none',
    )
  }
  return {
    ...{ issuer, clientId, name: values.SONDE_OIDC_NAME },
    clientSecret: values.SONDE_OIDC_CLIENT_SECRET ?? null,
    owners: values.SONDE_OIDC_OWNERS.map((owner) => owner.toLowerCase()),
    role: values.SONDE_OIDC_ROLE === 'none' ? null : values.SONDE_OIDC_ROLE,
    organisation: values.SONDE_OIDC_ORGANISATION ?? null,
  }
}
