/** Live progress of a run: redrawn in place on a terminal, lines elsewhere. */
import type { ProgressEvent } from '../contract/event.ts'
import { clean, countsText, cut, elapsed, paint, type Screen } from './screen.ts'

export interface Drawing {
  readonly show: (event: ProgressEvent) => void
  /** Leaves the last state on the screen. */
  readonly end: () => void
}

interface State {
  readonly event: ProgressEvent
  /** Milliseconds since the drawing began. */
  readonly elapsed: number
}

const BAR = 30
/** Below so many columns there is neither bar nor colour. */
const NARROW = 64
/** Milliseconds between two pictures: the clock has to tick while nothing else happens. */
const TICK = 250
/** Without a terminal, a line at least this often, and not more often than every second within a phase. */
const LINE_AT_LEAST = 10_000
const LINE_AT_MOST = 1_000

export const draw = (screen: Screen, now: () => number = Date.now): Drawing =>
  screen.isTTY ? drawInPlace(screen, now) : drawLines(screen, now)

/** The picture on a terminal: bar, what it does, counts. No line may wrap: the next picture is drawn over these lines. */
export const picture = (screen: Screen, { event, elapsed: time }: State): readonly string[] => {
  const width = Math.max(20, screen.columns() - 1)
  const detail = cut(clean(event.phase_detail), width)
  if (width < NARROW) {
    const plain = countsText({ ...screen, colour: false }, event.counts)
    return [cut(`${event.phase} ${event.progress} %  ${elapsed(time)}`, width), detail, cut(plain, width)]
  }
  const full = Math.round((event.progress / 100) * BAR)
  const bar = `${'█'.repeat(full)}${paint(screen, 'dim', '░'.repeat(BAR - full))}`
  const phase = paint(screen, 'bold', event.phase.padEnd(9))
  const head = `${phase} ${bar} ${String(event.progress).padStart(3)} %  ${elapsed(time)}`
  return [head, detail, countsText(screen, event.counts)]
}

/** One line, for logs and pipes. */
export const line = (screen: Screen, { event, elapsed: time }: State): string => {
  const head = `[${elapsed(time)}] ${String(event.progress).padStart(3)} %  ${event.phase.padEnd(9)}`
  return `${head} ${cut(clean(event.phase_detail), 80)} (${countsText(screen, event.counts)})`
}

const drawInPlace = (screen: Screen, now: () => number): Drawing => {
  const start = now()
  let event: ProgressEvent | null = null
  let drawn = 0
  const render = (): void => {
    if (event === null) return
    const lines = picture(screen, { event, elapsed: now() - start })
    const up = drawn === 0 ? '' : `\u001b[${drawn}A`
    // Each line is cleared to its end: the one before may have been longer.
    screen.out(`${up}${lines.map((text) => `${text}\u001b[K\n`).join('')}`)
    drawn = lines.length
  }
  const timer = setInterval(render, TICK)
  timer.unref()
  return {
    show: (next) => {
      event = next
      render()
    },
    end: () => clearInterval(timer),
  }
}

const drawLines = (screen: Screen, now: () => number): Drawing => {
  const start = now()
  let last: ProgressEvent | null = null
  let lastAt = 0
  return {
    show: (event) => {
      const quiet = now() - lastAt
      const newPhase = last === null || last.phase !== event.phase || last.status !== event.status
      const news = last === null || last.progress !== event.progress || last.phase_detail !== event.phase_detail
      if (!newPhase && !(news && quiet >= LINE_AT_MOST) && quiet < LINE_AT_LEAST) return
      last = event
      lastAt = now()
      screen.out(`${line(screen, { event, elapsed: lastAt - start })}\n`)
    },
    end: () => undefined,
  }
}
