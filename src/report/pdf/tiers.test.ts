import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../tests/support/until.ts'
import { renderTex } from '../pdf/layout.ts'
import { sampleFile } from '../testing/sample.ts'
import { compilePdf } from './compile.ts'
import { runConfined } from './sandbox.ts'
import { type SandboxTier, sandboxTier, tierText } from './tiers.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0

/** As this machine makes them: every tier as root, the last one as an ordinary user. */
const TIERS: readonly SandboxTier[] = [
  { kind: 'bubblewrap' },
  ...(isRoot ? [{ kind: 'own_user', offline: ['/usr/bin/unshare', '--net', '--'] } as const] : []),
  { kind: 'limits', offline: [] },
]

let folder = ''
let secret = ''
let server: Server
let port = 0
let calls = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sonde-tiers-'))
  await chmod(folder, 0o755)
  secret = join(folder, 'secret')
  await writeFile(secret, 'the secret of the service', { mode: 0o600 })
  server = createServer((socket) => {
    calls += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

const document = (body: string): string => `\\documentclass{article}\\begin{document}${body}\\end{document}`
/** Says of each file whether it could be opened. */
const reading = (names: readonly string[]): string =>
  `\\newread\\r ${names.map((name) => `\\openin\\r="${name}" \\ifeof\\r refused\\else opened\\fi\\closein\\r`).join('\\par ')}`
const textOf = async (pdf: Buffer): Promise<string> => {
  const file = join(folder, 'read.pdf')
  await writeFile(file, pdf)
  return (await run('pdftotext', [file, '-'], { timeout: 60_000 })).stdout
}

/**
 * Bubblewrap is what every other test of TeX runs in, and a user of its own holds more than limits alone, so that both are asked again
 * with SONDE_LONG=1 only.
 */
const SHORT = TIERS.filter(({ kind }) => kind === 'limits')

describe.each(process.env.SONDE_LONG ? TIERS : SHORT)('TeX in the tier $kind', { timeout: 180_000 }, (tier) => {
  // In both of the last tiers as they are chosen, below.
  test.runIf(process.env.SONDE_LONG)('sets a whole report', async () => {
    const { pages, missing } = await compilePdf(renderTex(sampleFile({ findings: 5 })), { tier, seconds: 120 })
    expect(pages).toBeGreaterThan(5)
    expect(missing).toEqual([])
  })

  test('does not read a file of the machine or the service, one above its folder, a process, a pipe', async () => {
    const names = ['/etc/passwd', secret, '../secret', '/proc/self/environ', '|id']
    const { pdf } = await compilePdf(document(reading(names)), { tier, seconds: 120 })
    expect((await textOf(pdf)).match(/refused|opened/g)).toEqual(names.map(() => 'refused'))
  })

  test('runs no command and writes nothing elsewhere', async () => {
    const proof = join(folder, `owned-${tier.kind}`)
    await compilePdf(document(`\\immediate\\write18{touch ${proof}}x`), { tier, seconds: 120 })
    const writes = document(`\\newwrite\\w\\immediate\\openout\\w=${proof} \\immediate\\write\\w{x}y`)
    await expect(compilePdf(writes, { tier, seconds: 120 })).rejects.toThrow(/could not typeset/)
    expect(existsSync(proof)).toBe(false)
  })

  test('ends at its deadline', async () => {
    await expect(compilePdf(document('\\loop\\iftrue\\repeat'), { tier, seconds: 1 })).rejects.toMatchObject({
      kind: 'deadline_exceeded',
    })
  })

  test('leaves our folder ours to remove', async () => {
    await expect(compilePdf(document('\\undefined'), { tier, seconds: 120 })).rejects.toThrow(
      'Undefined control sequence',
    )
  })
})

/** As if TeX itself had been taken over: a shell in its place. Bubblewrap shows no program but those of /usr. */
describe.each(TIERS.filter(({ kind }) => kind !== 'bubblewrap'))(
  'a program gone wrong in the tier $kind',
  {
    timeout: 120_000,
  },
  (tier) => {
    const tries = async (script: string): Promise<string> => {
      const bin = join(folder, `bin-${tier.kind}`)
      const work = await mkdtemp(join(folder, 'work-'))
      await writeFile(join(work, 'script'), script)
      await mkdir(bin, { recursive: true })
      await rm(join(bin, 'pdfinfo'), { force: true })
      await symlink('/bin/bash', join(bin, 'pdfinfo'))
      const limits = { seconds: 60, memoryBytes: 512 * 1024 ** 2, fileBytes: 1024 ** 2 }
      return (await runConfined('pdfinfo', ['script'], { ...limits, folder: work, tier, path: `${bin}:/usr/bin:/bin` }))
        .output
    }

    test('gains no privileges, has none of our environment, and its limits', async () => {
      process.env.SONDE_TIER_TEST = 'leaks'
      const output = await tries('grep -E "NoNewPrivs|CapEff|^Uid" /proc/self/status; env; ulimit -v; ulimit -f')
      delete process.env.SONDE_TIER_TEST
      expect(output).toMatch(/NoNewPrivs:\t1/)
      expect(output).not.toContain('leaks')
      expect(output).toMatch(/^524288\n1024$/m)
      if (tier.kind === 'limits') return
      expect(output).toMatch(/Uid:\t65233\t65233\t65233\t65233/)
      expect(output).toMatch(/CapEff:\t0000000000000000/)
    })

    test('a user of its own reads nothing of the service, writes nothing elsewhere, signals nobody', async () => {
      const written = join(folder, `written-${tier.kind}`)
      const output = await tries(
        `cat ${secret} && echo read; echo x > ${written}; kill -0 ${process.pid} && echo reached; touch here && echo own`,
      )
      expect(output).toContain('own')
      // What the last tier cannot keep from a program that runs as the service: there TeX's own settings hold (above).
      const held = tier.kind === 'own_user'
      expect(output.includes('the secret of the service')).toBe(!held)
      expect(output.includes('reached')).toBe(!held)
      expect(existsSync(written)).toBe(!held)
    })

    test('reaches a network only where none can be taken away', async () => {
      const before = calls
      const output = await tries(`exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected`)
      const reached = tier.kind !== 'bubblewrap' && tier.offline.length === 0
      expect(output.includes('connected')).toBe(reached)
      expect(calls - before).toBe(reached ? 1 : 0)
    })
  },
)

describe('the tier that is chosen', { timeout: 240_000 }, () => {
  /** A whole report where no further user namespace can be made; the tier and its pages. */
  const without = async (drop: readonly string[]): Promise<string> => {
    const tex = join(folder, 'whole.tex')
    await writeFile(tex, renderTex(sampleFile({ findings: 3 })))
    await chmod(tex, 0o644)
    const from = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href)
    const script = join(folder, 'whole.mjs')
    await writeFile(
      script,
      `import { readFileSync } from 'node:fs'
import { sandboxTier } from ${from('./tiers.ts')}
import { compilePdf } from ${from('./compile.ts')}
const { pages } = await compilePdf(readFileSync(${JSON.stringify(tex)}, 'utf8'), { seconds: 120 })
console.log((await sandboxTier()).kind, pages > 5)`,
    )
    const inner = `echo 0 > /proc/sys/user/max_user_namespaces; exec setpriv ${drop.join(' ')} "$0" ${script}`
    // Whoever is mapped to root only later becomes it with the next program. It gives up the way to further namespaces.
    const child = spawn(
      'unshare',
      ['--user', '--', 'sh', '-c', 'read go; exec sh -c "$0" "$1"', inner, process.execPath],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { PATH: process.env.PATH },
      },
    )
    await until(
      async () => (await readlink(`/proc/${child.pid}/ns/user`)) !== (await readlink('/proc/self/ns/user')),
      60_000,
    )
    for (const map of ['uid_map', 'gid_map']) await writeFile(`/proc/${child.pid}/${map}`, '0 0 65536')
    child.stdin.end('go\n')
    return (await text(child.stdout)).trim()
  }

  test('bubblewrap where it works', async () => {
    expect((await sandboxTier()).kind).toBe('bubblewrap')
    expect(tierText({ kind: 'bubblewrap' })).toContain('bubblewrap')
  })

  test.runIf(isRoot)('root in a container without namespaces: a user of its own', async () => {
    expect(await without(['--bounding-set=-sys_admin', '--inh-caps=-sys_admin'])).toBe('own_user true')
  })

  test.runIf(isRoot && process.env.SONDE_LONG)('an ordinary user without namespaces: limits', async () => {
    const drop = ['--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all', '--bounding-set=-all']
    expect(await without(drop)).toBe('limits true')
  })

  test('no bubblewrap installed: what the user can do without it', async () => {
    const bin = join(folder, 'few')
    await mkdir(bin)
    for (const name of ['setpriv', 'prlimit', 'unshare', 'true']) await symlink(`/usr/bin/${name}`, join(bin, name))
    const tier = await sandboxTier(bin)
    expect(tier.kind).toBe(isRoot ? 'own_user' : 'limits')
    expect(tierText(tier)).toMatch(/without new privileges/)
  })
})
