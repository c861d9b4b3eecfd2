import type { Page } from '../../../page/page.ts'
import { combined, markupOf } from '../../../page/pages.ts'
import { documentsSeen } from '../../documents.ts'
import { headerProof } from '../../evidence/pages.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'

const REFERENCES = [
  'https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding',
  'https://cwe.mitre.org/data/definitions/838.html',
] as const
const common = { cwe: 838, references: REFERENCES } as const
const FIX = 'Send `Content-Type: text/html; charset=utf-8`. nginx: `charset utf-8;`. Apache: `AddDefaultCharset utf-8`.'

const missing: FindingDefinition = {
  ...common,
  id: 'markup/charset-missing',
  title: 'Character encoding missing: a page does not name it',
  severity: 'info',
  why: 'The browser guesses. A guess that an attacker can influence turns harmless characters into markup.',
  remediation: FIX,
}

const conflict: FindingDefinition = {
  ...common,
  id: 'markup/charset-conflict',
  title: 'Character encoding conflict: a page names two',
  severity: 'info',
  why: 'The header counts for browsers. Filters and proxies that follow the page see other characters than the visitor.',
  remediation: `Name utf-8 in both places. ${FIX}`,
}

const risky: FindingDefinition = {
  ...common,
  id: 'markup/charset-unsafe',
  title: 'Character encoding unsafe: one in which filters can be deceived',
  severity: 'low',
  why: 'In ISO-2022-JP, UTF-7 or HZ, bytes that a filter takes for harmless letters can switch the meaning of what follows.',
  remediation: FIX,
}

/** Encoding by header, byte order mark or meta element. */
export const charset: Check<'markup', 'site'> = {
  findings: [missing, conflict, risky],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const judged = documentsSeen(site, facts).map((page) => ({ page, named: namedBy(page) }))
    return [
      ...found(
        missing,
        judged.filter(({ named }) => named.header === null && named.meta === null && !named.mark),
        () => 'names no encoding',
      ),
      ...found(
        conflict,
        judged.filter(
          ({ named }) =>
            named.header !== null && named.meta !== null && canonical(named.header) !== canonical(named.meta),
        ),
        ({ header, meta }) => `says ${header} in the header and ${meta} in the page`,
      ),
      ...found(
        risky,
        judged.filter(({ named }) => /^(iso-2022|utf-7|hz-gb)/i.test(named.header ?? named.meta ?? '')),
        ({ header, meta }) => `uses ${header ?? meta}`,
      ),
    ]
  },
}

interface Named {
  readonly header: string | null
  readonly meta: string | null
  /** A byte order mark overrides everything. */
  readonly mark: boolean
}

const namedBy = (page: Page): Named => {
  const { metas } = markupOf(page)
  const fromContent = metas.find(({ httpEquiv }) => httpEquiv === 'content-type')
  return {
    header: charsetOf(combined(page.headers, 'content-type') ?? ''),
    meta:
      metas.find((meta) => meta.charset !== null)?.charset?.trim() ??
      (fromContent ? charsetOf(fromContent.content) : null),
    mark: page.body.startsWith('\ufeff'),
  }
}

const charsetOf = (contentType: string): string | null =>
  /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? null

/** Names of one encoding (Encoding, 4.2): browsers read Latin-1 and ASCII as windows-1252. */
const canonical = (name: string): string => {
  const lower = name.toLowerCase()
  if (['utf8', 'utf-8', 'unicode-1-1-utf-8'].includes(lower)) return 'utf-8'
  if (['iso-8859-1', 'iso8859-1', 'latin1', 'us-ascii', 'ascii', 'windows-1252', 'cp1252'].includes(lower))
    return 'windows-1252'
  return lower
}

const found = (
  definition: FindingDefinition,
  judged: readonly { readonly page: Page; readonly named: Named }[],
  says: (named: Named) => string,
): readonly Finding[] => {
  const [first] = judged
  if (first === undefined) return []
  return [
    {
      definition,
      confidence: 'confirmed',
      at: { url: first.page.url },
      places: judged.slice(1).map(({ page }) => ({ url: page.url })),
      detail: `${first.page.url} ${says(first.named)}.`,
      proof: headerProof(first.page, ['content-type'], null),
      evidence: judged.slice(0, 5).flatMap(({ page }) => page.evidence ?? []),
    },
  ]
}
