/** `sonde domain identity` and `sonde login test`: as whom runs of a domain look, and whether that works. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import type { Client } from '../../contract/client.ts'
import type { LoginTest } from '../../contract/domain-login.ts'
import { fieldErrors } from '../../contract/field-errors.ts'
import { CreateIdentity, DEFAULT_IDENTITY, type Identity } from '../../contract/identity.ts'
import { sleep } from '../../contract/sleep.ts'
import { connect, knownDomainId } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { EXIT, type ExitCode, UsageError } from '../exit.ts'
import { ownFile } from '../own-file.ts'
import { clean, jsonText, table } from '../screen.ts'
import { examples, JSON_FLAG, removedText } from './options.ts'

const DOMAIN = ['<domain>', 'name or id of the domain'] as const
const NAME = ['<name>', 'name of the identity'] as const
/** Milliseconds between two looks at a test. */
const EVERY = 1_000

/** What people start from; `{{name}}` stands for what an answer gave. */
const FILES: readonly CreateIdentity[] = [
  {
    ...{ name: 'customer', role: 'customer', kind: 'request' },
    request: {
      requests: [
        { url: '/login', read: { csrf: { field: 'csrf_token' } } },
        { url: '/login', form: { user: 'ada', password: '…', csrf_token: '{{csrf}}' } },
      ],
    },
    proof: { path: '/account', text: 'Sign out' },
  },
  {
    ...{ name: 'customer', role: 'customer', kind: 'request' },
    request: {
      requests: [{ url: '/api/login', json: { user: 'ada', password: '…' }, read: { token: { pointer: '/token' } } }],
      header: 'Authorization: Bearer {{token}}',
    },
    proof: { path: '/api/me', status: 200 },
  },
  {
    ...{ name: 'editor', role: 'editor', kind: 'steps' },
    steps: {
      steps: [
        { do: 'goto', url: '/login' },
        { do: 'fill', on: '#user', value: 'grace' },
        { do: 'fill', on: '#password', value: '…' },
        { do: 'click', on: 'button[type=submit]' },
        { do: 'wait', text: 'Welcome' },
      ],
    },
    proof: { path: '/account', text: 'Sign out' },
  },
]

interface AddOptions {
  readonly name?: string
  readonly role?: string
  readonly json?: true
}

export const identityCommand = (deps: CliDeps, end: (code: ExitCode) => void): Command => {
  const { out } = deps.screen
  const identity = new Command('identity').description('as whom runs of a domain look, and how they sign in')
  identity
    .command('add')
    .description('store an identity; it is kept encrypted and never shown again')
    .argument(...DOMAIN)
    .argument('[file]', 'JSON as the interface takes it; "-" reads it from standard input')
    .option('--name <name>', 'what it is called, in place of what the file says')
    .option('--role <role>', 'what it may do, in place of what the file says')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      `${examples(
        'sonde domain identity add shop.example.com customer.json',
        'SONDE_AUTH_COOKIE="session=0f8b5c" sonde domain identity add shop.example.com --name editor',
      )}
Without a file the cookie or header comes from the environment, so that it stays out of the list of processes:
  SONDE_AUTH_COOKIE, SONDE_AUTH_HEADER

A file for a form with a token against forged requests, one for an interface that answers with a token, and one for a browser:
${FILES.map((file) => `  ${JSON.stringify(file)}\n`).join('')}
The proof is a page, and what it shows to whoever is signed in. More kinds: docs/api.md, "identities".
`,
    )
    .action(async (domain: string, file: string | undefined, options: AddOptions) => {
      const body = bodyOf(file === undefined ? fromEnvironment(deps) : await fromFile(file), options)
      const client = await connect(deps)
      const made = await client.createIdentity({ params: { id: await knownDomainId(client, domain) }, body })
      out(options.json ? jsonText(made) : `${made.id}  ${made.name}  ${made.parts.join(', ')}\n`)
    })
  identity
    .command('list')
    .description('list the identities of a domain')
    .argument(...DOMAIN)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde domain identity list shop.example.com'))
    .action(async (domain: string, options: { json?: true }) => {
      const client = await connect(deps)
      const { items } = await client.listIdentities({ params: { id: await knownDomainId(client, domain) } })
      const rows = items.map((one) => [
        ...[one.name, clean(one.role) || '-', one.parts.join(', '), one.test?.state ?? 'not tested', one.set_at],
      ])
      out(options.json ? jsonText({ items }) : table(['NAME', 'ROLE', 'CONSISTS OF', 'TEST', 'SET'], rows))
    })
  identity
    .command('remove')
    .description('delete an identity; runs that have taken it keep their copy until they end')
    .argument(...DOMAIN)
    .argument(...NAME)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde domain identity remove shop.example.com editor'))
    .action(async (domain: string, name: string, options: { json?: true }) => {
      const client = await connect(deps)
      const id = await knownDomainId(client, domain)
      const { id: identity_id } = await identityOf(client, id, name)
      await client.deleteIdentity({ params: { id, identity_id } })
      out(removedText(identity_id, options.json))
    })
  const test = (made: Command): Command =>
    made
      .description('sign in as an identity and say whether it worked; exit 1 where it did not')
      .argument(...DOMAIN)
      .argument('[name]', 'name of the identity', DEFAULT_IDENTITY)
      .option('--pictures <folder>', 'keep the picture of each step there, with what was typed painted over')
      .option(...JSON_FLAG)
      .action(async (domain: string, name: string, options: { json?: true; pictures?: string }) => {
        const client = await connect(deps)
        const id = await knownDomainId(client, domain)
        const { id: identity_id } = await identityOf(client, id, name)
        const tested = await testedOf(client, { id, identity_id }, deps.signal)
        if (options.pictures !== undefined) await keepPictures(client, { id, identity_id }, tested, options.pictures)
        out(options.json ? jsonText(tested) : testText(tested))
        end(tested.state === 'works' ? EXIT.clean : EXIT.gate)
      })
  identity.addCommand(
    test(new Command('test')).addHelpText('after', examples('sonde domain identity test shop.example.com editor')),
  )
  return identity
}

