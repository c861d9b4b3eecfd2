import { defineModule } from '../../module.ts'
import { certificateChain } from './certificate-chain.ts'
import { certificateKey } from './certificate-key.ts'
import { certificateLifetime } from './certificate-lifetime.ts'
import { certificateName } from './certificate-name.ts'
import { certificateRedirected } from './certificate-redirected.ts'
import { certificateSignature } from './certificate-signature.ts'
import { certificateStatus } from './certificate-status.ts'
import { certificateTransparency } from './certificate-transparency.ts'
import { certificateTrust } from './certificate-trust.ts'
import { certificateValidity } from './certificate-validity.ts'
import { certificateVariants } from './certificate-variants.ts'
import { collectTls } from './collect.ts'
import { httpsAbsent } from './https-absent.ts'
import { httpsRedirect } from './https-redirect.ts'
import { protocolVersions } from './protocol-versions.ts'
import { tlsTables } from './tables.ts'

/** Certificate, protocol versions and the way from http to https, by ordinary handshakes. */
export const tls = defineModule({
  id: 'tls',
  title: 'TLS and certificate',
  conduct: 'passive',
  needs: ['site'],
  budget: { requests: 160, seconds: 90 },
  collect: (ctx, { site }) => collectTls(ctx, site),
  checks: [
    httpsAbsent,
    certificateValidity,
    certificateName,
    certificateTrust,
    certificateChain,
    certificateKey,
    certificateSignature,
    certificateLifetime,
    certificateTransparency,
    certificateStatus,
    certificateVariants,
    certificateRedirected,
    protocolVersions,
    httpsRedirect,
  ],
  tables: tlsTables,
  knowledge: ({ logs }): Readonly<Record<string, string>> => (logs === undefined ? {} : { 'ct-logs': logs }),
})
