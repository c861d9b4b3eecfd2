/** `sonde agent`: scans for a service that is reached over its interface alone, from where its targets can be reached. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startAgent } from '../agent/agent.ts'
import { claimInstance } from '../agent/instances.ts'
import { createPaceBook } from '../agent/pace-book.ts'
import { type AgentService, agentService } from '../agent/service.ts'
import { openSpool } from '../agent/spool.ts'
import type { AgentCommand } from '../cli/deps.ts'
import { VerificationMethod } from '../contract/domain.ts'
import { agentTokens } from '../contract/key-format.ts'
import { type OobListener, openOobListener } from '../egress/oob/listener.ts'
import { raiseLastWall, warded } from '../engine/last-wall.ts'
import { claimTemporary } from '../temporary/temporary.ts'
import { builtScan, SPARE_SECONDS } from './built-scan.ts'
import { type Config, ConfigError } from './config.ts'
import { networks } from './config-values.ts'
import { knowledgeFolder } from './knowledge-folder.ts'
import { makePrivateFolder } from './private-file.ts'
import { egressWith, stderrLogger } from './runtime.ts'
import { aborted } from './serve.ts'
import { startTracing } from './tracing.ts'
import { verifyThrough } from './verify-domain.ts'
import { VERSION } from './version.ts'

type Logger = ReturnType<typeof stderrLogger>

export interface AgentPlace {
  readonly url: string
  readonly token: string
  readonly config: Config
}

/** @throws ConfigError with a sentence for whoever starts it; no token is ever in one */
export const placeOf = (read: Config, { url, token, tokenFile, allow }: AgentCommand): AgentPlace => {
  const given = token ?? (tokenFile === null ? null : readToken(tokenFile))
  if (url === null) throw new ConfigError('Say which service: --url https://sonde.example.com, or SONDE_URL')
  if (!/^https?:$/.test(schemeOf(url))) throw new ConfigError('--url has to begin with https://')
  if (schemeOf(url) === 'http:' && !THIS_MACHINE.test(new URL(url).hostname))
    throw new ConfigError(
      'By http the token, and logins of the domains, would cross the network in clear: --url has to begin with https://',
    )
  if (given === null)
    throw new ConfigError('Give the token of the agent: --token-file FILE, --token, or SONDE_AGENT_TOKEN')
  if (!agentTokens.isWellFormed(given)) {
    throw new ConfigError(
      'That is no token of an agent: it looks like sonde_agent_ and 40 letters and digits, and one of them is wrong',
    )
  }
  const opened = networks.safeParse(allow.join(' '))
  if (!opened.success) throw new ConfigError(`--allow ${opened.error.issues[0]?.message}`)
  return { url, token: given, config: { ...read, allowNetworks: [...read.allowNetworks, ...opened.data] } }
}

/** What never leaves the machine may go in clear. */
const THIS_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

const readToken = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new ConfigError(`${file} cannot be read`, { cause })
  }
}

const schemeOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : '')

/** Runs until the signal aborts, or the service wants nothing of it any more: then 2. */
export const runAgent = async (read: Config, command: AgentCommand, signal: AbortSignal): Promise<number> => {
  const place = placeOf(read, command)
  const { config } = place
  const logger = stderrLogger(config)
  const refused = new AbortController()
  const tracing = await startTracing(config, 'sonde-agent', logger)
  makePrivateFolder(config.dataDir)
  const temporary = claimTemporary(config.dataDir, false)
  const instances = claimInstance(join(config.dataDir, 'agent'))
  const lower = raiseLastWall((task, err) => logger.error({ task, err }, 'a fault of the agent'))
  const listener = config.outOfBand === null ? null : await openListener(config.outOfBand)
  try {
    const agent = startAgent({
      ...scanSettings(config, logger),
      ...(listener ? { outOfBand: listener } : {}),
      ...{ logger, instances, version: VERSION, networks: config.allowNetworks, childFolder: temporary.childFolder },
      service: serviceOf(place, logger),
      spool: openSpool(instances.folder),
      paces: createPaceBook(),
      verifyDomain: (claim) => verify(config, logger, claim),
      onRefused: (sentence) => {
        if (!refused.signal.aborted) logger.error(sentence)
        refused.abort()
      },
    })
    logger.info({ url: place.url, networks: config.allowNetworks }, 'agent ready')
    await Promise.race([aborted(signal), aborted(refused.signal)])
    await agent.drain()
  } finally {
    lower()
    await listener?.close()
    instances.close()
    temporary.close()
    await tracing.stop()
  }
  return refused.signal.aborted ? 2 : 0
}

export const serviceOf = ({ url, token }: AgentPlace, logger: Logger): AgentService =>
  agentService({ url, token, logger })

/** The rules of this machine. The service adds none and takes none away: it never sees them, but for the names of the networks. */
const scanSettings = (config: Config, logger: Logger) => {
  const built = builtScan((reason) =>
    logger.warn({ reason }, 'scans are started from their sources, which takes longer'),
  )
  return {
    egress: egressWith(config, ''),
    modules: {
      ports: config.ports,
      ...(config.recogFolder === null ? {} : { recogFolder: config.recogFolder }),
      ...(config.templatesFolder === null ? {} : { templatesFolder: config.templatesFolder }),
    },
    knowledge: knowledgeFolder(config),
    runSeconds: config.runMinutes * 60,
    childMemoryMb: config.childMemoryMb,
    scanScript: built.scan,
    spareSeconds: SPARE_SECONDS,
    ...(config.concurrency === null ? {} : { concurrency: config.concurrency }),
  }
}

/** What fails on our side proves nothing, and is said. */
const verify = async (
  config: Config,
  logger: Logger,
  claim: { readonly domain: string; readonly token: string },
): ReturnType<typeof verifyThrough> => {
  try {
    return await warded('verification', () => verifyThrough({ egress: egressWith(config, ''), logger }, claim))
  } catch (error) {
    logger.error({ domain: claim.domain, err: error }, 'a proof could not be asked for')
    const seen = 'Nothing: this failed on the side of the agent, whose log says why'
    return VerificationMethod.options.map((method) => ({ method, ok: false, seen }))
  }
}

const openListener = async (settings: NonNullable<Config['outOfBand']>): Promise<OobListener> => {
  try {
    return await openOobListener(settings)
  } catch (cause) {
    throw new ConfigError(`SONDE_OOB_ADDRESS: cannot listen on ${settings.bind}`, { cause })
  }
}