export const loginCommand = (deps: CliDeps, end: (code: ExitCode) => void): Command => {
  const [test] = identityCommand(deps, end).commands.filter((one) => one.name() === 'test')
  if (test === undefined) throw new Error('unreachable')
  return new Command('login').description('whether runs get in; see also "sonde domain identity"').addCommand(test)
}

const identityOf = async (client: Client, id: string, name: string): Promise<Identity> => {
  const { items } = await client.listIdentities({ params: { id } })
  const found = items.find((one) => one.name === name)
  if (found === undefined) {
    const others = items.map((one) => one.name).join(', ')
    throw new UsageError(
      `The domain has no identity called "${name}"${others === '' ? '; see "sonde domain identity add --help"' : `, but ${others}`}`,
    )
  }
  return found
}

const testedOf = async (
  client: Client,
  params: { readonly id: string; readonly identity_id: string },
  signal: AbortSignal,
): Promise<LoginTest> => {
  let test: LoginTest | null = await client.testIdentity({ params })
  while (test === null || test.state === 'waiting' || test.state === 'running') {
    await sleep(EVERY, signal)
    test = (await client.readIdentity({ params })).test
  }
  return test
}

const keepPictures = async (
  client: Client,
  params: { readonly id: string; readonly identity_id: string },
  { steps }: LoginTest,
  folder: string,
): Promise<void> => {
  await mkdir(folder, { recursive: true })
  for (const [n, { picture }] of steps.entries()) {
    if (!picture) continue
    const response = await client.request('readIdentityPicture', { params: { ...params, step: String(n) } })
    await writeFile(join(folder, `${n + 1}.jpeg`), new Uint8Array(await response.arrayBuffer()))
  }
}

const testText = ({ state, reason, steps }: LoginTest): string =>
  [
    ...steps.map(({ title, ok, detail }, n) => `${n + 1}. ${clean(title)}: ${ok ? 'ok' : 'failed'}${tail(detail)}\n`),
    `${STATES[state]}${steps.some(({ ok, detail }) => !ok && detail === reason) ? '' : tail(reason)}\n`,
  ].join('')
const tail = (words: string | null): string => (words === null ? '' : `: ${clean(words)}`)
const STATES = {
  ...{ waiting: 'It waits for a worker', running: 'It is being looked at', works: 'It works' },
  ...{ no_difference: 'It makes no difference', rejected: 'It is refused', not_tested: 'It could not be looked at' },
} as const satisfies Record<LoginTest['state'], string>

const fromEnvironment = ({ env }: CliDeps): object => {
  const [cookie, header] = [env.SONDE_AUTH_COOKIE || undefined, env.SONDE_AUTH_HEADER || undefined]
  if (cookie === undefined && header === undefined)
    throw new UsageError('Name a file, or set SONDE_AUTH_COOKIE or SONDE_AUTH_HEADER.')
  const kind = cookie === undefined ? 'header' : 'cookie'
  return { name: DEFAULT_IDENTITY, kind, ...(cookie ? { cookie } : {}), ...(header ? { header } : {}) }
}

/** No message of the parser: it quotes what it read. */
const fromFile = async (file: string): Promise<object> => {
  const content = await ownFile(file === '-' ? '/dev/stdin' : file)
  try {
    const value: unknown = JSON.parse(content.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new UsageError(`${file} is no JSON object`)
}

/** Checked here: the words are the same, and nothing has left yet. */
const bodyOf = (given: object, { name, role }: AddOptions): CreateIdentity => {
  const whole = { ...given, ...(name === undefined ? {} : { name }), ...(role === undefined ? {} : { role }) }
  const parsed = CreateIdentity.safeParse(whole)
  if (parsed.success) return parsed.data
  const lines = fieldErrors(parsed.error.issues, whole, 'file').map(({ path, message }) => `  ${path}: ${message}`)
  throw new UsageError(
    `What the identity consists of is not as it must be:\n${lines.join('\n')}\n"sonde domain identity add --help" shows some that are.`,
  )
}
