/** Commands of a user about the domains of the organisation: list, show, prove, remove. */
import { Command } from 'commander'
import { everyItem } from '../../contract/client.ts'
import type { Domain, VerifyAnswer } from '../../contract/domain.ts'
import type { DomainHost } from '../../contract/domain-host.ts'
import type { ImportAnswer, ImportDomains } from '../../contract/domain-import.ts'
import { rowsIn } from '../../contract/domain-table.ts'
import { ExcludePattern } from '../../contract/exclude.ts'
import { LONGEST_COOLDOWN, QuietHours } from '../../contract/quiet-hours.ts'
import { Environment, SiteContext } from '../../contract/run.ts'
import { StartPath } from '../../contract/start-paths.ts'
import { connect, knownDomainId } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { LIST_TIMEOUT, namedRefusal, readList } from '../domain-file.ts'
import { EXIT, type ExitCode, UsageError } from '../exit.ts'
import { clean, counted, jsonText, table } from '../screen.ts'
import {
  ENVIRONMENT_HELP,
  EXCLUDE_HINT,
  examples,
  gathered,
  JSON_FLAG,
  matching,
  type NONE,
  nullIfNone,
  oneOf,
  orNone,
  removedText,
  START_PATH_HINT,
  wholeNumber,
} from './options.ts'

interface Json {
  readonly json?: true
}

const DOMAIN = ['<domain>', 'name or id of the domain'] as const

export const domainCommands = (deps: CliDeps, end: (code: ExitCode) => void): readonly Command[] => {
  const { out } = deps.screen

  const list = new Command('list')
    .description('list the domains, newest first')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde domain list'))
    .action(async (options: Json) => {
      const client = await connect(deps)
      const items: Domain[] = []
      for await (const one of everyItem((cursor) => client.listDomains({ query: { cursor, limit: 100 } })))
        items.push(one)
      const rows = items.map((one) => [one.id, one.domain, one.environment, verifiedText(one), one.context ?? '-'])
      out(options.json ? jsonText({ items }) : table(['ID', 'DOMAIN', 'ENVIRONMENT', 'VERIFIED', 'CONTEXT'], rows))
    })

  const show = new Command('show')
    .description('show a domain, and what to publish to prove that it is yours')
    .argument(...DOMAIN)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde domain show shop.example.com'))
    .action(async (name: string, options: Json) => {
      const client = await connect(deps)
      const domain = await client.readDomain({ params: { id: await knownDomainId(client, name) } })
      out(options.json ? jsonText(domain) : domainText(domain))
    })

  const verify = new Command('verify')
    .description('look for the proof that a domain is yours; exit 1 where there is none')
    .argument(...DOMAIN)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde domain verify shop.example.com'))
    .action(async (name: string, options: Json) => {
      const client = await connect(deps)
      const answer = await client.verifyDomain({ params: { id: await knownDomainId(client, name) } })
      out(options.json ? jsonText(answer) : attemptsText(answer))
      end(answer.attempts.some(({ ok }) => ok) ? EXIT.clean : EXIT.gate)
    })

  const remove = new Command('remove')
    .description('remove a domain; refused while a run of it goes on, and its ended runs stay')
    .argument(...DOMAIN)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde domain remove shop.example.com'))
    .action(async (name: string, options: Json) => {
      const client = await connect(deps)
      const id = await knownDomainId(client, name)
      await client.deleteDomain({ params: { id } })
      out(removedText(id, options.json))
    })
  return [list, show, verify, setCommand(deps), remove, hostsCommand(deps, end), importCommand(deps, end)]
}

