/** The operator's settings: read once at start from the environment, checked whole, every bad value named at once. */
import { resolve } from 'node:path'
import type { OobSettings } from '../egress/oob/out-of-band.ts'
import { folder } from './config-values.ts'
import type { OpenIdSettings } from './open-id.ts'
import { READ_ELSEWHERE, SETTINGS, type Setting, settingList, type ValuesOf, valuesOf } from './settings.ts'

type Values = ValuesOf<typeof SETTINGS>

/** What each means is in SETTINGS. Folders are absolute. */
export interface Config extends Omit<Values, 'outOfBand' | 'openId'> {
  /** Listener for calls from targets; null means that there is none. */
  readonly outOfBand: OobSettings | null
  /** Null: nobody signs in by a provider. */
  readonly openId: OpenIdSettings | null
  /** Variables that begin with SONDE_ but mean nothing: most likely mistyped. */
  readonly unknown: readonly string[]
}

/** Thrown with one line for each bad variable. */
export class ConfigError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'ConfigError'
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * An empty variable counts as unset, as in `SONDE_HOSTS= ./run`. Relative folders start at `home`.
 * @throws ConfigError that names every bad variable and none of the values that are secret.
 */
export const readConfig = (env: Environment, home: string): Config => {
  const wrong: string[] = []
  const values = valuesOf(SETTINGS, (setting) => {
    const read = readSetting(setting, env[setting.variable]?.trim() ?? '')
    wrong.push(...read.wrong)
    return setting.type === folder && typeof read.value === 'string' ? resolve(home, read.value) : read.value
  })
  if (wrong.length > 0) throw wrongSettings(wrong)
  return {
    ...values,
    outOfBand: outOfBandOf(values.outOfBand),
    openId: openIdOf(values.openId),
    unknown: unknownIn(env),
  }
}

const readSetting = (
  { variable, type, unset }: Setting<unknown>,
  text: string,
): { readonly value: unknown; readonly wrong: readonly string[] } => {
  if (text === '') return { value: unset, wrong: [] }
  const { data, error } = type.safeParse(text)
  return { value: data, wrong: (error?.issues ?? []).map(({ message }) => `${variable} ${message}`) }
}

const wrongSettings = (lines: readonly string[]): ConfigError =>
  new ConfigError(['These settings are wrong:', ...new Set(lines)].join('\n  '))

/** `SONDE_LONG` is of the tests. */
const unknownIn = (env: Environment): readonly string[] => {
  const known = new Set([
    ...settingList().map(({ variable }) => variable),
    ...Object.keys(READ_ELSEWHERE),
    'SONDE_LONG',
  ])
  return Object.keys(env).filter((name) => name.startsWith('SONDE_') && !known.has(name))
}

/** The address switches it on; the rest alone would be a listener that nobody reaches. */
const outOfBandOf = ({ address, bind, ...rest }: Values['outOfBand']): OobSettings | null => {
  if (address !== null) return { ...rest, address, bind: bind ?? address }
  if (rest.domain === null && bind === null) return null
  throw wrongSettings(['SONDE_OOB_ADDRESS must be set with SONDE_OOB_DOMAIN and SONDE_OOB_BIND'])
}

const openIdOf = ({ issuer, clientId, ...rest }: Values['openId']): OpenIdSettings | null => {
  if (issuer === null && clientId === null) return null
  if (issuer === null || clientId === null) {
    throw wrongSettings(['SONDE_OIDC_ISSUER and SONDE_OIDC_CLIENT_ID go together: set both or none'])
  }
  return {
    ...rest,
    issuer,
    clientId,
    owners: rest.owners.map((owner) => owner.toLowerCase()),
    role: rest.role === 'none' ? null : rest.role,
  }
}
