/** Pages that keep what one visitor sends and show it to the next. */
import { type Answer, escapeHtml, page, type WebCase } from './case.ts'

interface Shelf {
  readonly name: string
  readonly careless: (v: string) => string
  readonly careful: (v: string) => string
  readonly place?: WebCase['place']
  /** The answer to what was sent shows nothing of it. */
  readonly quiet?: true
}

const wrapped = (before: string, after: string): Pick<Shelf, 'careless' | 'careful'> => ({
  careless: (v) => before + v + after,
  careful: (v) => before + escapeHtml(v) + after,
})

const SHELVES: readonly Shelf[] = [
  { name: 'text', ...wrapped('<p>', '</p>') },
  { name: 'text-quiet', quiet: true, ...wrapped('<p>', '</p>') },
  { name: 'attribute', ...wrapped('<input value="', '">') },
  { name: 'title', quiet: true, ...wrapped('<title>', '</title>') },
  {
    name: 'script',
    quiet: true,
    careless: (v) => `<script>var last = '${v}'</script>`,
    careful: (v) => `<script>var last = ${JSON.stringify(v).replace(/</g, '\\u003c')}</script>`,
  },
  {
    name: 'tags-filtered-badly',
    quiet: true,
    careless: (v) => `<p>${v.replace(/<script[^>]*>/gi, '')}</p>`,
    careful: (v) => `<p>${escapeHtml(v)}</p>`,
  },
  { name: 'json', place: 'json', quiet: true, ...wrapped('<li>', '</li>') },
  { name: 'multipart', place: 'multipart', quiet: true, ...wrapped('<li>', '</li>') },
]

const MOST = 40

const caseOf = ({ name, careless, careful, place = 'form', quiet }: Shelf): WebCase => {
  const kept = { careless: [] as string[], careful: [] as string[] }
  return {
    id: `stored-${name}`,
    module: 'xss',
    finds: ['xss/stored', 'xss/reflected', 'xss/reflected-own-request'],
    needs: 'xss/stored',
    place,
    value: 'A good tent',
    effect: 'writes',
    listed: true,
    answer: (value, isCareful, _around, raw): Answer => {
      const list = isCareful ? kept.careful : kept.careless
      if (raw.body !== '') {
        list.push(value)
        if (list.length > MOST) list.shift()
        if (quiet) return { status: 303, headers: { Location: '?' }, body: '' }
      }
      return { body: page(list.map(isCareful ? careful : careless).join('')) }
    },
  }
}

export const XSS_STORED_CASES: readonly WebCase[] = SHELVES.map(caseOf)
