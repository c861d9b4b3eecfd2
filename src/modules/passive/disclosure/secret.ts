import { createHash } from 'node:crypto'
import { type FoundSecret, findSecrets, maskAll, maskSecret } from '../../../knowledge/secrets/find.ts'
import type { SecretWeight } from '../../../knowledge/secrets/formats.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { codeTexts, excerptAround, overAll, pageTexts, places, replayOf, type Text, urlsOf } from './texts.ts'

const critical: FindingDefinition = {
  id: 'disclosure/secret-critical',
  title: 'Secret exposed: a key to money, data or identity is delivered to every visitor',
  severity: 'critical',
  cwe: 798,
  why: 'Whoever opens the page has it. Keys that get published are found by machines within minutes and used at the owner’s cost.',
  remediation:
    'Revoke the key at its issuer now and look through its usage log; make a new one, keep it on the server, and let the page ask the server instead.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/798.html',
  ],
}

const service: FindingDefinition = {
  ...critical,
  id: 'disclosure/secret-service',
  title: 'Secret exposed: the token of a service is delivered to every visitor',
  severity: 'high',
}

const openKey: FindingDefinition = {
  ...critical,
  id: 'disclosure/public-key',
  title: 'Public API key: a page uses a key of a service that is meant to be public',
  severity: 'info',
  why: 'It is meant to be seen, as long as its issuer limits it to this site and to the functions that the page needs.',
  remediation: 'Make sure at its issuer that the key is limited to this site’s addresses and to the functions in use.',
}

const DEFINITIONS: Readonly<Record<SecretWeight, FindingDefinition>> = { critical, service, public: openKey }

/** Formats and checksums only: no secret is ever tried at its issuer. */
export const secret: Check<'disclosure', 'site'> = {
  findings: [critical, service, openKey],
  judge: (facts, { site }, about) => {
    const found = new Map<string, { readonly hit: FoundSecret; readonly text: Text; readonly urls: string[] }>()
    for (const text of [...pageTexts(facts, site), ...codeTexts(facts)]) {
      for (const hit of findSecrets(text.body)) {
        const known = found.get(hit.secret)
        if (known === undefined) found.set(hit.secret, { hit, text, urls: [...urlsOf([text])] })
        else known.urls.push(...urlsOf([text]).filter((url) => !known.urls.includes(url)))
      }
    }
    const all = [...found.keys()]
    return overAll(
      facts,
      about,
      [...found.values()].map(({ hit, text, urls }) => report(hit, text, urls, all)),
    )
  },
}

const report = (
  { format, secret: value, index }: FoundSecret,
  text: Text,
  urls: readonly string[],
  all: readonly string[],
): Finding => {
  const mask = maskSecret(value)
  // Masked before it is cut, so that no half of another secret stays at the edge.
  const head = maskAll(text.body.slice(0, index), all)
  const tail = maskAll(text.body.slice(index + value.length), all)
  const excerpt = excerptAround(head + mask + tail, head.length, mask.length, 120)
  return {
    definition: DEFINITIONS[format.weight],
    confidence: format.weight === 'public' ? 'confirmed' : 'firm',
    at: { url: urls[0] ?? text.url },
    places: places(urls),
    detail: `In ${text.url}: ${format.label}, ${mask}.`,
    proof: { excerpt, mark: excerpt.includes(mask) ? mask : null, replay: replayOf(text) },
    subject: `${format.id} ${createHash('sha256').update(value).digest('hex').slice(0, 16)}`,
  }
}
