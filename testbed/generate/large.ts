/** Hundreds of ordinary pages around the places of a made application: sections, lists in parts, and articles that lead on. */
import { type Application, planApplication } from './plan.ts'
import { type Random, randomOf } from './random.ts'
import { escaped } from './sink.ts'

/** Beside the places: paths and documents, and what stands in the navigation. */
export interface Surroundings {
  readonly sections: readonly string[]
  /** By path: content of a page; of a list by `path?page=N`. */
  readonly pages: ReadonlyMap<string, string>
}

const SECTIONS = ['travel', 'cooking', 'walking', 'reading', 'history', 'repairs', 'sewing', 'birds', 'stars', 'rivers']
const FIRST = ['early', 'quiet', 'northern', 'old', 'winter', 'open', 'second', 'long', 'small', 'painted', 'silver']
const SECOND = [
  'harbour',
  'bread',
  'path',
  'window',
  'letter',
  'bridge',
  'garden',
  'boat',
  'lantern',
  'orchard',
  'mill',
]
const THIRD = ['at-dawn', 'by-hand', 'in-june', 'for-two', 'once-more', 'on-foot', 'with-salt']
const SENTENCES = [
  'It rained for most of the week.',
  'Nobody had asked for it before.',
  'The road goes on for another hour.',
  'Two of them were left by noon.',
  'We went back the same way.',
  'There is more of it in the shed.',
]
const ON_A_PART = 10

/** `pages`: articles, lists aside. The way to each place begins on one of them, anywhere. */
export const planLarge = (
  seed: number,
  wanted: { readonly pages: number; readonly places: number },
): Application & { readonly around: Surroundings } => {
  const application = planApplication(seed, { places: wanted.places })
  const random = randomOf(seed + 1)
  const slugs = random.shuffled(FIRST.flatMap((a) => SECOND.flatMap((b) => THIRD.map((c) => `${a}-${b}-${c}`))))
  const each = Math.ceil(wanted.pages / SECTIONS.length)
  const articles = SECTIONS.flatMap((section, at) =>
    slugs.slice(at * each, (at + 1) * each).map((slug) => ({ section, path: `/${section}/${slug}`, slug })),
  ).slice(0, wanted.pages)
  const ways = new Map<string, string[]>()
  for (const { entry } of application.places) {
    const { path } = random.pick(articles)
    ways.set(path, [...(ways.get(path) ?? []), entry])
  }
  const pages = new Map(articles.map(({ path, slug }) => [path, article(random, slug, ways.get(path) ?? [])]))
  for (const section of SECTIONS) {
    const own = articles.filter((one) => one.section === section).map(({ path }) => path)
    const parts = Math.ceil(own.length / ON_A_PART)
    for (let part = 1; part <= parts; part += 1)
      pages.set(
        `/${section}?page=${part}`,
        list(section, own.slice((part - 1) * ON_A_PART, part * ON_A_PART), part, parts),
      )
  }
  return { ...application, around: { sections: SECTIONS, pages } }
}

const article = (random: Random, slug: string, entries: readonly string[]): string => {
  const text = Array.from(
    { length: 3 + random.below(4) },
    () => `<p>${random.shuffled(SENTENCES).slice(0, 3).join(' ')}</p>`,
  )
  const more = entries.map((entry) => `<p>See also our <a href="${entry}">${entry.slice(1)}</a>.</p>`)
  text.splice(random.below(text.length), 0, ...more)
  return `<article><h1>${escaped(slug.replaceAll('-', ' '))}</h1>${text.join('')}</article>`
}

const list = (section: string, paths: readonly string[], part: number, parts: number): string => {
  const items = paths.map((path) => `<li><a href="${path}">${path.split('/').at(-1)?.replaceAll('-', ' ')}</a></li>`)
  const turns = [
    ...(part > 1 ? [`<a rel="prev" href="/${section}?page=${part - 1}">Earlier</a>`] : []),
    ...(part < parts ? [`<a rel="next" href="/${section}?page=${part + 1}">Later</a>`] : []),
  ]
  return `<h1>${section}</h1><ul>${items.join('')}</ul>${turns.join(' ')}`
}

/** Null where no such page is among them. */
export const pageAround = ({ pages }: Surroundings, url: URL): string | null =>
  pages.get(url.pathname) ?? pages.get(`${url.pathname}?page=${url.searchParams.get('page') ?? '1'}`) ?? null
