import { DOING } from './doing.ts'
import { REFUSALS } from './refusals.ts'

/** What the service says in English: what is refused, and what a run does. */
export const PHRASES = [...REFUSALS, ...DOING] as const
