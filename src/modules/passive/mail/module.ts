import { defineModule } from '../../module.ts'
import { bimi } from './bimi.ts'
import { collectMail } from './collect.ts'
import { dane } from './dane.ts'
import { dkim } from './dkim.ts'
import { dmarc, dmarcReports } from './dmarc.ts'
import { mtaSts, tlsReporting } from './mta-sts.ts'
import { mx } from './mx.ts'
import { spf } from './spf.ts'
import { spfLimits } from './spf-limits.ts'
import { spfPolicy } from './spf-policy.ts'
import { mailTables } from './tables.ts'

/** Who may send in the domain's name, and how mail to it travels: records alone, no mail server is contacted. */
export const mail = defineModule({
  id: 'mail',
  title: 'Mail authentication and transport',
  conduct: 'passive',
  needs: [],
  budget: { requests: 500, seconds: 60 },
  collect: collectMail,
  checks: [spf, spfLimits, spfPolicy, dkim, dmarc, dmarcReports, mx, mtaSts, tlsReporting, dane, bimi],
  tables: mailTables,
})
