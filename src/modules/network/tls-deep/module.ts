import { defineModule } from '../../module.ts'
import { clients, downgrade, renegotiation, sessions, tolerance, zeroRoundTrip } from './behaviour.ts'
import { clientCertificate } from './client-certificate.ts'
import { gradeSite } from './grade.ts'
import { applicationProtocols } from './http2.ts'
import { keyExchange, signatures } from './key-exchange.ts'
import { knownAttacks } from './known-attacks.ts'
import { ccsInjection, heartbleed, padding, robot, starttlsInjection, ticketbleed } from './oracles.ts'
import { preference } from './preference.ts'
import { protocol } from './protocol.ts'
import { http3 } from './quic.ts'
import { serverName } from './server-name.ts'
import { serviceCertificate } from './service-certificate.ts'
import { breach, clearText, opossum, revocation } from './site-wide.ts'
import { suites } from './suites.ts'
import { deepTables } from './tables.ts'
import { transparency } from './transparency.ts'

/** Everything about TLS that takes probes: hellos and records made by hand, at every address and service. */
export const tlsDeep = defineModule({
  id: 'tls-deep',
  title: 'TLS in depth',
  conduct: 'active',
  needs: ['site', 'tls'],
  uses: ['services'],
  budget: { requests: 24_000, seconds: 300 },
  collect: async (...given) => (await import('./collect.ts')).collectTlsDeep(...given),
  checks: [
    protocol,
    suites,
    preference,
    keyExchange,
    signatures,
    knownAttacks,
    heartbleed,
    ccsInjection,
    robot,
    ticketbleed,
    padding,
    renegotiation,
    downgrade,
    sessions,
    zeroRoundTrip,
    tolerance,
    clients,
    starttlsInjection,
    clearText,
    opossum,
    breach,
    revocation,
    transparency,
    serverName,
    clientCertificate,
    applicationProtocols,
    http3,
    serviceCertificate,
  ],
  tables: deepTables,
  grade: gradeSite,
})
