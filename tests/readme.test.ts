/**
 * What the documents tell a person to type is taken by the program, and where they point something is. With SONDE_LONG=1
 * each line of README's start is typed as it stands, in its order, and does what stands behind it.
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Command, CommanderError } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildProgram } from '../src/cli/program.ts'
import { commandsIn } from '../src/main/commands.ts'
import { startTestbed, type Testbed } from '../testbed/server.ts'
import { copyTemplate } from './support/databases.ts'
import { HOME } from './support/imports.ts'
import { type Ended, type Env, type Serving, serve, sonde } from './support/sonde.ts'

const markdown = (folder: string): readonly string[] =>
  readdirSync(join(HOME, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
const DOCUMENTS = ['.', 'docs', 'docs/decisions', 'integrations', 'bench'].flatMap(markdown)
const textOf = (file: string): string => readFileSync(join(HOME, file), 'utf8')

/** What stands for an id. */
const ID = '0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4fff'

/** What is typed behind `./run`, in fenced blocks and in running text; a choice in brackets is several. */
const commandsOf = (text: string): readonly { readonly line: string; readonly words: readonly string[] }[] =>
  [...text.matchAll(/(?:^\.\/run |`\.\/run )(\S[^`\n]*)/gm)]
    .flatMap(([, line = '']) => choices(line.replace(/\s+#.*$/, '').trim()))
    .map((line) => ({
      line,
      words: [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, bare]) => quoted ?? bare?.replace(/^ID$/, ID).replace(/^FINGERPRINT$/, '4b0e1f6a'.repeat(8)) ?? '',
      ),
    }))
const choices = (line: string): readonly string[] => {
  const [whole, inner] = /\[([^\]]*)\]/.exec(line) ?? []
  if (whole === undefined) return [line]
  return ['', ...(inner ?? '').split('|')].map((one) => line.replace(whole, one.trim()).trim())
}

/** A word that `run` takes by itself: the maker of packages is no command of the installed program. */
const OF_RUN = /if \[ "\$1" = (\w+) \]/.exec(textOf('run'))?.[1]
const TYPED = DOCUMENTS.flatMap((file) => commandsOf(textOf(file)).map((one) => ({ file, ...one }))).filter(
  ({ words }) => words[0] !== OF_RUN,
)

test('nobody is told to type what a start by ./run does not bring along', () => {
  expect(OF_RUN).toBe('package')
  expect([...textOf('README.md').matchAll(/(?:^|`)(?:npm|npx|node|git) [^`\n]*/gm)].map(([words]) => words)).toEqual([])
})

test('there is something to type', () => expect(TYPED.length).toBeGreaterThan(20))

test.each(TYPED)('$file: ./run $line', async ({ words }) => {
  const said: string[] = []
  const screen = {
    out: () => undefined,
    err: (text: string) => void said.push(text),
    isTTY: false,
    columns: () => 80,
    colour: false,
  }
  const program = buildProgram(commandsIn({ env: {}, screen, signal: new AbortController().signal }), () => undefined)
  let taken = 0
  const idle = (command: Command): void => {
    command.commands.forEach(idle)
    if (command.commands.length > 0) return
    command.action(() => {
      taken += 1
    })
  }
  idle(program)
  await program.parseAsync(words, { from: 'user' }).catch((error: unknown) => {
    // What a person asks to be told ends the program well.
    if (error instanceof CommanderError && error.exitCode === 0) taken += 1
    else throw error
  })
  expect(said).toEqual([])
  expect(taken).toBe(1)
})

