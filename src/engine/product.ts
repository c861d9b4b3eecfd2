/** What the product says of itself. */
import manifest from '../../package.json' with { type: 'json' }
import { MODULES } from '../modules/index.ts'

export const product = { name: 'Sonde', version: manifest.version } as const

/** The product's own terms that may look like a secret: a credential of this value is hidden in its own place only. */
export const VOCABULARY: ReadonlySet<string> = new Set(
  MODULES.flatMap(({ id, checks }) => [
    id,
    ...checks.flatMap((check) => check.findings.flatMap((finding) => [finding.id, ...finding.id.split('/')])),
  ]),
)
