/** Reads all answers of an active run, and keeps those that tell something: what the pure checks then judge. */

import { createHash } from 'node:crypto'
import { findSecrets } from '../../../knowledge/secrets/find.ts'
import { isListing } from '../../../page/listing.ts'
import { type Content, createAnswers, isPlainly, replayOf, SENT } from '../../answers.ts'
import type { Watcher, Watching } from '../../module.ts'
import { answerIn } from './captcha.ts'
import { sightingIn } from './comment.ts'
import { credentialsIn } from './credential-list.ts'
import { dumpIn } from './database-dump.ts'
import { debugMarksOf } from './debug-mode.ts'
import { filesOf } from './directory-listing.ts'
import { lookAt } from './error-trace.ts'
import type { DisclosureFacts, SeenText } from './facts.ts'
import { addressesIn } from './leftover.ts'
import { codeIn } from './source-code.ts'
import type { Text } from './texts.ts'

/** Texts kept of one sign, places of it, and characters of all. */
const MOST_OF_A_SIGN = 3
const MOST_PLACES = 50
const MOST_TEXT = 3_000_000

type Kept = SeenText & { readonly also: string[] }

export const watchDisclosure = ({ target, resumed, signedIn }: Watching): Watcher<DisclosureFacts> => {
  const answers = createAnswers(target)
  const kept: Kept[] = []
  const ofSign = new Map<string, { readonly first: Kept; count: number }>()
  let size = 0
  let dropped = 0

  const keep = (content: Content, replay: string): void => {
    const all = signsOf(content)
    const ours = all.filter(({ mark }) => answers.isOurs(mark))
    const signs = all.filter((sign) => !ours.includes(sign))
    const wanted = signs.some(({ id }) => (ofSign.get(id)?.count ?? 0) < MOST_OF_A_SIGN)
    if (signs.length === 0) return
    // What a probe put into the query is made anew in each run; the command has it.
    const url = isPlainly(content.module) ? content.url : (content.url.split('?')[0] ?? content.url)
    const { status, headers, truncated, method, contentType, module } = content
    for (const { id } of signs) {
      const known = ofSign.get(id)
      if (known && !wanted && known.first.also.length < MOST_PLACES && known.first.url !== url)
        known.first.also.push(url)
    }
    if (!wanted) return
    const body = ours.reduce((text, { mark }) => text.replaceAll(mark, SENT), content.text)
    if (size + body.length > MOST_TEXT) {
      dropped += 1
      return
    }
    size += body.length
    const text: Kept = { ...{ url, status, headers, body, truncated, method, contentType, module, replay }, also: [] }
    kept.push(text)
    for (const { id } of signs) {
      const known = ofSign.get(id)
      if (known) known.count += 1
      else ofSign.set(id, { first: text, count: 1 })
    }
  }

  return {
    see: (exchange, module) =>
      answers.take(exchange, module, (content) => keep(content, replayOf(exchange.request, signedIn))),
    conclude: (facts, cutOff = null) => {
      const { answers: count, contents, unread } = answers.reading()
      const seen = { answers: count, contents, unread: unread + dropped, resumed, texts: kept }
      return { ...facts, seen: cutOff === null ? seen : { ...seen, cutOff } }
    },
  }
}

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
    ...(status === 200 && isListing(body, url) ? [{ id: `listing ${filesOf(body).length > 0}`, mark: body }] : []),
    ...sightingIn(text).map(({ excerpt }) => ({ id: 'comment', mark: excerpt })),
    ...addressesIn(text, []).map(({ value }) => ({ id: 'address', mark: value })),
    ...sign('captcha', answerIn(asked)?.mark ?? null),
    ...sign('credentials', credentialsIn(asked)?.mark ?? null),
    ...sign('source', codeIn(asked)?.mark ?? null),
    ...sign('dump', dumpIn(asked)?.mark ?? null),
  ]
}

const hashOf = (text: string): string => createHash('sha1').update(text).digest('base64')
