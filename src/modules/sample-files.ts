/** Files as fields for them ask for, as small as they are well-formed: what is none of its kind is refused, with all else that stands in the form. */

interface Sample {
  readonly ending: string
  /** Media types, its own first. */
  readonly types: readonly string[]
  /** A text, as requests are kept as text. */
  readonly content: string
}

/** Type of a field for a file in which none was chosen: it is sent empty and without a name (HTML, 4.10.22.4). */
export const NO_FILE = 'no file'

export const SAMPLES: readonly Sample[] = [
  {
    ending: 'svg',
    types: ['image/svg+xml'],
    content: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">A note.</text></svg>',
  },
  {
    ending: 'xml',
    types: ['application/xml', 'text/xml'],
    content: '<?xml version="1.0"?><items><item><name>A note.</name></item></items>',
  },
  { ending: 'json', types: ['application/json', 'text/json'], content: '[{"name":"A note."}]' },
  { ending: 'csv', types: ['text/csv', 'application/csv'], content: 'name,amount\nA note,1\n' },
  {
    ending: 'yaml',
    types: ['application/yaml', 'text/yaml', 'application/x-yaml'],
    content: 'name: A note\namount: 1\n',
  },
]
const PLAIN = { name: 'note.txt', type: 'text/plain' } as const

const endingOf = (kind: string): string => kind.replace(/^\./, '').replace(/^yml$/, 'yaml')

/**
 * What a field takes that says so in its list of kinds (HTML, 4.10.5.1.17), or where it has none by its name; '' where neither says it of a kind that is
 * known here.
 */
export const sampleFor = (accept: string, name: string): string => {
  const kinds = accept
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  const isIt = ({ ending, types }: Sample): boolean =>
    kinds.length > 0
      ? kinds.some((kind) => types.includes(kind) || endingOf(kind) === ending)
      : words.some((word) => endingOf(word) === ending)
  return SAMPLES.find(isIt)?.content ?? ''
}

/** Name and media type of a file with this in it. */
export const fileLike = (content: string): { readonly name: string; readonly type: string } => {
  const sample = SAMPLES.find((one) => one.content === content)
  return sample ? { name: `note.${sample.ending}`, type: sample.types[0] ?? PLAIN.type } : PLAIN
}

/** Whether it is one of these, which says nothing of the documents that the program takes. */
export const isSample = (content: string): boolean => SAMPLES.some((one) => one.content === content)
