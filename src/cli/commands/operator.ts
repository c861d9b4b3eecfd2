/** Commands of the operator about organisations, keys, domains and plans; what a domain describes is its users'. */
import { Command, InvalidArgumentError } from 'commander'
import type { Operator, OperatorOutput } from '../../contract/operator.ts'
import { OrganisationState, SCOPES, type Scope } from '../../contract/organisation.ts'
import { Environment, SiteContext, Uuid } from '../../contract/run.ts'
import { parseFingerprint } from '../../signature/envelope.ts'
import type { CliDeps } from '../deps.ts'
import { type ExitCode, UsageError } from '../exit.ts'
import { ownFile } from '../own-file.ts'
import { jsonText, table } from '../screen.ts'
import { descriptionCommands } from './descriptions.ts'
import { addDomainCommand, domainCommands, domainText } from './domains.ts'
import { identityCommand } from './identities.ts'
import {
  ENVIRONMENT_HELP,
  examples,
  inDays,
  JSON_FLAG,
  matching,
  type NONE,
  nullIfNone,
  oneOf,
  orNone,
  wholeNumber,
} from './options.ts'

interface Common {
  readonly json?: true
  readonly org?: string
}

/** Requests that a limit may be. */
const MOST_A_DAY = 1_000_000_000

const ORG = ['--org <name>', 'name or id of the organisation; needed when there are several'] as const

export const operatorCommands = (deps: CliDeps): readonly Command[] => {
  const ask = createAsk(deps)
  return [orgCommand(ask), keyCommand(ask, deps.screen.err), planCommand(ask)]
}

/** Asks the service, prints the answer as JSON or as text. */
type Ask = <T>(
  json: true | undefined,
  work: (operator: Operator) => Promise<T>,
  text: (answer: T) => string,
) => Promise<void>

const createAsk =
  (deps: CliDeps): Ask =>
  async (json, work, text) => {
    const operator = await deps.operator()
    try {
      const answer = await work(operator)
      deps.screen.out(json ? jsonText(answer) : text(answer))
    } finally {
      await operator.close()
    }
  }

const orgCommand = (ask: Ask): Command => {
  const org = new Command('org').description('organisations: whose runs, domains and keys they are')
  org
    .command('create <name>')
    .description('make an organisation')
    .option('--plan <plan>', 'its plan, see "sonde plan list"', 'free')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde org create "Acme Ltd" --plan team'))
    .action((name: string, options: Common & { plan: string }) =>
      ask(
        options.json,
        (operator) => operator.call('org_create', { name, plan: options.plan }),
        (made) => `${made.id}  ${made.name}  ${made.plan}\n`,
      ),
    )
  org
    .command('list')
    .description('list all organisations')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde org list --json'))
    .action((options: Common) =>
      ask(
        options.json,
        (operator) => operator.call('org_list', {}),
        (list) =>
          table(
            ['ID', 'NAME', 'PLAN', 'STATE', 'CREATED'],
            list.map((each) => [each.id, each.name, each.plan, each.state, each.created_at]),
          ),
      ),
    )
  org
    .command('set [organisation]')
    .description('change an organisation: name, plan, state, requests a day, logo')
    .option('--name <name>')
    .option('--plan <plan>')
    .option('--state <state>', 'active, throttled or blocked', oneOf(OrganisationState.options))
    .option(
      '--requests-per-day <count>',
      'what its runs may send to targets a day (UTC); "none" takes the limit away',
      orNone(wholeNumber(1, MOST_A_DAY)),
    )
    .option('--logo <file>', 'PNG, PDF or SVG for its reports; "none" takes it away')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        'sonde org set "Acme Ltd" --state blocked',
        'sonde org set "Acme Ltd" --requests-per-day 500000',
        'sonde org set --logo logo.svg',
      ),
    )
    .action(async (organisation: string | undefined, options: SetOptions) => {
      const change = await changeOf(options)
      await ask(
        options.json,
        (operator) => operator.call('org_set', { organisation: organisation ?? null, ...change }),
        (now) => `${now.id}  ${now.name}  ${now.plan}  ${now.state}\n`,
      )
    })
  return org
}

