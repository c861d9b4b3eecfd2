/** The packages for other machines: made, installed from their files into empty folders without a network, and used. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSigner, sampleSet } from '../src/signature/testing/sample-set.ts'
import { onPostgres } from './support/postgres.ts'
import { type Serving, serve } from './support/sonde.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const NPM = join(ROOT, 'node_modules/npm/bin/npm-cli.js')
const node = promisify(execFile)

let home = ''
let database: Awaited<ReturnType<typeof onPostgres>>
let service: Serving
const folders: Record<'cli' | 'client', string> = { cli: '', client: '' }
/** Of the tarballs as they were installed. */
const digests: Record<keyof typeof folders, string> = { cli: '', client: '' }

const packed = async (name: keyof typeof folders): Promise<string> => {
  // npm says what it thinks of such a setting, as it does of a newer npm: nothing that whoever packs could use.
  const env = { ...process.env, npm_config_nosuchsetting: 'yes' }
  const words = ['--disable-warning=ExperimentalWarning', join(ROOT, 'src/main/pack.ts'), name]
  const { stdout, stderr } = await node(process.execPath, words, { env })
  expect(stderr).toBe('')
  return stdout.trim()
}
const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
const installed = async (name: keyof typeof folders): Promise<string> => {
  const folder = join(home, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const file = await packed(name)
  digests[name] = digestOf(file)
  const words = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', file]
  await node(process.execPath, [NPM, ...words], {
    cwd: folder,
    env: { ...process.env, npm_config_cache: join(home, 'npm') },
  })
  return folder
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'sonde-packages-'))
  for (const name of ['cli', 'client'] as const) folders[name] = await installed(name)
  database = await onPostgres()
  service = await serve([], {
    ...database.settings,
    SONDE_DATA: join(home, 'data'),
    SONDE_LOG_LEVEL: 'error',
    SONDE_HOSTS: 'shop.test=127.0.23.30 other.test=127.0.23.31',
    SONDE_ALLOW_NETWORKS: '127.0.23.30/31',
  })
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await database?.drop()
  rmSync(home, { recursive: true, force: true })
})

const env = () => ({
  PATH: process.env.PATH ?? '',
  SONDE_URL: service.ready.base_url,
  SONDE_API_KEY: service.ready.api_key ?? '',
})
/** Exit code and what was said; only what a stranger's machine has. */
const run = (program: string, words: readonly string[], more: NodeJS.ProcessEnv) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(program, [...words], { env: more }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })

test.each(['cli', 'client'] as const)('%s comes alone, and the same sources make the same bytes', async (name) => {
  const modules = join(folders[name], 'node_modules')
  const found = readdirSync(modules).filter((each) => !each.startsWith('.'))
  expect(found).toEqual([name === 'cli' ? 'sonde' : '@sonde'])
  // Both are made by the same builder; the program has more in it.
  if (name === 'cli' || process.env.SONDE_LONG) expect(digestOf(await packed(name))).toBe(digests[name])
})

test('the program scans by a service elsewhere', async () => {
  const sonde = join(folders.cli, 'node_modules/.bin/sonde')
  expect(await run(sonde, ['runs', '--json'], env())).toMatchObject({ code: 0, err: '' })
  // Nothing listens there: the run ends as failed, and so does the program.
  const scan = await run(sonde, ['scan', 'shop.test', '--watch', '--json'], env())
  expect(scan.code).toBe(2)
  const runs = await run(sonde, ['runs', '--json'], env())
  expect(JSON.parse(runs.out)).toMatchObject([{ domain: 'shop.test', status: 'failed' }])
  const { SONDE_API_KEY: _, ...keyless } = env()
  expect(await run(sonde, ['runs'], keyless)).toMatchObject({ code: 3, err: expect.stringContaining('SONDE_API_KEY') })
  expect(await run(sonde, ['serve'], env())).toMatchObject({ code: 3, err: expect.stringContaining('unknown command') })
  const text = readFileSync(sonde, 'utf8')
  for (const word of ['fastify', 'pglite', 'playwright', '/store/', '/worker/']) expect(text).not.toContain(word)
})