test.each(DOCUMENTS)('%s leads nowhere that is not there', (file) => {
  const links = [
    ...textOf(file)
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .matchAll(/\]\(([^)\s#]+)[^)]*\)/g),
  ]
    .map(([, to = '']) => to)
    .filter((to) => !/^[a-z]+:/.test(to))
  expect(links.filter((to) => !existsSync(join(HOME, dirname(file), to)))).toEqual([])
})

const LONG = process.env.SONDE_LONG !== undefined
const START = commandsOf(/\n## Start\n([\s\S]*?)\n## /.exec(textOf('README.md'))?.[1] ?? '').filter(
  ({ words }) => words[0] !== OF_RUN,
)
const NETWORK = `127.${60 + (process.pid % 40)}.${(process.pid >> 8) % 256}`
/** Milliseconds for a whole run, against a hang. */
const WHOLE_RUN = 900_000

/** By line: what it says and leaves. A line that README gets and this has not fails. */
const DOES: Readonly<Record<string, (ended: Ended) => void>> = {
  'domain add shop.example.com --verified': ({ code, out }) =>
    expect([code, out]).toEqual([0, expect.stringMatching(/shop\.example\.com/)]),
  'scan shop.example.com --active --dry-run': ({ code, out }) => {
    expect(code).toBe(0)
    expect(out).toMatch(/^send \(\d+\) {2}would be probed/m)
    expect(out).toMatch(/^never \(\d+\) {2}would be left alone/m)
    expect(out).not.toMatch(/ grade /)
  },
  'scan shop.example.com --active --watch': ({ code, out }) => {
    expect(code).toBe(0)
    expect(out).toMatch(/100 % {2}finished/)
    expect(out).toMatch(/SQL injection/)
  },
  'domain describe shop.example.com openapi.yaml': ({ code, out }) =>
    expect([code, out]).toEqual([0, expect.stringMatching(/1 operation/)]),
  'domain identity add shop.example.com me.json': ({ code, out }) =>
    expect([code, out]).toEqual([0, expect.stringMatching(/ me {2}cookie$/m)]),
  'domain add stage.example.com --verified --environment test': ({ code, out }) =>
    expect([code, out]).toEqual([0, expect.stringMatching(/test/)]),
  'domain set shop.example.com --start-path /wiki/': ({ code, out }) =>
    expect([code, out]).toEqual([0, expect.stringContaining('Begins also at: /wiki/')]),
  // Nobody speaks to it: it ends with what it reads from.
  mcp: ({ code, out }) => expect([code, out]).toEqual([0, '']),
  '--help': ({ code, out }) => expect([code, out]).toEqual([0, expect.stringMatching(/^Usage: sonde/)]),
  // Whatever this machine lacks, it says how to get it.
  doctor: ({ out }) => expect(out).toMatch(/database.*\n/),
  'scan shop.example.com --fail-on high --sarif sonde.sarif': ({ code, err }) => {
    expect([code, err]).toEqual([1, expect.stringMatching(/findings of severity high or above/)])
    expect(JSON.parse(readFileSync('sonde.sarif', 'utf8')).version).toBe('2.1.0')
  },
}

describe.runIf(LONG)('the start, line by line', () => {
  let folder = ''
  let testbed: Testbed
  let service: Serving
  const before = process.cwd()
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sonde-readme-'))
    process.chdir(folder)
    testbed = await startTestbed({
      flawed: { host: 'shop.example.com', address: `${NETWORK}.9` },
      fixed: { host: 'stage.example.com', address: `${NETWORK}.10` },
    })
    writeFileSync(
      'openapi.yaml',
      'openapi: 3.0.3\ninfo: {title: Shop, version: "1"}\npaths: {/search: {get: {parameters: [{name: q, in: query, schema: {type: string}}], responses: {"200": {description: Found}}}}}\n',
    )
    writeFileSync('me.json', '{"name": "me", "kind": "cookie", "cookie": "visit=0f8b5c"}')
    await copyTemplate(join(folder, 'data'))
    chmodSync(join(folder, 'data'), 0o700)
    service = await serve([], {
      ...env(),
      SONDE_HOSTS: `shop.example.com=${NETWORK}.9 stage.example.com=${NETWORK}.10`,
    })
  }, 300_000)
  afterAll(async () => {
    await service?.end('SIGTERM')
    await testbed?.close()
    process.chdir(before)
    rmSync(folder, { recursive: true, force: true })
  })
  const env = (): Env => ({
    ...{ SONDE_DATA: join(folder, 'data'), SONDE_ALLOW_NETWORKS: `${NETWORK}.0/24`, SONDE_ALLOW_TARGET_PORTS: 'any' },
    ...{ SONDE_RESOLVERS: `${NETWORK}.8`, SONDE_TARGET_REQUESTS_PER_SECOND: '200', SONDE_TARGET_CONNECTIONS: '20' },
  })

  test('serve prints address and first key', () => {
    expect(START[0]?.line).toBe('serve')
    expect(service.ready).toMatchObject({
      base_url: expect.stringMatching(/^http:/),
      api_key: expect.stringMatching(/./),
    })
  })

  test.each(START.slice(1))('./run $line', { timeout: WHOLE_RUN }, async ({ line, words }) => {
    const check = DOES[line]
    if (!check) throw new Error('README has a line that nobody has tried')
    check(await sonde(words, env(), { deadline: WHOLE_RUN }))
  })
})
