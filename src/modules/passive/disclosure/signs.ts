/** Whether an answer tells something that a check of this module would report: what is kept of a run for them. */
import { createHash } from 'node:crypto'
import { findSecrets } from '../../../knowledge/secrets/find.ts'
import type { Content } from '../../answers.ts'
import { sightingIn } from './comment.ts'
import { credentialsIn } from './credential-list.ts'
import { dumpIn } from './database-dump.ts'
import { debugMarksOf } from './debug-mode.ts'
import { filesOf, isListing } from './directory-listing.ts'
import { lookAt } from './error-trace.ts'
import { addressesIn } from './leftover.ts'
import { codeIn } from './source-code.ts'
import { isPlainly, type Text } from './texts.ts'

export interface Sign {
  /** Equal for texts that tell the same. */
  readonly id: string
  /** What of the text says so. */
  readonly mark: string
}

export const signsOf = ({ url, status, text: body, module, contentType }: Content): readonly Sign[] => {
  const text: Text = { url, status, body, evidence: [], plain: status < 400 && isPlainly(module) }
  const asked = { url, status, body, contentType, module }
  const sign = (id: string, mark: string | null): readonly Sign[] => (mark === null ? [] : [{ id, mark }])
  return [
    ...lookAt(text).map(({ definition, kind, mark }) => ({ id: `${definition.id} ${kind}`, mark })),
    ...debugMarksOf(text).map(({ framework, mark }) => ({ id: `debug ${framework} ${mark.slice(0, 20)}`, mark })),
    ...findSecrets(body).map(({ secret }) => ({ id: `secret ${hashOf(secret)}`, mark: secret })),
    ...(status === 200 && isListing(body) ? [{ id: `listing ${filesOf(body).length > 0}`, mark: body }] : []),
    ...sightingIn(text).map(({ excerpt }) => ({ id: 'comment', mark: excerpt })),
    ...addressesIn(text, []).map(({ value }) => ({ id: 'address', mark: value })),
    ...sign('credentials', credentialsIn(asked)?.mark ?? null),
    ...sign('source', codeIn(asked)?.mark ?? null),
    ...sign('dump', dumpIn(asked)?.mark ?? null),
  ]
}

const hashOf = (text: string): string => createHash('sha1').update(text).digest('base64')
