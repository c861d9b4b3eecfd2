/** What is stored shows elsewhere: pages on which a value stands that one form alone was sent. */
const MOST_PAGES = 60
const AT_ONCE = 4
/** Of one value. */
const MOST_KEPT = 4

const CODES = 36 ** 2

/** What follows the run's marker in the values of one form; nothing where there are more forms than codes. */
export const codeOf = (number: number): string => (number < CODES ? number.toString(36).padStart(2, '0') : '')

/**
 * Pages by the code of what they show; in their order, the first MOST_PAGES. An address that holds the marker itself may repeat it.
 * `isOver`: no page is read from then on.
 */
export const shownOn = async (
  pages: readonly string[],
  marker: string,
  get: (url: string) => Promise<{ readonly status: number; readonly text: string }>,
  isOver: () => boolean,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const shown = new Map<string, readonly string[]>()
  const left = [...new Set(pages)].filter((url) => !url.includes(marker)).slice(0, MOST_PAGES)
  const codes = new RegExp(`${marker}([0-9a-z]{2})(?![0-9a-z])`, 'gi')
  const worker = async (): Promise<void> => {
    for (let url = left.shift(); url !== undefined && !isOver(); url = left.shift()) {
      const { status, text } = await get(url)
      for (const [, code = ''] of status === 200 ? text.matchAll(codes) : []) {
        const own = code.toLowerCase()
        const before = shown.get(own) ?? []
        if (!before.includes(url)) shown.set(own, [...before, url].slice(0, MOST_KEPT))
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return shown
}