test('the program gives an agent the tools of a service elsewhere', async () => {
  const agent = new Client({ name: 'test', version: '1' })
  const command = join(folders.cli, 'node_modules/.bin/sonde')
  await agent.connect(new StdioClientTransport({ command, args: ['mcp'], env: env() }))
  try {
    expect((await agent.listTools()).tools.map(({ name }) => name)).toContain('test_hypothesis')
    const { content } = await agent.callTool({ name: 'start_scan', arguments: { domain: 'nobody.test' } })
    expect(content).toMatchObject([{ text: expect.stringContaining('not registered here') }])
  } finally {
    await agent.close()
  }
  const { SONDE_API_KEY: _, ...keyless } = env()
  expect(await run(command, ['mcp'], keyless)).toMatchObject({ code: 3, err: expect.stringContaining('SONDE_API_KEY') })
})

test('the program checks a report by itself, without a service or a key of one', async () => {
  const sonde = join(folders.cli, 'node_modules/.bin/sonde')
  const alone = { PATH: process.env.PATH ?? '' }
  const signer = newSigner()
  const folder = join(home, 'report')
  for (const [name, bytes] of sampleSet(signer)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  expect(await run(sonde, ['verify', folder, '--key', signer.fingerprint], alone)).toMatchObject({ code: 0, err: '' })
  expect(await run(sonde, ['verify', folder], alone)).toMatchObject({
    code: 4,
    out: expect.stringContaining('signer unknown'),
  })
  writeFileSync(join(folder, 'findings.json'), '{}')
  expect(await run(sonde, ['verify', folder, '--key', signer.fingerprint], alone)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/ALTERED\s+\S+findings\.json/),
  })
})

const USE = `
import { ApiError, createClient, everyItem, watchScan, type Finding } from '@sonde/client'

declare const process: { env: Record<string, string> }
const { SONDE_URL = '', SONDE_API_KEY = '' } = process.env
const client = createClient({ baseUrl: SONDE_URL, apiKey: SONDE_API_KEY })
for (const domain of ['other.test', 'third.example.com']) await client.createDomain({ body: { domain } })
const names: string[] = []
for await (const each of everyItem((cursor) => client.listDomains({ query: { limit: 1, ...(cursor ? { cursor } : {}) } }))) {
  names.push(each.domain)
}
const domain = (await client.listDomains()).items.find((each) => each.domain === 'other.test')
const run = await client.startScan({ body: { domain_id: domain?.id ?? '', privacy: false, make_pdf: false } })
const types = new Set<string>()
let status = ''
for await (const event of watchScan(client, run.id)) {
  types.add(event.type)
  if (event.type === 'done') status = event.data.status
}
const findings: Finding[] = []
for await (const each of everyItem(() => client.listFindings({ params: { id: run.id } }))) findings.push(each as Finding)
const missing = await client.readScan({ params: { id: '00000000-0000-4000-8000-000000000000' } }).catch((error: unknown) => error)
const csv = await client.request('listFindings', { params: { id: run.id }, query: { format: 'json' } })
console.log(JSON.stringify({ names: names.toSorted(), types: [...types].toSorted(), status,
  refused: missing instanceof ApiError ? missing.problem.code : null, answered: csv.status, findings: findings.length }))
`

test('the client pages, watches, and says what is refused; its types hold', async () => {
  const folder = folders.client
  writeFileSync(join(folder, 'use.ts'), USE)
  const compiler = {
    strict: true,
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: [],
    module: 'nodenext',
    noEmit: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: compiler, files: ['use.ts'] }))
  const checked = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { PATH: process.env.PATH ?? '' })
  expect(checked.out).toBe('')
  const used = await run(process.execPath, [join(folder, 'use.ts')], env())
  expect(used.err).toBe('')
  expect(JSON.parse(used.out)).toEqual({
    names: ['other.test', 'shop.test', 'third.example.com'],
    types: ['audit', 'done', 'progress'],
    status: 'failed',
    refused: 'scan_not_found',
    answered: 200,
    findings: 0,
  })
  // Of browsers it needs what they have.
  expect(readFileSync(join(folder, 'node_modules/@sonde/client/index.js'), 'utf8')).not.toMatch(
    /^import |node:|\bprocess\b|\bBuffer\b/m,
  )
})
