import type { ImportDomains, ImportedRow } from '../../contract/domain-import.ts'
import type { DomainName } from '../../contract/domain-name.ts'
import { registerDomains, stepsOf } from '../../store/many-domains.ts'
import { readNames } from '../domain-names.ts'
import { about, answer, bind, type Route } from '../route.ts'
import type { Services } from '../services.ts'

export const domainImportRoutes = (services: Services): readonly Route[] => [
  bind('importDomains', async ({ body: { domains }, caller }) => {
    const names = await readNames(
      domains.map(({ domain }) => domain),
      services,
    )
    const items: ImportedRow[] = []
    for (const { from, part } of stepsOf(domains)) {
      items.push(...(await importStep(services, caller.organisation.id, part, names.slice(from, from + part.length))))
    }
    const counts = { added: 0, exists: 0, refused: 0 }
    for (const { outcome } of items) counts[outcome] += 1
    return about(`${counts.added} domains`, answer(200, { counts, items }))
  }),
]

/** Of a name that a step has twice, the first row speaks. */
const importStep = async (
  { db }: Services,
  organisationId: string,
  rows: readonly ImportDomains['domains'][number][],
  names: readonly DomainName[],
): Promise<ImportedRow[]> => {
  const first = new Map<string, number>()
  for (const [n, name] of names.entries()) if (name.ok && !first.has(name.domain)) first.set(name.domain, n)
  const wanted = [...first].map(([domain, n]) => ({
    domain,
    context: rows[n]?.context,
    environment: rows[n]?.environment,
  }))
  const found = await registerDomains(db, organisationId, wanted)
  return names.map((name, n) => {
    if (!name.ok) return { domain: rows[n]?.domain ?? '', id: null, outcome: 'refused', reason: name.message }
    const there = found.get(name.domain)
    if (there === undefined) throw new Error(`${name.domain} was not registered`)
    const isNew = there.added && first.get(name.domain) === n
    return { domain: name.domain, id: there.id, outcome: isNew ? 'added' : 'exists', reason: null }
  })
}
