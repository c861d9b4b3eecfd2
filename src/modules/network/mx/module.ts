import type { FactTable } from '../../../contract/findings-file.ts'
import { defineModule } from '../../module.ts'
import { certificate } from './certificate.ts'
import type { MxFacts } from './facts.ts'
import { starttls } from './starttls.ts'

const tables = ({ servers }: MxFacts): readonly FactTable[] =>
  servers.length === 0
    ? []
    : [
        {
          id: 'mx-servers',
          module: 'mx',
          title: 'Mail servers at port 25',
          columns: [
            'Server',
            'Address',
            'Calls itself',
            'Name of the address',
            'STARTTLS',
            'Versions',
            'Certificate',
            'Trust',
          ],
          rows: servers.map((one) => [
            one.name,
            one.address,
            (one.says ?? []).join(', '),
            (one.reverse ?? []).join(', '),
            one.starttls,
            one.versions.flatMap(({ version, state }) => (state === 'offered' ? [version] : [])).join(', '),
            one.certificate?.subject ?? '',
            one.certificate === null ? '' : `${one.certificate.trust}${one.certificate.isNamed ? '' : ', other name'}`,
          ]),
        },
      ]

/** Whether mail to the domain can come encrypted, and to the right server. */
export const mx = defineModule({
  id: 'mx',
  title: 'Mail servers',
  conduct: 'active',
  needs: ['mail'],
  budget: { requests: 150, seconds: 90 },
  collect: async (ctx, { mail }) => (await import('./collect.ts')).collectMx(ctx, mail),
  checks: [starttls, certificate],
  tables,
})