const keyCommand = (ask: Ask, err: CliDeps['screen']['err']): Command => {
  const key = new Command('key').description('API keys, and the keys of the installation itself')
  key
    .command('create [name]')
    .description('make a key; its secret is shown this once')
    .option(...ORG)
    .option('--scope <scope...>', `what it may do: ${SCOPES.join(', ')}; all when none is given`, collectScope)
    .option('--expires-in <days>', 'days until it ends by itself', inDays)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde key create ci --scope scans:read scans:write --expires-in 90'))
    .action((name: string | undefined, options: Common & { scope?: Scope[]; expiresIn?: string }) =>
      ask(
        options.json,
        (operator) =>
          operator.call('key_create', {
            organisation: options.org ?? null,
            name: name ?? 'key',
            scopes: options.scope ?? [...SCOPES],
            expires_at: options.expiresIn ?? null,
          }),
        (made) => {
          err('This is the only time the key is shown.\n')
          return `${made.secret}\n`
        },
      ),
    )
  key
    .command('list')
    .description('list the keys of an organisation')
    .option(...ORG)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde key list --org "Acme Ltd"'))
    .action((options: Common) =>
      ask(
        options.json,
        (operator) => operator.call('key_list', { organisation: options.org ?? null }),
        (list) =>
          table(
            ['ID', 'NAME', 'SCOPES', 'EXPIRES', 'LAST USED', 'REVOKED'],
            list.map((each) => [
              each.id,
              each.name,
              each.scopes.length === SCOPES.length ? 'all' : each.scopes.join(' '),
              each.expires_at ?? '-',
              each.last_used_at ?? '-',
              each.revoked_at ?? '-',
            ]),
          ),
      ),
    )
  key
    .command('revoke')
    .argument('<id>', 'id of the key', matching(Uuid, 'It is the id that "sonde key list" shows.'))
    .description('end a key at once; open streams of it end within a minute')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde key revoke 0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4f00'))
    .action((id: string, options: Common) =>
      ask(
        options.json,
        (operator) => operator.call('key_revoke', { id }),
        (now) => `${now.id}  ${now.name}  revoked ${now.revoked_at}\n`,
      ),
    )
  key
    .command('rotate-secret')
    .description("replace the installation's secret key while the service goes on; what it sealed is sealed again")
    .option(
      '--at-once',
      'forget the key before now, as after a leak: addresses of files and pages it signed end',
      false,
    )
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde key rotate-secret', 'sonde key rotate-secret --at-once'))
    .action((options: Common & { atOnce: boolean }) =>
      ask(options.json, (operator) => operator.call('rotate_secret', { at_once: options.atOnce }), rotationText),
    )
  signingCommands(key, ask)
  return key
}

/** Of the key by which reports are signed. */
const signingCommands = (key: Command, ask: Ask): void => {
  key
    .command('rotate-signing')
    .description('replace the key that signs reports; what the one before has signed stays verifiable')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde key rotate-signing'))
    .action((options: Common) =>
      ask(
        options.json,
        (operator) => operator.call('rotate_signing', {}),
        ({ fingerprint, before }) =>
          `${before === null ? '' : `${before}  signs no more\n`}${fingerprint}  signs from now on\n`,
      ),
    )
  key
    .command('revoke-signing')
    .argument('<fingerprint>', 'of the key, as "sonde signing-key" shows it', fingerprintIn)
    .requiredOption('--because <text>', 'why, for whoever verifies: "the disk of the server was stolen"')
    .description(
      'say that what a key has signed proves nothing any more, as after a leak; the one that signs is replaced',
    )
    .option(...JSON_FLAG)
    .addHelpText('after', examples(`sonde key revoke-signing ${'4b0e1f6a'.repeat(8)} --because "stolen backup"`))
    .action((fingerprint: string, options: Common & { because: string }) =>
      ask(
        options.json,
        (operator) => operator.call('revoke_signing', { fingerprint, because: options.because }),
        (done) => `${done.fingerprint}  revoked ${done.revoked_at}\n${done.present}  signs\n`,
      ),
    )
}

