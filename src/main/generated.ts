import { openApi } from '../contract/openapi.ts'
import { MODULES } from '../modules/index.ts'
import { renderFindingsSchema } from '../report/schema.ts'
import { renderShipped } from '../templates/language/compile-shipped.ts'
import { COMPILED } from '../templates/language/shipped.ts'
import { renderFindingsDoc } from './generate-findings-doc.ts'
import { renderGitlabComponent } from './generate-gitlab.ts'
import { renderSettingsDoc } from './generate-settings-doc.ts'
import { VERSION } from './version.ts'

export interface GeneratedFile {
  /** From the repository's root. */
  readonly path: string
  readonly render: () => string
}

export const GENERATED: readonly GeneratedFile[] = [
  { path: `catalogue/${COMPILED}`, render: renderShipped },
  { path: 'docs/openapi.json', render: () => `${JSON.stringify(openApi(VERSION), null, 2)}\n` },
  { path: 'docs/findings.schema.json', render: renderFindingsSchema },
  { path: 'docs/findings.md', render: () => renderFindingsDoc(MODULES) },
  { path: 'integrations/gitlab/sonde.yml', render: () => renderGitlabComponent() },
  { path: 'docs/operations.md', render: () => renderSettingsDoc('docs/operations.md') },
]
