import { defineModule } from '../../module.ts'
import { addresses, wildcardNames } from './addresses.ts'
import { caa } from './caa.ts'
import { collectDns } from './collect.ts'
import { dnssec } from './dnssec.ts'
import { dnssecStrength } from './dnssec-strength.ts'
import { nameservers } from './nameservers.ts'
import { dnsTables } from './tables.ts'

/** The zone and its servers, asked through the operator's resolver and directly; DNSSEC validated from the root down. */
export const dns = defineModule({
  id: 'dns',
  title: 'Domain name system',
  conduct: 'passive',
  needs: [],
  budget: { requests: 250, seconds: 60 },
  collect: collectDns,
  checks: [nameservers, dnssec, dnssecStrength, caa, addresses, wildcardNames],
  tables: dnsTables,
})
