/** The program as its operator meets it: start, stop, restart, kill, commands beside it and without it. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { copyTemplate } from './support/databases.ts'
import { command, type Env, type Serving, serve, sonde, start } from './support/sonde.ts'
import { until } from './support/until.ts'

let data = ''
let env: Env = {}
const running: Serving[] = []
const newFolder = async (how: 'absent' | 'migrated'): Promise<void> => {
  data = join(mkdtempSync(join(tmpdir(), 'sonde-service-')), 'data')
  env = { SONDE_DATA: data, SONDE_LOG_LEVEL: 'warn' }
  if (how === 'absent') return
  await copyTemplate(data)
  chmodSync(data, 0o700)
}
const cleanUp = async (): Promise<void> => {
  for (const service of running.splice(0)) await service.end('SIGKILL')
  rmSync(join(data, '..'), { recursive: true, force: true })
}

const started = async (words: readonly string[] = [], more: Env = {}): Promise<Serving> => {
  const service = await serve(words, { ...env, ...more })
  running.push(service)
  return service
}
const mode = (name: string): string => (statSync(join(data, name)).mode & 0o777).toString(8)
const list = ({ ready }: Serving): Promise<Response> =>
  fetch(`${ready.base_url}/v1/scans`, { headers: { authorization: `Bearer ${ready.api_key}` } })

describe('the first start', () => {
  beforeEach(() => newFolder('absent'))
  afterEach(cleanUp)

  test('says one line, answers, keeps its secrets to itself, drains on SIGTERM; a restart has the same organisation, key and secret; a start after a kill has what was acknowledged, and no other first key than the revoked one', async () => {
    const service = await started()
    expect((await list(service)).status).toBe(200)
    expect((await fetch(`${service.ready.base_url}/readyz`)).status).toBe(200)
    for (const file of ['secret.key', 'first-key.json', 'control.sock']) expect(mode(file), file).toBe('600')
    expect(mode('.')).toBe('700')
    const secret = readFileSync(join(data, 'secret.key'))
    const { code, milliseconds } = await service.end('SIGTERM')
    expect(code).toBe(0)
    expect(milliseconds).toBeLessThan(10_000)
    expect(service.lines).toHaveLength(1)
    expect(service.log()).not.toContain(service.ready.api_key)
    expect(existsSync(join(data, 'control.sock'))).toBe(false)

    const second = await started()
    expect(second.ready).toMatchObject({
      api_key: service.ready.api_key,
      organisation_id: service.ready.organisation_id,
    })
    expect((await list(second)).status).toBe(200)
    expect(readFileSync(join(data, 'secret.key'))).toEqual(secret)
    const [key] = JSON.parse((await command(['key', 'list', '--json'], env)).out)
    expect((await command(['key', 'revoke', key.id], env)).code).toBe(0)
    expect((await list(second)).status).toBe(401)
    const other = (await command(['key', 'create', 'other'], env)).out.trim()
    await command(['domain', 'add', 'example.com'], env)
    await second.end('SIGKILL')
    const third = await started()
    expect(third.ready).toMatchObject({ api_key: null, organisation_id: service.ready.organisation_id })
    const headers = { authorization: `Bearer ${other}` }
    const domains = await (await fetch(`${third.ready.base_url}/v1/domains`, { headers })).json()
    expect(domains).toMatchObject({ items: [{ domain: 'example.com' }] })
  })

  test('bad settings are all named, and nothing is made', async () => {
    const bad = { ...env, SONDE_HOSTS: 'x', SONDE_SECRET_KEY: 'hunter2', DATABASE_URL: 'mysql://x' }
    const { code, err } = await command(['serve'], bad)
    expect(code).toBe(3)
    for (const name of ['SONDE_HOSTS', 'SONDE_SECRET_KEY', 'DATABASE_URL']) expect(err).toContain(name)
    expect(err).not.toContain('hunter2')
    expect(existsSync(data)).toBe(false)
  })

  test('PostgreSQL without a common secret is refused before anything is opened', async () => {
    const { code, err } = await command(['serve'], { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/x' })
    expect(code).toBe(3)
    expect(err).toContain('SONDE_SECRET_KEY')
  })

  test('a worker alone needs PostgreSQL', async () => {
    expect(await command(['worker'], env)).toMatchObject({ code: 3, err: expect.stringContaining('DATABASE_URL') })
  })
})

describe('operator commands without a service', () => {
  beforeEach(() => newFolder('migrated'))
  afterEach(cleanUp)

  test('work on the folder itself', async () => {
    const made = await command(['org', 'create', 'Acme', '--json'], env)
    expect(JSON.parse(made.out)).toMatchObject({ name: 'Acme', plan: 'free', state: 'active' })
    expect((await command(['org', 'list'], env)).out).toContain('Acme')
  })
})

test('an output larger than a pipe arrives whole, however slowly it is taken', { timeout: 240_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-plans-'))
  try {
    const plan = { runs_per_month: 1, concurrent_runs: 1, retention_days: 1, watermark: false }
    const plans = Array.from({ length: 3_000 }, (_, index) => ({ id: `plan-${index}`, ...plan }))
    const file = join(folder, 'plans.json')
    writeFileSync(file, JSON.stringify(plans))
    const data = join(folder, 'data')
    await copyTemplate(data)
    const child = start(['plan', 'list', '--json'], { SONDE_DATA: data, SONDE_PLANS: file })
    // Nobody reads until the pipe is full, and for a moment longer: the moment in which a hasty program would leave.
    await until(() => bytesWritten(child.pid ?? 0) > 100_000, 120_000)
    await delay(500)
    expect(JSON.parse(await text(child.stdout))).toEqual(plans)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const bytesWritten = (pid: number): number =>
  Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0)

describe('beside a service', () => {
  let service: Serving
  let port = 0
  beforeAll(async () => {
    await newFolder('migrated')
    port = await freePort()
    const settings = { SONDE_HOSTS: 'shop.test=127.0.0.9', SONDE_PUBLIC_URL: 'https://scan.example/' }
    service = await started(['--port', String(port)], settings)
  })
  afterAll(cleanUp)

  test('the public address is the one it gives out', () => {
    expect(service.ready.base_url).toBe('https://scan.example')
  })

  test('a second start on the same folder is refused, and the first goes on', async () => {
    const second = await command(['serve', '--port', '0'], env)
    expect(second).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/is in use by another Sonde/) })
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  })

  test('a port that somebody has is a clear refusal', async () => {
    await copyTemplate(`${data}-2`)
    const second = await command(['serve', '--port', String(port)], { ...env, SONDE_DATA: `${data}-2` })
    expect(second).toMatchObject({
      ...{ code: 3, out: '' },
      err: `Port ${port} of 127.0.0.1 is in use by another program: take another with --port, or any free one with --port 0.\n`,
    })
  })

  test('doctor: database, clock and storage are well', () => expectWell())

  test('organisation, key, domain, plan', async () => {
    const org = JSON.parse((await command(['org', 'create', 'Acme', '--plan', 'team', '--json'], env)).out)
    expect(org).toMatchObject({ name: 'Acme', plan: 'team', state: 'active' })
    const set = await command(['org', 'set', 'Acme', '--state', 'throttled', '--json'], env)
    expect(JSON.parse(set.out)).toMatchObject({ id: org.id, state: 'throttled' })
    for (const [said, kept] of [
      ['500', 500],
      ['none', null],
    ] as const) {
      const limit = await command(['org', 'set', 'Acme', '--requests-per-day', said, '--json'], env)
      expect(JSON.parse(limit.out)).toMatchObject({ requests_per_day: kept })
    }
    const key = await command(
      ['key', 'create', 'ci', '--org', org.id, '--scope', 'scans:read', '--expires-in', '1'],
      env,
    )
    expect(key.out).toMatch(/^sonde_[0-9A-Za-z]{40}\n$/)
    const keys = JSON.parse((await command(['key', 'list', '--org', 'Acme', '--json'], env)).out)
    expect(keys).toMatchObject([{ name: 'ci', scopes: ['scans:read'], organisation_id: org.id }])
    const domain = await command(['domain', 'add', 'Shop.Example.com', '--org', 'Acme', '--verified', '--json'], env)
    expect(JSON.parse(domain.out)).toMatchObject({ domain: 'shop.example.com', verified_at: expect.any(String) })
    expect(JSON.parse((await command(['plan', 'list', '--json'], env)).out)).toHaveLength(3)
  })

  test.each([
    ['a plan that is none', ['org', 'create', 'x', '--plan', 'gold'], /no plan "gold"/],
    ['an organisation that is none', ['key', 'create', '--org', 'nobody'], /no organisation/],
    ['an address as a domain', ['domain', 'add', '127.0.0.1', '--org', 'First organisation'], /not an address/],
    ['a port where none is allowed', ['domain', 'add', 'shop.example.com:8080', '--org', 'First organisation'], /port/],
    ['a run that is none', ['judge', '0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4f00'], /no run/],
    [
      'a logo that is none',
      ['org', 'set', 'First organisation', '--logo', import.meta.filename],
      /PNG, a PDF of one page, or an SVG/,
    ],
  ])('%s is refused', async (_trick, words, message) => {
    const result = await command(words, env)
    expect(result.err).toMatch(message)
    expect(result.code).toBe(3)
  })

  test('the static name table is that of the running service', async () => {
    expect(JSON.parse((await command(['hosts', '--json'], env)).out)).toEqual([
      { name: 'shop.test', addresses: ['127.0.0.9'] },
    ])
  })

  test('a logo is checked and kept', async () => {
    const logo = join(data, 'logo.svg')
    writeFileSync(
      logo,
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>',
    )
    expect((await command(['org', 'set', 'First organisation', '--logo', logo], env)).code).toBe(0)
  })
})

describe('doctor', () => {
  beforeEach(() => newFolder('migrated'))
  afterEach(cleanUp)

  test('without a service: database, clock and storage are well', () => expectWell())

  test('before the first start: who registers a domain is told what makes an organisation', async () => {
    const result = await command(['domain', 'add', 'shop.example.com', '--verified'], env)
    expect([result.code, result.err]).toEqual([3, expect.stringMatching(/no organisation yet: .*"sonde serve"/)])
  })

  test('names every missing program with the command that installs it', async () => {
    const { out, code } = await sonde(['doctor', '--json'], { ...env, PATH: '/nonexistent' })
    const checks = checksOf(out)
    for (const name of ['xelatex', 'bwrap', 'pdfinfo', 'chromium-headless-shell']) {
      expect(checks[name]).toMatchObject({ state: 'missing', fix: expect.stringContaining('apt-get install') })
    }
    expect(code).toBe(0)
  })

  test('what cannot work is bad, and exit 2', async () => {
    const { out, code } = await command(['doctor', '--json'], {
      ...env,
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      SONDE_SECRET_KEY: 'ab'.repeat(32),
      SONDE_HOST: 'mistyped',
    })
    expect(code).toBe(2)
    const checks = checksOf(out)
    expect(checks.database).toMatchObject({ state: 'bad', fix: expect.stringContaining('DATABASE_URL') })
    expect(checks.settings).toMatchObject({ state: 'bad' })
  })
})

const checksOf = (out: string): Record<string, { state: string; fix: string | null }> =>
  Object.fromEntries(JSON.parse(out).checks.map((check: { name: string }) => [check.name, check]))

const expectWell = async (): Promise<void> => {
  const { out } = await command(['doctor', '--json'], env)
  const checks = checksOf(out)
  for (const name of ['node', 'database', 'clock', 'storage', 'service']) expect(checks[name]?.state, name).toBe('ok')
  expect(checks.database?.fix).toContain('sonde migrate --to postgres://')
}