const fingerprintIn = (text: string): string => {
  const fingerprint = parseFingerprint(text)
  if (fingerprint === null) throw new InvalidArgumentError('It is a SHA-256 in 64 hexadecimal digits.')
  return fingerprint
}

const rotationText = (done: OperatorOutput<'rotate_secret'>): string => {
  const sealed = `${done.resealed} sealed values were sealed again`
  const unopened = done.unopened === 0 ? '' : `${done.unopened} values are of no known key and stay as they are.\n`
  if (!done.new_key) {
    const then = done.resealed === 0 ? 'SONDE_SECRET_KEY_OLD can go.' : 'Call this again until it says 0.'
    return `${sealed} with SONDE_SECRET_KEY. ${then}\n${unopened}`
  }
  const before = done.old_until === null ? 'is forgotten' : `is accepted until ${done.old_until}`
  return `The secret key is a new one; the one before ${before}. ${sealed}.\n${unopened}`
}

/** Registering is the operator's, what a domain describes and as whom it is looked at its users'. */
export const domainCommand = (deps: CliDeps, end: (code: ExitCode) => void): Command => {
  const domain = new Command('domain').description('domains of an organisation')
  if (deps.remote) domain.addCommand(addDomainCommand(deps))
  else addOperatorsCommands(domain, createAsk(deps))
  for (const command of domainCommands(deps, end)) domain.addCommand(command)
  for (const command of descriptionCommands(deps)) domain.addCommand(command)
  domain.addCommand(identityCommand(deps, end))
  return domain
}

const addOperatorsCommands = (domain: Command, ask: Ask): void => {
  domain
    .command('add <domain>')
    .description('register a domain')
    .option(...ORG)
    .option('--verified', 'vouch for it: no proof is asked for', false)
    .option('--context <context>', 'shop, brochure, saas or internal', oneOf(SiteContext.options))
    .option('--environment <environment>', ENVIRONMENT_HELP, oneOf(Environment.options))
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde domain add shop.example.com --verified --context shop'))
    .action((name: string, options: Common & { verified: boolean; context?: SiteContext; environment?: Environment }) =>
      ask(
        options.json,
        (operator) =>
          operator.call('domain_add', {
            organisation: options.org ?? null,
            domain: name,
            context: options.context ?? null,
            ...(options.environment === undefined ? {} : { environment: options.environment }),
            verified: options.verified,
          }),
        domainText,
      ),
    )
}

const planCommand = (ask: Ask): Command => {
  const plan = new Command('plan').description('plans: quota, runs at once, retention, watermark')
  plan
    .command('list')
    .description('list the plans; SONDE_PLANS names a file of your own')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde plan list'))
    .action((options: Common) =>
      ask(
        options.json,
        (operator) => operator.call('plan_list', {}),
        (list) =>
          table(
            ['PLAN', 'RUNS A MONTH', 'AT ONCE', 'DAYS KEPT', 'WATERMARK'],
            list.map((each) => [
              each.id,
              each.runs_per_month === null ? 'unlimited' : String(each.runs_per_month),
              String(each.concurrent_runs),
              String(each.retention_days),
              each.watermark ? 'yes' : 'no',
            ]),
          ),
      ),
    )
  return plan
}

interface SetOptions extends Common {
  readonly name?: string
  readonly plan?: string
  readonly state?: OrganisationState
  readonly logo?: string
  readonly requestsPerDay?: number | typeof NONE
}

const changeOf = async ({ name, plan, state, logo, requestsPerDay }: SetOptions) => {
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(plan === undefined ? {} : { plan }),
    ...(state === undefined ? {} : { state }),
    ...(logo === undefined ? {} : { logo: logo === 'none' ? null : await fileBase64(logo) }),
    ...(requestsPerDay === undefined ? {} : { requests_per_day: nullIfNone(requestsPerDay) }),
  }
  if (Object.keys(change).length === 0) throw new UsageError('Say what to change: see "sonde org set --help"')
  return change
}

const fileBase64 = async (path: string): Promise<string> => (await ownFile(path)).toString('base64')

const collectScope = (text: string, earlier: Scope[] | undefined): Scope[] => [...(earlier ?? []), oneOf(SCOPES)(text)]
