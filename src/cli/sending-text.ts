/** For a person at a terminal: what an active run would send, and what it may have left behind. */
import type { PlannedRequest, Sending } from '../contract/sending.ts'
import { counted, cut, paint, type Screen, table } from './screen.ts'

const ORDER: readonly PlannedRequest['decision'][] = ['send', 'once', 'bounded', 'never']
const MEANING: Readonly<Record<PlannedRequest['decision'], string>> = {
  send: 'would be probed: it only reads',
  once: 'would be sent with its own values first, and probed freely if that shows that it reads',
  bounded: 'may write: would be sent so often and no more',
  never: 'would be left alone',
}
const URL_WIDTH = 60

/** Of a dry run: each request under what would become of it, then how many there are of each. */
export const plannedText = (screen: Screen, planned: readonly PlannedRequest[]): string =>
  ORDER.map((decision) => {
    const own = planned.filter((one) => one.decision === decision)
    if (own.length === 0) return ''
    const rows = own.map(({ method, url, places, most, reason }) => [
      ...[method, cut(url, URL_WIDTH), String(places)],
      most === null
        ? (reason ?? '')
        : decision === 'once'
          ? `${reason ?? ''}; else at most ${most}`
          : `at most ${most}: ${reason ?? ''}`,
    ])
    const heading = `${paint(screen, 'bold', `${decision} (${own.length})`)}  ${MEANING[decision]}`
    return `${heading}\n${table(['METHOD', 'ADDRESS', 'PLACES', 'WHY'], rows)}\n`
  }).join('')

/** One line, or nothing where nothing may have been written. */
export const writtenText = ({ written, marker }: Sending): string => {
  if (written.length === 0) return ''
  const times = written.reduce((sum, one) => sum + one.times, 0)
  const marked = marker === null ? '' : ` Values that it made up hold ${marker}.`
  return `${counted(times, 'request')} to ${counted(written.length, 'form')} may have stored something; findings.json lists them for cleaning up.${marked}\n`
}
