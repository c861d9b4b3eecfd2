/** Flaws of the other beds behind ways and in places that only a crawl meets. */
import type { Raw } from '../case.ts'
import { escapeHtml, page } from '../case.ts'
import { WEB_CASES } from '../cases.ts'
import { read } from '../injection-cases.ts'
import { fromWebCase, type SiteCase } from './case.ts'

/** A case of the other beds, in another place or on another way. */
const moved = (id: string, of: string, change: Pick<SiteCase, 'place'> & Partial<SiteCase>): SiteCase => {
  const one = WEB_CASES.find((each) => each.id === of)
  if (!one) throw new Error(`there is no case ${of}`)
  return { ...fromWebCase(one), id, ...change }
}

/** Null where the body is no document with an entity of its own. */
const entityIn = ({ body }: Raw): { readonly name: string; readonly path: string } | null => {
  const [, name, path] = /<!ENTITY\s+(\w+)\s+SYSTEM\s+"file:\/\/([^"]+)"/.exec(body) ?? []
  return name && path ? { name, path } : null
}

const textIn = (body: string): string => body.replace(/<!DOCTYPE[\s\S]*?\]>/, '').replace(/<[^>]*>/g, ' ')

/** A page for JSON that takes XML as well, as some frameworks do unasked. */
const documents: SiteCase = {
  ...{ id: 'document-for-json', class: 'xxe', place: 'json', value: 'tent' },
  answer: async (value, careful, _around, raw) => {
    if (!raw.body.startsWith('<')) return { body: page(`<p>Looking up ${escapeHtml(value)}</p>`) }
    if (careful) return { status: 415, body: page('<p>JSON alone, please.</p>') }
    const entity = entityIn(raw)
    const content = entity ? await read(entity.path) : ''
    const text = textIn(raw.body)
    const shown = entity ? text.replace(`&${entity.name};`, content) : text
    return { body: page(`<p>Looking up ${escapeHtml(shown)}</p>`) }
  },
}

/** Shows which parameters it was given. */
const names: SiteCase = {
  ...{ id: 'names-shown', class: 'xss', place: 'name', value: 'tent' },
  answer: (value, careful) => ({ body: page(`<p>Filtered by ${careful ? escapeHtml(value) : value}</p>`) }),
}

export const REACH_CASES: readonly SiteCase[] = [
  moved('behind-select', 'sqlite-text-hidden', { place: 'form', way: 'select' }),
  moved('behind-radio', 'xss-text', { place: 'query', way: 'radio' }),
  moved('behind-textarea', 'command-bare', { place: 'form', way: 'textarea' }),
  moved('behind-upload', 'mariadb-text-hidden', { place: 'multipart', way: 'upload' }),
  moved('one-field-alone', 'sqlite-text-shown', { place: 'form', way: 'either' }),
  moved('address-of-a-button', 'postgres-text-hidden', { place: 'form', way: 'formaction' }),
  moved('in-a-frame', 'xss-attribute-double', { place: 'query', way: 'frame' }),
  moved('below-a-base', 'mariadb-number-shown', { place: 'query', way: 'base' }),
  moved('behind-refresh', 'path-joined', { place: 'query', way: 'refresh' }),
  moved('behind-a-redirect', 'template-braces', { place: 'query', way: 'hop' }),
  moved('behind-a-link-header', 'code-javascript-single', { place: 'query', way: 'link-header' }),
  moved('in-a-comment', 'xss-script-single', { place: 'query', way: 'comment' }),
  moved('hash-route-json', 'sqlite-text-hidden', { place: 'json', way: 'hash-route' }),
  moved('hash-route-query', 'ldap-filter', { place: 'query', way: 'hash-route' }),
  moved('behind-a-press', 'xss-text', { place: 'query', way: 'press' }),
  moved('behind-a-press-sql', 'postgres-number-hidden', { place: 'query', way: 'press' }),
  moved('cookie-of-a-script', 'command-double-quoted', { place: 'cookie', way: 'script-cookie' }),
  moved('header-of-a-script', 'sqlite-text-hidden', { place: 'own-header' }),
  moved('header-of-a-script-command', 'command-bare', { place: 'own-header' }),
  moved('variable-of-graphql', 'postgres-text-hidden', { place: 'graphql' }),
  moved('variable-of-graphql-code', 'code-javascript-double', { place: 'graphql' }),
  moved('list-of-json', 'mariadb-text-hidden', { place: 'json-list' }),
  moved('list-of-json-xpath', 'xpath-single', { place: 'json-list' }),
  moved('word-of-a-path', 'sqlite-text-hidden', { place: 'path' }),
  moved('order-in-json', 'sqlite-order-name-hidden', { place: 'json' }),
  moved('limit-in-a-form', 'postgres-limit-hidden', { place: 'form' }),
  moved('query-of-a-script', 'mariadb-like-hidden', { place: 'query', way: 'fetch' }),
  documents,
  names,
]
