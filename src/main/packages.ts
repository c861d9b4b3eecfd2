/** The packages that are made of the sources for other people's machines. */
import type { Plugin } from 'vite'
import type { Endpoint } from '../contract/endpoint.ts'
import { ENDPOINTS } from '../contract/endpoints.ts'
import { openApi } from '../contract/openapi.ts'
import { typesOf } from '../contract/openapi-types.ts'

interface Package {
  readonly entry: string
  /** Of the built file, without its ending. */
  readonly file: string
  readonly platform: 'node' | 'anywhere'
  readonly target: string
  readonly plugins: readonly Plugin[]
  readonly manifest: Readonly<Record<string, unknown>>
  /** Beside the built file: name → content. */
  readonly files: (version: string) => Readonly<Record<string, string>>
}

const cli: Package = {
  entry: 'src/cli/remote.ts',
  file: 'sonde',
  platform: 'node',
  target: 'node20',
  plugins: [],
  manifest: {
    name: 'sonde',
    description: 'Security scans of web sites: the command line of a Sonde service',
    bin: { sonde: 'sonde.js' },
    engines: { node: '>=20' },
    files: ['sonde.js', 'THIRD-PARTY-NOTICES'],
  },
  files: () => ({
    'README.md': `# sonde

The command line of a Sonde service. Node 20 or newer, no dependencies.

    npm install --global ./sonde-VERSION.tgz
    export SONDE_URL=https://sonde.example.com SONDE_API_KEY=sonde_…
    sonde scan shop.example.com --fail-on high
    sonde verify report/ --key FINGERPRINT    # needs no service
    sonde mcp --help                          # tools for agents
    sonde --help

Exit codes: 0 clean, 1 the gate of --fail-on was hit, 2 the run failed or was cancelled, 3 usage; verify has its own
`,
  }),
}

/** What `clientRow` reads of the endpoint table, as plain data: the schemas stay with the service. */
const endpointTable: Plugin = {
  name: 'endpoint-table',
  enforce: 'pre',
  load: (id) => {
    if (!id.endsWith('/src/contract/endpoints.ts')) return null
    const rows = Object.entries(ENDPOINTS as Readonly<Record<string, Endpoint>>).map(([name, row]) => {
      const responses = Object.entries(row.responses).map(([status, { kind }]) => [status, { kind }])
      return [name, { method: row.method, path: row.path, scope: row.scope, responses: Object.fromEntries(responses) }]
    })
    return `export const ENDPOINTS = ${JSON.stringify(Object.fromEntries(rows))}`
  },
}

const CLIENT_TYPES = `
/** A body that goes as it is; a form says its type itself. */
export type RawBody = FormData | { readonly type: string; readonly content: Uint8Array<ArrayBuffer> | string }

export interface ClientOptions {
  /** Where the service answers, with or without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Milliseconds for one call; a stream has no such limit. Default 30,000. */
  readonly timeout?: number
  /** Further attempts where asking again is safe. Default 3. */
  readonly retries?: number
  /** Milliseconds before the second attempt, twice as long before each further one. Default 500. */
  readonly pause?: number
  readonly fetch?: typeof fetch
}

type Call<Row extends { input: unknown; output: unknown }> = Record<never, never> extends Row['input']
  ? (input?: Row['input']) => Promise<Row['output']>
  : (input: Row['input']) => Promise<Row['output']>

/** One call for each operation that answers JSON or nothing, by its operationId. */
export type Client = {
  readonly [Id in keyof Operations as Operations[Id]['output'] extends Response ? never : Id]: Call<Operations[Id]>
} & {
  /** Any operation as it answers: for streams, files and other formats. */
  readonly request: <Id extends keyof Operations>(id: Id, input: Operations[Id]['input']) => Promise<Response>
}

export declare const createClient: (options: ClientOptions) => Client

/** Every item of a listing, page after page: everyItem((cursor) => client.listScans({ query: { cursor } })) */
export declare const everyItem: <Item>(
  list: (cursor: string | undefined) => Promise<{ items: readonly Item[]; next_cursor: string | null }>,
) => AsyncGenerator<Item>

export type RunEvent =
  | { readonly type: 'progress'; readonly seq: number; readonly data: ProgressEvent }
  | { readonly type: 'done'; readonly seq: number; readonly data: Scan }
  | { readonly type: 'audit'; readonly seq: number; readonly data: AuditLine }

export interface WatchOptions {
  /** Sequence number to go on after. Default 0: from the beginning. */
  readonly after?: number
  readonly signal?: AbortSignal
  /** Breaks in a row, after which the last error is thrown. Default 30. */
  readonly attempts?: number
  /** Milliseconds to wait after a break. Default 1,000. */
  readonly pause?: number
}

/** Every event of a run once and in order, \`done\` last; goes on after every break. */
export declare const watchScan: (client: Client, id: string, options?: WatchOptions) => AsyncGenerator<RunEvent>

/** The service answered with a problem document (RFC 9457). */
export declare class ApiError extends Error {
  readonly status: number
  readonly problem: Problem
  /** Seconds, from Retry-After. */
  readonly retryAfter: number | null
}

/** No answer, or one that is not from this service. */
export declare class ConnectionError extends Error {}
`

const client: Package = {
  entry: 'src/contract/package.ts',
  file: 'index',
  platform: 'anywhere',
  target: 'es2022',
  plugins: [endpointTable],
  manifest: {
    name: '@sonde/client',
    description: 'Typed client of the HTTP interface of a Sonde service, for browsers and Node',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
    sideEffects: false,
    engines: { node: '>=20' },
    files: ['index.js', 'index.d.ts'],
  },
  files: (version) => ({
    'index.d.ts': `${typesOf(openApi(version))}${CLIENT_TYPES}`,
    'README.md': `# @sonde/client

Typed client of a Sonde service, for Node 20 or newer and browsers, without dependencies. Every operation of its OpenAPI document
is a call of the same name.

    import { createClient, everyItem, watchScan } from '@sonde/client'

    const client = createClient({ baseUrl: 'https://sonde.example.com', apiKey: process.env.SONDE_API_KEY })
    const { id } = await client.startScan({ body: { domain_id } })
    for await (const event of watchScan(client, id)) console.log(event.type, event.data)
    const page = (cursor) => client.listFindings({ params: { id }, query: { cursor } })
    for await (const finding of everyItem(page)) console.log(finding.severity, finding.title)

Calls are repeated where that is safe: reads, and changes with an \`Idempotency-Key\` among their \`headers\`. A refusal is an
\`ApiError\` with the problem document, no answer a \`ConnectionError\`.
`,
  }),
}

export const PACKAGES = { cli, client } as const satisfies Readonly<Record<string, Package>>
export type PackageName = keyof typeof PACKAGES
