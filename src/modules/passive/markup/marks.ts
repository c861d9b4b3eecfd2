/** What of a page the markup checks judge: each form, field, link to elsewhere and resource, without what is made anew. */
import type { Page } from '../../../page/page.ts'

const JUDGED =
  /<(?:form|input|script|link|base|iframe|frame|object|embed|meta|img|audio|video|source)\b[^>]{0,600}>|<a\b[^>]{0,400}\btarget\b[^>]{0,400}>/gi
/** Values of fields, nonces, numbers, and what follows the path of an address. */
const FRESH =
  /\b(?:value|content|nonce|integrity|alt|title)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)|[?#][^"'\s>]*|\b[0-9a-f]{8,}\b|\d+/gi

/** A charset that a page names stands in a meta element's content. */
const CHARSET = /charset\s*=\s*["']?([\w-]+)/i

export const markupMarks = ({ body, contentType, headers }: Page): ReadonlySet<string> =>
  new Set([
    ...[...body.matchAll(JUDGED)].map(([tag]) =>
      `${tag.replace(FRESH, '')} ${CHARSET.exec(tag)?.[1] ?? ''}`.toLowerCase(),
    ),
    `${contentType} ${headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''} ${/<meta\b[^>]{0,200}charset/i.test(body)}`,
  ])
