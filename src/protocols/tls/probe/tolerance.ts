/** Hellos that a sound server takes although it does not know all that is in them (RFC 8446, 9.3; RFC 8701). */
import { alertName } from '../../../knowledge/tls/alerts.ts'
import { COMMON_SCHEMES } from '../../../knowledge/tls/schemes.ts'
import { CLASSIC_SUITES } from '../../../knowledge/tls/suites.ts'
import type { ToleranceFacts } from '../endpoint.ts'
import type { Flight } from '../wire/flight.ts'
import { buildHello, EXTENSION, extension, type Hello } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import { VERSION } from '../wire/record.ts'
import { nameOf, renegotiationInfo } from './hellos.ts'

/** GREASE values (RFC 8701, 2). */
const GREASE = 0x1a1a

interface Probe {
  readonly probe: string
  readonly what: string
  readonly change: (base: Hello) => Hello
}

const more = (base: Hello, ...added: NonNullable<Hello['more']>): Hello => ({
  ...base,
  more: [...(base.more ?? []), ...added],
})

const padTo = (size: number) => (base: Hello) => {
  const room = size - buildHello(base).length - 4
  return more(base, extension(EXTENSION.padding, Buffer.alloc(Math.max(1, room))))
}

const PROBES: readonly Probe[] = [
  {
    probe: 'grease',
    what: 'reserved values among suites, groups, versions and extensions',
    change: (base) => ({
      ...more(base, extension(GREASE), extension(0xfafa, Buffer.from([0]))),
      suites: [GREASE, ...base.suites],
      groups: [GREASE, ...(base.groups ?? [])],
      ...(base.supportedVersions ? { supportedVersions: [GREASE, ...base.supportedVersions] } : {}),
    }),
  },
  {
    probe: 'future-version',
    what: 'a version of the future in the hello',
    change: (base) => ({ ...base, version: 0x0305 }),
  },
  {
    probe: 'record-version',
    what: 'TLS 1.2 in the record of the hello',
    change: (base) => ({ ...base, recordVersion: VERSION.tls12 }),
  },
  { probe: 'hello-500', what: 'a hello of 500 octets', change: padTo(500) },
  { probe: 'hello-4000', what: 'a hello of 4,000 octets, as with post-quantum keys', change: padTo(4_000) },
  {
    probe: 'many-suites',
    what: 'more than 128 suites',
    change: (base) => ({ ...base, suites: [...new Set([...base.suites, ...CLASSIC_SUITES])].slice(0, 200) }),
  },
  {
    probe: 'unknown-extension',
    what: 'an extension that nobody has defined',
    change: (base) => more(base, extension(0xeeee, Buffer.alloc(8))),
  },
]

/** @param base an ordinary hello that the server is known to take */
export const probeTolerance = async (prober: Prober, base: Hello): Promise<ToleranceFacts[]> => {
  const control = await prober.ask(base)
  // Without a sound answer to the plain hello the others say nothing.
  if (control.hello === null) return []
  return Promise.all(
    PROBES.map(async ({ probe, what, change }): Promise<ToleranceFacts> => {
      const changed = change(base)
      const answer = await prober.ask(changed)
      const again = answer.hello === null ? await prober.ask(changed) : answer
      return { probe, what, ok: again.hello !== null, answer: describe(again) }
    }),
  )
}

export const describe = ({ hello, end }: Flight): string => {
  if (hello !== null) return 'server hello'
  if (end.kind === 'alert') return `alert ${alertName(end.description)}`
  return end.kind === 'closed' ? 'connection closed' : end.kind
}

/** The hello of a browser of today, for all versions. */
export const browserHello = (prober: Prober, suites: readonly number[], modern: boolean): Hello => ({
  version: VERSION.tls12,
  suites,
  servername: nameOf(prober.endpoint),
  groups: [29, 23, 24, 25],
  schemes: COMMON_SCHEMES,
  more: [renegotiationInfo()],
  ...(modern
    ? {
        supportedVersions: [VERSION.tls13, VERSION.tls12],
        keyShares: [{ group: 29, key: Buffer.alloc(32, 9) }],
        sessionId: Buffer.alloc(32, 7),
      }
    : {}),
})
