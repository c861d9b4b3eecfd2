/**
 * What closes or archives a thing: from then on the site refuses whatever else is asked about it, as behind what deletes. Only what holds nothing that
 * people type; a form to close a ticket with a comment is one to be asked about the comment.
 */
import { percentDecoded } from '../page/percent.ts'
import { DELETES, PUTS_AWAY } from './deeds.ts'
import { isSafe } from './effect.ts'

const WORD =
  /^(?:archive|close|lock|freeze|suspend|deactivate|disable|terminate|archivieren|schlie(?:ss|ß)en|sperren|deaktivieren|archiver|fermer|archivar|cerrar)$/i
/** Of the path: of what stands alone nobody knows what it closes. */
const SEGMENTS = 2

/** `typed`: how many of its fields and values people type. */
export const putsAway = (method: string, address: string, typed: number): boolean => {
  const segments = new URL(address).pathname.split('/').filter(Boolean)
  const last = percentDecoded(segments.at(-1) ?? '').replace(/\.\w{1,5}$/, '')
  return !isSafe(method) && typed === 0 && segments.length >= SEGMENTS && WORD.test(last)
}

/** By the reason for it: what all else that is asked about a thing is asked before. */
export const takesAway = (reason: string | null | undefined): boolean => reason === DELETES || reason === PUTS_AWAY