const setCommand = (deps: CliDeps): Command =>
  new Command('set')
    .description('change what is named, and leave the rest as it is')
    .argument(...DOMAIN)
    .option('--context <context>', 'shop, brochure, saas or internal', oneOf(SiteContext.options))
    .option('--environment <environment>', ENVIRONMENT_HELP, oneOf(Environment.options))
    .option(
      '--sign-in-host <host>',
      'a host elsewhere at which identities sign in, in place of those before; may be given several times',
      several,
    )
    .option(
      '--requests-per-second <count>',
      'that its runs send to one host; "none" takes the operator\'s limit',
      orNone(wholeNumber(1, 1_000)),
    )
    .option(
      '--quiet-hours <hours>',
      'nothing is sent to it then, such as 08:00-18:00@Europe/Berlin (without a zone: this machine’s); "none" ends them',
      orNone(quietHours),
    )
    .option(
      '--cooldown <minutes>',
      'from the end of one run until the next may begin; 0: none',
      wholeNumber(0, LONGEST_COOLDOWN),
    )
    .option(
      '--start-path <path>',
      'where the site begins beside "/", in place of those before; may be given several times',
      gathered(StartPath, START_PATH_HINT),
    )
    .option(
      '--exclude <pattern>',
      'addresses that no run asks for, in place of those before; may be given several times',
      gathered(ExcludePattern, EXCLUDE_HINT),
    )
    .option('--no-start-paths', 'it begins at "/" alone')
    .option('--no-excludes', 'all its addresses may be asked for')
    .option('--no-sign-in-hosts', 'identities sign in at the domain alone')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples(
        'sonde domain set shop.example.com --environment test',
        'sonde domain set shop.example.com --quiet-hours 08:00-18:00@Europe/Berlin --cooldown 60',
        'sonde domain set shop.example.com --start-path /wiki/ --exclude "/admin"',
        'sonde domain set shop.example.com --sign-in-host id.example.com --sign-in-host login.example.net:8443',
      ),
    )
    .action(async (name: string, options: SetOptions) => {
      const {
        json,
        context,
        environment,
        signInHost,
        signInHosts,
        startPath,
        startPaths,
        exclude,
        excludes,
        requestsPerSecond,
        quietHours: quiet,
        cooldown,
      } = options
      const hosts = signInHosts ? signInHost : []
      const begins = startPaths ? startPath : []
      const never = excludes ? exclude : []
      const body = {
        ...(context ? { context } : {}),
        ...(environment ? { environment } : {}),
        ...(hosts ? { sign_in_hosts: [...hosts] } : {}),
        ...(begins ? { start_paths: [...begins] } : {}),
        ...(never ? { exclude: [...never] } : {}),
        ...(requestsPerSecond === undefined ? {} : { requests_per_second: nullIfNone(requestsPerSecond) }),
        ...(quiet === undefined ? {} : { quiet_hours: nullIfNone(quiet) }),
        ...(cooldown === undefined ? {} : { cooldown_minutes: cooldown }),
      }
      if (Object.keys(body).length === 0) throw new UsageError('Say what to change: see "sonde domain set --help"')
      const client = await connect(deps)
      const now = await client.updateDomain({ params: { id: await knownDomainId(client, name) }, body })
      deps.screen.out(json ? jsonText(now) : domainText(now))
    })

interface SetOptions extends Json {
  readonly context?: SiteContext
  readonly environment?: Environment
  readonly signInHost?: readonly string[]
  readonly requestsPerSecond?: number | typeof NONE
  readonly quietHours?: QuietHours | typeof NONE
  /** Minutes. */
  readonly cooldown?: number
  /** False where they are to go. */
  readonly signInHosts: boolean
  readonly startPath?: readonly string[]
  readonly startPaths: boolean
  readonly exclude?: readonly string[]
  readonly excludes: boolean
}

const several = (host: string, before: readonly string[] = []): readonly string[] => [...before, host]

/** FROM-TO@ZONE; without a zone it is this machine's. */
const quietHours = (text: string): QuietHours => {
  const [, from, to, zone] = /^(\d\d:\d\d)-(\d\d:\d\d)(?:@(\S+))?$/.exec(text) ?? []
  const time_zone = zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  return matching(
    QuietHours,
    'It is two times of day and a time zone, such as 22:00-06:00@Europe/Berlin.',
  )({
    ...{ from, to, time_zone },
  })
}

const HOST_STATES = ['proposed', 'registered'] as const

interface HostsOptions extends Json {
  readonly state?: (typeof HOST_STATES)[number]
  readonly register?: true
}

const hostsCommand = (deps: CliDeps, end: (code: ExitCode) => void): Command =>
  new Command('hosts')
    .description(
      'list the hosts that runs of a domain have seen, and register what is proposed; exit 1 where one was refused',
    )
    .argument(...DOMAIN)
    .option('--state <state>', 'only what is proposed, or registered', oneOf(HOST_STATES))
    .option('--register', 'register all that are proposed; they are not verified by that')
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples('sonde domain hosts shop.example.com', 'sonde domain hosts shop.example.com --register'),
    )
    .action(async (name: string, { state, register, json }: HostsOptions) => {
      if (register && state === 'registered') throw new UsageError('--register takes what is proposed')
      const client = await connect(deps, LIST_TIMEOUT)
      const params = { id: await knownDomainId(client, name) }
      const wanted = register ? 'proposed' : state
      const items: DomainHost[] = []
      const pages = (cursor: string | undefined) =>
        client.listDomainHosts({ params, query: { cursor, limit: 500, ...(wanted ? { state: wanted } : {}) } })
      for await (const one of everyItem(pages)) items.push(one)
      if (!register || items.length === 0) {
        deps.screen.out(json ? jsonText({ items }) : hostsText(items))
        return
      }
      const answer = await client.importDomains({ body: { domains: items.map(({ host }) => ({ domain: host })) } })
      deps.screen.out(json ? jsonText(answer) : importText(answer))
      end(answer.counts.refused === 0 ? EXIT.clean : EXIT.gate)
    })

