import { overAll, watchDocuments } from '../../documents.ts'
import { defineModule } from '../../module.ts'
import { withoutWebsite } from '../site/facts-absent.ts'
import { cacheControl } from './cache-control.ts'
import { collectHeaders } from './collect.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { contentSecurityPolicyNonce } from './content-security-policy-nonce.ts'
import { contentSecurityPolicyQuality } from './content-security-policy-quality.ts'
import { contentSecurityPolicyScript } from './content-security-policy-script.ts'
import { cors } from './cors.ts'
import { crossOriginEmbedderPolicy } from './cross-origin-embedder-policy.ts'
import { crossOriginOpenerPolicy } from './cross-origin-opener-policy.ts'
import { crossOriginResourcePolicy } from './cross-origin-resource-policy.ts'
import { deprecated } from './deprecated.ts'
import { framing } from './framing.ts'
import { headerMarks } from './marks.ts'
import { observatoryGrade } from './observatory/grade.ts'
import { permissionsPolicy } from './permissions-policy.ts'
import { referrerPolicy } from './referrer-policy.ts'
import { responseTable } from './response-table.ts'
import { strictTransportSecurity } from './strict-transport-security.ts'
import { xContentTypeOptions } from './x-content-type-options.ts'

export const headers = defineModule<'headers', 'site', 'crawl'>({
  id: 'headers',
  title: 'Response headers',
  conduct: 'passive',
  needs: ['site'],
  // An active run has met interfaces that only scripts name.
  uses: ['crawl'],
  unless: withoutWebsite,
  budget: { requests: 520, seconds: 180 },
  collect: collectHeaders,
  watch: (watching) => watchDocuments(watching, { marksOf: headerMarks, each: 3 }),
  checks: [
    ...[contentSecurityPolicy, contentSecurityPolicyScript, contentSecurityPolicyNonce].map(overAll),
    overAll(contentSecurityPolicyQuality),
    strictTransportSecurity,
    ...[framing, xContentTypeOptions, referrerPolicy, permissionsPolicy].map(overAll),
    ...[crossOriginOpenerPolicy, crossOriginEmbedderPolicy, crossOriginResourcePolicy, cacheControl].map(overAll),
    cors,
    overAll(deprecated),
  ],
  tables: responseTable,
  grade: observatoryGrade,
})
