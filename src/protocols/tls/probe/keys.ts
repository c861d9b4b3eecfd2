/** Key exchange: groups, Diffie-Hellman parameters, signature schemes, and the certificates that go with them. */
import { createHash, X509Certificate } from 'node:crypto'
import { GROUPS } from '../../../knowledge/tls/groups.ts'
import { knownPrime } from '../../../knowledge/tls/primes.ts'
import { SCHEMES } from '../../../knowledge/tls/schemes.ts'
import { type Suite, suiteOf } from '../../../knowledge/tls/suites.ts'
import type { DhFacts, EndpointFacts, ServedCertificate } from '../endpoint.ts'
import { prepareHello, readCertificate, speakable } from '../session/modern.ts'
import { EXTENSION, type Hello } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import {
  classicHello,
  modernHello,
  nameOf,
  protocolsFor,
  statusRequest,
  TLS13_GROUPS,
  timestampsWanted,
} from './hellos.ts'

const MOST_ROUNDS = 40
const CURVES = GROUPS.filter((group) => group.kind === 'ec').map((group) => group.code)

export interface Agreed {
  readonly version: number
  readonly suites: readonly number[]
}

const pick = ({ suites }: Agreed, test: (suite: Suite) => boolean): number[] =>
  suites.filter((code) => test(suiteOf(code)))

/** Asks with what is left until the server finds nothing more. */
const drain = async (
  all: readonly number[],
  choose: (left: readonly number[]) => Promise<number | null>,
): Promise<number[]> => {
  const found: number[] = []
  let left = all
  for (let round = 0; round < MOST_ROUNDS && left.length > 0; round++) {
    const next = await choose(left)
    if (next === null || !left.includes(next)) break
    found.push(next)
    left = left.filter((one) => one !== next)
  }
  return found
}

/** Curves of TLS up to 1.2, by what the server signs. */
export const surveyCurves = async (prober: Prober, agreed: Agreed): Promise<number[]> => {
  const suites = pick(agreed, (suite) => suite.exchange === 'ECDHE' && suite.authentication !== 'anon')
  if (suites.length === 0) return []
  return drain(CURVES, async (groups) => {
    const { keyExchange } = await prober.ask(classicHello(prober.endpoint, agreed.version, suites, { groups }), true)
    return keyExchange?.group ?? null
  })
}

/** Without a share the server has to name the group it wants (HelloRetryRequest). */
export const surveyModernGroups = (prober: Prober, suites: readonly number[]): Promise<number[]> =>
  drain(TLS13_GROUPS, async (groups) => {
    const { hello } = await prober.ask(modernHello(prober.endpoint, suites, { groups, keyShares: [] }))
    return hello?.group ?? null
  })

export const surveySchemes = async (prober: Prober, agreed: Agreed): Promise<number[]> => {
  const chains = (['RSA', 'ECDSA', 'DSS'] as const).map(async (authentication) => {
    const suites = pick(agreed, (suite) => suite.authentication === authentication && /^(EC)?DHE$/.test(suite.exchange))
    if (suites.length === 0) return []
    return drain(
      SCHEMES.map((scheme) => scheme.code),
      async (schemes) => {
        const { keyExchange } = await prober.ask(
          classicHello(prober.endpoint, agreed.version, suites, { schemes }),
          true,
        )
        return keyExchange?.scheme ?? null
      },
    )
  })
  return [...new Set((await Promise.all(chains)).flat())].toSorted((a, b) => a - b)
}

/** In TLS 1.3 the signature is not sent in clear: a scheme counts when the server goes on with it alone. */
export const surveyModernSchemes = async (prober: Prober, suites: readonly number[]): Promise<number[]> => {
  const answers = await Promise.all(
    SCHEMES.filter((scheme) => scheme.modern).map(async ({ code }) => {
      const { hello } = await prober.ask(modernHello(prober.endpoint, suites, { schemes: [code] }))
      return hello !== null && !hello.retry ? [code] : []
    }),
  )
  return answers.flat()
}

/** Parameters of every kind of DHE that is offered: export suites have their own. */
export const surveyDh = async (prober: Prober, agreed: Agreed): Promise<DhFacts[]> => {
  const dhe = (suite: Suite) => suite.exchange === 'DHE' || (suite.exchange === 'DH' && suite.authentication === 'anon')
  const kinds = [
    pick(agreed, (suite) => dhe(suite) && suite.isExport),
    pick(agreed, (suite) => dhe(suite) && !suite.isExport),
  ]
  const found = await Promise.all(
    kinds
      .filter((suites) => suites.length > 0)
      .map(async (suites): Promise<DhFacts[]> => {
        const hello = classicHello(prober.endpoint, agreed.version, suites)
        const [one, two] = await Promise.all([prober.ask(hello, true), prober.ask(hello, true)])
        const exchange = one.keyExchange
        if (!exchange?.prime || !exchange.generator || one.hello === null) return []
        const prime = exchange.prime.toString('hex').replace(/^0+/, '')
        const known = knownPrime(prime)
        return [
          {
            suite: one.hello.suite,
            bits: BigInt(`0x${prime || '0'}`).toString(2).length,
            prime,
            generator: exchange.generator.toString('hex'),
            knownPrime: known?.name ?? null,
            unexplained: known?.origin === 'unexplained',
            reused: two.keyExchange?.share.equals(exchange.share) ?? false,
          },
        ]
      }),
  )
  return found.flat()
}

