/** `sonde agent --check`: everything that an agent needs where it stands, each with how to fix it. */

import { deadlineFor } from '../agent/service.ts'
import type { AgentCommand } from '../cli/deps.ts'
import type { AgentSelf } from '../contract/agent.ts'
import { ApiError } from '../contract/client.ts'
import type { DoctorCheck } from '../contract/operator.ts'
import { type AgentPlace, placeOf, serviceOf } from './agent.ts'
import type { Config } from './config.ts'
import { checkBrowser, checkFolder, checkNode } from './doctor.ts'
import { stderrLogger } from './runtime.ts'
import { guarded } from './self-check.ts'
import { VERSION } from './version.ts'

/** Milliseconds that this machine's clock may differ from the service's. */
const CLOCK_TOLERANCE = 60_000

/** @throws ConfigError as the start itself */
export const checkAgent = async (read: Config, command: AgentCommand): Promise<readonly DoctorCheck[]> => {
  const place = placeOf(read, command)
  const remote = await checkService(place)
  return [
    ...remote,
    ...(await Promise.all([
      guarded('node', '', checkNode),
      guarded('data folder', 'Make the folder, or point SONDE_DATA at one that is yours.', () =>
        checkFolder(place.config),
      ),
      guarded('browser', '', checkBrowser),
    ])),
    checkNetworks(place.config),
    checkCalls(place.config),
  ]
}

const checkService = async (place: AgentPlace): Promise<readonly DoctorCheck[]> => {
  const { client } = serviceOf(place, stderrLogger(place.config))
  const sent = Date.now()
  try {
    const self = await client.readAgent({ signal: deadlineFor() })
    return [
      ok('service', `${place.url} answers`),
      checkTls(place),
      ok('token', `of the agent ${self.agent.name} of ${self.organisation}`),
      checkVersion(self),
      checkClock(self, sent, Date.now()),
    ]
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      return [
        ok('service', `${place.url} answers`),
        checkTls(place),
        bad('token', error.problem.detail, 'Make another agent: sonde agent create NAME.'),
      ]
    }
    const detail = error instanceof Error ? error.message : String(error)
    return [
      bad(
        'service',
        detail,
        'Check the address, the name service, the way out (HTTPS_PROXY with NODE_USE_ENV_PROXY=1) and, for a certificate of your own, NODE_EXTRA_CA_CERTS.',
      ),
    ]
  }
}

const ok = (name: string, detail: string): DoctorCheck => ({ name, state: 'ok', detail, fix: null })
const bad = (name: string, detail: string, fix: string): DoctorCheck => ({ name, state: 'bad', detail, fix })

/** The handshake has checked the certificate. By http nothing but this machine is reached. */
const checkTls = ({ url }: AgentPlace): DoctorCheck =>
  url.startsWith('https:')
    ? ok('tls', 'the certificate of the service holds')
    : {
        name: 'tls',
        state: 'missing',
        detail: 'http, which reaches this machine alone',
        fix: 'Give an https:// address.',
      }

const checkVersion = ({ version }: AgentSelf): DoctorCheck =>
  version === VERSION
    ? ok('version', `${VERSION}, as the service`)
    : bad(
        'version',
        `${VERSION}, and the service is ${version}: it gives this agent no run`,
        `Install version ${version} of this program.`,
      )

/** The answer says when it was made, between sending and having it. */
const checkClock = ({ now }: AgentSelf, sent: number, had: number): DoctorCheck => {
  const theirs = Date.parse(now)
  const apart = theirs < sent ? sent - theirs : Math.max(0, theirs - had)
  return apart > CLOCK_TOLERANCE
    ? bad(
        'clock',
        `${Math.round(apart / 1_000)} s apart from the service's`,
        'Set the clock by NTP: certificates, one-time passwords and signatures depend on it.',
      )
    : ok('clock', `${apart} ms apart from the service's`)
}

const checkNetworks = ({ allowNetworks, hosts }: Config): DoctorCheck => {
  const names = Object.keys(hosts).length
  const table = names === 0 ? '' : `; ${names} ${names === 1 ? 'name' : 'names'} of its own (SONDE_HOSTS)`
  return allowNetworks.length === 0
    ? {
        name: 'networks',
        state: 'missing',
        detail: `public addresses alone${table}`,
        fix: 'Open what it is to reach: --allow 10.20.0.0/16.',
      }
    : ok('networks', `public addresses, and ${allowNetworks.join(', ')}${table}`)
}

const checkCalls = ({ outOfBand }: Config): DoctorCheck =>
  outOfBand === null
    ? {
        name: 'calls',
        state: 'missing',
        detail:
          'no listener of its own: calls from targets are heard where the service listens, if its targets reach that',
        fix: 'SONDE_OOB_ADDRESS: an address of this machine that its targets reach.',
      }
    : ok('calls', `${outOfBand.address}, port ${outOfBand.httpPort}`)
