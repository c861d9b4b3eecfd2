/** Hundreds of small programs beside each other, each with a place of its own, as a catalogue of samples or an office of old forms has them. */
import { type Application, type Planted, planApplication } from './plan.ts'

const SECTIONS = ['orders', 'stock', 'people', 'letters', 'tours', 'rooms']
/** Links of one page. */
const ON_A_PAGE = 75

/** `places`: a multiple of two; each second one is the safe twin of another. Numbered names alone tell the programs of a section apart. */
export const planMany = (seed: number, places: number): Application => {
  const application = planApplication(seed, { places, ways: PLAIN_WAYS, answers: ['shown', 'hidden', 'noisy'] })
  const sections = SECTIONS.slice(0, Math.ceil(places / ON_A_PAGE))
  const sectionOf = (at: number): string => sections[at % sections.length] ?? 'orders'
  const own = application.places.map((place): Planted => {
    const entry = `/${sectionOf(place.at)}/part-${String(place.at + 1).padStart(4, '0')}`
    return { ...place, entry, path: place.way === 'front' ? place.path : `${entry}-view` }
  })
  const pages = new Map(
    sections.map((section, at) => [
      `/${section}`,
      listOf(
        section,
        own.filter((_, place) => sectionOf(place) === sections[at]),
      ),
    ]),
  )
  return { ...application, places: own, around: { sections, pages } }
}

/** Without those that ask for a place over several pages. */
const PLAIN_WAYS = [
  'link',
  'form-get',
  'form-post',
  'form-post',
  'form-post',
  'fetch',
  'fetch',
  'token',
  'posted',
] as const

const listOf = (section: string, places: readonly Planted[]): string =>
  `<h1>${section}</h1><ul>${places.map(({ entry }) => `<li><a href="${entry}">${entry.slice(1)}</a></li>`).join('')}</ul>`