export const isEcdhReused = async (prober: Prober, agreed: Agreed): Promise<boolean> => {
  const suites = pick(agreed, (suite) => suite.exchange === 'ECDHE' && suite.authentication !== 'anon')
  if (suites.length === 0) return false
  const hello = classicHello(prober.endpoint, agreed.version, suites)
  const [one, two] = await Promise.all([prober.ask(hello, true), prober.ask(hello, true)])
  return one.keyExchange !== null && two.keyExchange !== null && one.keyExchange.share.equals(two.keyExchange.share)
}

/** A server may hold a certificate for each kind of key, and another for who names no host. */
export const surveyCertificates = async (prober: Prober, agreed: Agreed): Promise<ServedCertificate[]> => {
  const kinds = ['RSA', 'ECDSA', 'DSS'].map((key) =>
    pick(agreed, (suite) => suite.authentication === key && suite.exchange !== 'ECDH' && !suite.isExport),
  )
  const asked = kinds.filter((suites) => suites.length > 0)
  const named = await Promise.all(asked.map((suites) => leafOf(prober, agreed.version, suites, undefined)))
  const unnamed = await leafOf(prober, agreed.version, agreed.suites, null)
  return [...named, unnamed].flatMap((one) => one ?? [])
}

export interface ModernSurvey extends Required<Pick<EndpointFacts, 'withoutName' | 'modernExtensions'>> {
  readonly certificates: readonly ServedCertificate[]
  readonly timestamps: Buffer | null
}

/** The same of a server that speaks TLS 1.3 alone, and what else it says encrypted. */
export const surveyModernCertificates = async (prober: Prober, suites: readonly number[]): Promise<ModernSurvey> => {
  const spoken = speakable(suites)
  if (spoken.length === 0) return { certificates: [], timestamps: null, withoutName: 'unknown', modernExtensions: null }
  const leaf = (servername: string | null, change: Partial<Hello> = {}) =>
    prober.converse((channel) => {
      const more = [statusRequest, timestampsWanted]
      const hello = modernHello(prober.endpoint, spoken, { servername, more, ...change })
      return readCertificate(channel, prepareHello(hello), prober.deadline())
    })
  const name = nameOf(prober.endpoint)
  const taken = async (protocol: string): Promise<readonly string[]> => {
    const answer = await leaf(name, { alpn: [protocol] })
    return answer?.encryptedExtensions.has(EXTENSION.alpn) ? [protocol] : []
  }
  const [named, unnamed, ...alpn] = await Promise.all([
    leaf(name),
    leaf(null),
    ...protocolsFor(prober.endpoint.service).map(taken),
  ])
  const [a, b] = [named?.chain[0], unnamed?.chain[0]]
  return {
    certificates: [a && describeCertificate(a, name), b && describeCertificate(b, null)].flatMap((one) => one ?? []),
    timestamps: named?.extensions.get(EXTENSION.timestamps) ?? null,
    withoutName: !a ? 'unknown' : !b ? 'refused' : a.equals(b) ? 'same' : 'other',
    modernExtensions: named && {
      alpn: alpn.flat(),
      clientCertificate: named.certificateRequested,
      staple: named.extensions.has(EXTENSION.statusRequest),
    },
  }
}

const leafOf = async (
  prober: Prober,
  version: number,
  suites: readonly number[],
  servername: null | undefined,
): Promise<ServedCertificate | null> => {
  const base = classicHello(prober.endpoint, version, suites)
  const hello = servername === undefined ? base : { ...base, servername }
  const { certificates } = await prober.ask(hello, true)
  const [der] = certificates
  return der === undefined ? null : describeCertificate(der, hello.servername)
}

/** Null when OpenSSL cannot read it as a certificate. */
export const describeCertificate = (der: Buffer, servername: string | null): ServedCertificate | null => {
  try {
    const certificate = new X509Certificate(der)
    const key = certificate.publicKey
    const details = key.asymmetricKeyDetails
    const type = key.asymmetricKeyType ?? 'unknown'
    return {
      key: details?.namedCurve ? `${type} ${details.namedCurve}` : type,
      bits: details?.modulusLength ?? (Number(/(\d{3})/.exec(details?.namedCurve ?? '')?.[1] ?? 0) || null),
      der: der.toString('base64'),
      sha256: createHash('sha256').update(der).digest('hex'),
      servername,
      signatureAlgorithm: certificate.signatureAlgorithm ?? 'unknown',
    }
  } catch {
    return null
  }
}
