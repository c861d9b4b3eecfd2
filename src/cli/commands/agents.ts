/** `sonde agent`: workers behind firewalls. Alone it runs one; below it agents are made, listed, named by domains, revoked. */
import { Command } from 'commander'
import type { Agent } from '../../contract/agent.ts'
import { ApiError, type Client } from '../../contract/client.ts'
import { checksText } from '../check-text.ts'
import { connect, knownDomainId } from '../client.ts'
import type { AgentCommand, CliDeps } from '../deps.ts'
import { EXIT, type ExitCode, UsageError } from '../exit.ts'
import { clean, jsonText, table } from '../screen.ts'
import { examples, JSON_FLAG } from './options.ts'

interface Json {
  readonly json?: true
}
interface RunOptions extends Json {
  readonly url?: string
  readonly token?: string
  readonly tokenFile?: string
  readonly allow: readonly string[]
  readonly check?: true
}

const NAME = ['<agent>', 'name or id of the agent'] as const
/** In place of an agent: the service itself. */
const NOBODY = 'none'

const RUN_EXAMPLES = examples(
  'sonde agent --url https://sonde.example.com --token-file /etc/sonde/agent.token --allow 10.20.0.0/16',
  'sonde agent --url https://sonde.example.com --token-file /etc/sonde/agent.token --check',
)

export const agentCommand = (deps: CliDeps, end: (code: ExitCode) => void): Command => {
  const agent = new Command('agent').description(
    deps.remote
      ? 'agents: workers behind firewalls (the program of an agent itself comes with the whole product)'
      : 'run an agent: a worker that reaches its service by outbound connections alone; or look after agents',
  )
  if (!deps.remote) {
    agent.addCommand(runCommand(deps, end), { isDefault: true })
    agent.addHelpText('after', `${RUN_EXAMPLES}\nThe options of an agent that runs: sonde agent run --help\n`)
  }
  for (const command of lookingAfter(deps)) agent.addCommand(command)
  return agent
}

const runCommand = (deps: CliDeps, end: (code: ExitCode) => void): Command =>
  new Command('run')
    .description('scan for a service from here; what "sonde agent" alone does')
    .option('--url <address>', 'where the service answers; or SONDE_URL')
    .option('--token-file <file>', 'file with the token of the agent')
    .option('--token <token>', 'the token itself, which others on this machine can see; or SONDE_AGENT_TOKEN')
    .option(
      '--allow <network>',
      'network that it may reach beyond public addresses, as 10.20.0.0/16; several times; beside SONDE_ALLOW_NETWORKS',
      (network: string, before: readonly string[]) => [...before, network],
      [] as readonly string[],
    )
    .option('--check', 'say whether everything is there that it needs, and run nothing')
    .option('--json', 'with --check: print JSON')
    .addHelpText('after', RUN_EXAMPLES)
    .action(async (options: RunOptions) => {
      const command: AgentCommand = {
        url: options.url ?? (deps.env.SONDE_URL || null),
        token: options.token ?? (options.tokenFile === undefined ? deps.env.SONDE_AGENT_TOKEN || null : null),
        tokenFile: options.tokenFile ?? null,
        allow: options.allow,
      }
      if (options.check === undefined) return end((await deps.agent(command)) === 0 ? EXIT.clean : EXIT.failed)
      const checks = await deps.checkAgent(command)
      deps.screen.out(options.json ? jsonText({ checks }) : checksText(deps.screen, checks))
      end(checks.some(({ state }) => state === 'bad') ? EXIT.failed : EXIT.clean)
    })

const lookingAfter = (deps: CliDeps): readonly Command[] => {
  const { out } = deps.screen
  const create = new Command('create')
    .description('make an agent; its token is shown this once')
    .argument('<name>')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde agent create warehouse'))
    .action(async (name: string, options: Json) => {
      const made = await (await connect(deps)).createAgent({ body: { name } })
      out(options.json ? jsonText(made) : `${made.agent.id}  ${clean(made.agent.name)}\n${made.token}\n`)
    })

  const list = new Command('list')
    .description('list agents: who is there, of which version, with which networks')
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde agent list'))
    .action(async (options: Json) => {
      const { items } = await (await connect(deps)).listAgents()
      out(options.json ? jsonText({ items }) : agentTable(items))
    })

  const domain = new Command('domain')
    .description(
      `have a domain scanned through an agent, or with "${NOBODY}" by the service; registers it where it is not. Another than before takes its verification back`,
    )
    .argument('<domain>', 'name or id of the domain')
    .argument('<agent>', `name or id of the agent, or ${NOBODY}`)
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples('sonde agent domain wiki.corp warehouse', `sonde agent domain shop.example.com ${NOBODY}`),
    )
    .action(async (name: string, agent: string, options: Json) => {
      const client = await connect(deps)
      const now = await scannedBy(client, name, agent === NOBODY ? null : (await agentOf(client, agent)).id)
      out(options.json ? jsonText(now) : `${now.id}  ${now.domain}  agent: ${agent}\n`)
    })

  const revoke = new Command('revoke')
    .description('revoke an agent: its runs end, and its token opens nothing any more')
    .argument(...NAME)
    .option(...JSON_FLAG)
    .addHelpText('after', examples('sonde agent revoke warehouse'))
    .action(async (name: string, options: Json) => {
      const client = await connect(deps)
      const gone = await client.revokeAgent({ params: { id: (await agentOf(client, name)).id } })
      out(options.json ? jsonText(gone) : `Revoked ${clean(gone.name)}.\n`)
    })
  return [create, list, domain, revoke]
}

/** Of those that are not revoked, by name; by id any. */
const agentOf = async (client: Client, text: string): Promise<Agent> => {
  const { items } = await client.listAgents()
  const found = items.find(({ id, name, revoked_at }) => id === text || (name === text && revoked_at === null))
  if (found === undefined) throw new UsageError(`There is no agent ${text}; "sonde agent list" shows them`)
  return found
}

/** Registering is also what turns the name into the form under which it is stored. */
const scannedBy = async (client: Client, name: string, agent_id: string | null) => {
  if (agent_id !== null) {
    try {
      return await client.createDomain({ body: { domain: name, agent_id } })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!['domain_exists', 'validation_failed'].includes(error.problem.code)) throw error
    }
  }
  return client.updateDomain({ params: { id: await knownDomainId(client, name) }, body: { agent_id } })
}

const agentTable = (items: readonly Agent[]): string =>
  table(
    ['ID', 'NAME', 'SEEN', 'VERSION', 'NETWORKS', 'DOMAINS'],
    items.map(({ id, name, last_seen_at, version, networks, domains, revoked_at }) => [
      ...[id, clean(name), revoked_at === null ? (last_seen_at ?? 'never') : 'revoked'],
      ...[clean(version ?? '-'), clean(networks.join(' ')) || '-', String(domains)],
    ]),
  )