const hostsText = (items: readonly DomainHost[]): string =>
  items.length === 0
    ? 'No such host: runs write down what certificates, pages and DNS records name.\n'
    : table(
        ['HOST', 'STATE', 'SEEN IN', 'ANSWERS WITH'],
        items.map(({ host, domain_id, sources, answer }) => [
          ...[clean(host), domain_id === null ? 'proposed' : 'registered'],
          ...[sources.join(', '), clean(answer.slice(0, 3).join(', '))],
        ]),
      )

const importCommand = (deps: CliDeps, end: (code: ExitCode) => void): Command =>
  new Command('import')
    .description('register many domains; exit 1 where a row was refused')
    .argument(
      '<file>',
      'one name a line, or a table (CSV) with a column "domain" and, where wanted, "context" and "environment"; - is standard input',
    )
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde domain import inventory.csv'))
    .action(async (file: string, options: Json) => {
      const rows = await readList(file, rowsIn)
      const client = await connect(deps, LIST_TIMEOUT)
      // Words of a table that the interface does not know are refused by it, row by row.
      const body = { domains: rows as ImportDomains['domains'] }
      const answer = await client.importDomains({ body }).catch((error: unknown) => {
        const names = rows.map(({ domain }) => domain)
        throw namedRefusal(error, names)
      })
      deps.screen.out(options.json ? jsonText(answer) : importText(answer))
      end(answer.counts.refused === 0 ? EXIT.clean : EXIT.gate)
    })

const importText = ({ counts: { added, exists, refused }, items }: ImportAnswer): string =>
  [
    ...items.flatMap(({ domain, reason }) => (reason === null ? [] : [`${clean(domain)}: ${reason}\n`])),
    `${added} added, ${exists} there already, ${refused} refused\n`,
  ].join('')

/** For whoever has a key alone: without the operator's word that it is proven. */
export const addDomainCommand = (deps: CliDeps): Command =>
  new Command('add')
    .description('register a domain')
    .argument('<domain>')
    .option('--context <context>', 'shop, brochure, saas or internal', oneOf(SiteContext.options))
    .option('--environment <environment>', ENVIRONMENT_HELP, oneOf(Environment.options))
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde domain add shop.example.com --context shop'))
    .action(async (domain: string, options: Json & { context?: SiteContext; environment?: Environment }) => {
      const client = await connect(deps)
      const { context, environment } = options
      const body = { domain, ...(context ? { context } : {}), ...(environment ? { environment } : {}) }
      const made = await client.createDomain({ body })
      deps.screen.out(options.json ? jsonText(made) : domainText(made))
    })

const verifiedText = ({ verified_at, verified_until }: Domain): string => {
  if (verified_at === null) return 'no'
  return verified_until === null ? 'yes' : `until ${verified_until.slice(0, 10)}`
}

export const domainText = (domain: Domain): string => {
  const pace = domain.requests_per_second ?? domain.max_requests_per_second
  const quiet = domain.quiet_hours
  return [
    `${domain.id}  ${domain.domain}  ${domain.environment}  verified: ${verifiedText(domain)}\n`,
    `At most ${counted(pace, 'request')} a second${domain.context === null ? '' : `; context ${domain.context}`}\n`,
    ...(quiet === null ? [] : [`Nothing is sent from ${quiet.from} to ${quiet.to} (${quiet.time_zone})\n`]),
    ...(domain.cooldown_minutes === 0
      ? []
      : [`Rests ${counted(domain.cooldown_minutes, 'minute')} between two runs\n`]),
    ...domain.start_paths.map((path) => `Begins also at: ${clean(path)}\n`),
    ...domain.exclude.map((pattern) => `Never asked: ${clean(pattern)}\n`),
    ...domain.sign_in_hosts.map((host) => `Signs in at: ${host}\n`),
    ...proofText(domain),
  ].join('')
}

const proofText = ({ verified_at, verification: { dns_txt, http_file, meta_tag } }: Domain): readonly string[] =>
  verified_at !== null
    ? []
    : [
        '\nTo prove that it is yours, publish one of these, then "sonde domain verify":\n',
        `  DNS   ${dns_txt.name} TXT "${dns_txt.value}"\n`,
        `  file  ${http_file.url} with the text ${http_file.content}\n`,
        `  page  ${meta_tag.html} in the head of ${meta_tag.url}\n`,
      ]

const METHODS = { dns_txt: 'DNS ', http_file: 'file', meta_tag: 'page' } as const

const attemptsText = ({ domain, attempts }: VerifyAnswer): string =>
  [
    `${domain.domain}  verified: ${verifiedText(domain)}\n`,
    ...attempts.map(({ method, ok, seen }) => `  ${METHODS[method]}  ${ok ? 'holds' : 'no   '}  ${clean(seen)}\n`),
    ...proofText(domain),
  ].join('')
