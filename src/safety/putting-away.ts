/**
 * What closes or archives a thing: from then on the site refuses whatever else is asked about it, as behind what deletes. Only what holds nothing that
 * people type; a form to close a ticket with a comment is one to be asked about the comment.
 */
import { DELETES, PUTS_AWAY } from './deeds.ts'
import { isSafe } from './effect.ts'

const WORD =
  /^(?:archive|close|lock|freeze|suspend|deactivate|disable|terminate|archivieren|schlie(?:ss|ß)en|sperren|deaktivieren|archiver|fermer|archivar|cerrar)$/i
/** What is told apart from the interface itself: `POST /close` may close a window. */
const SEGMENTS = 2

/** `typed`: how many of its fields and values people type. */
export const putsAway = (method: string, address: string, typed: number): boolean => {
  const segments = new URL(address).pathname.split('/').filter(Boolean)
  const last = decodedOf(segments.at(-1) ?? '').replace(/\.\w{1,5}$/, '')
  return !isSafe(method) && typed === 0 && segments.length >= SEGMENTS && WORD.test(last)
}

const decodedOf = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return segment
  }
}

/** By the reason for it: what all else that is asked about a thing is asked before. */
export const takesAway = (reason: string | null | undefined): boolean => reason === DELETES || reason === PUTS_AWAY
