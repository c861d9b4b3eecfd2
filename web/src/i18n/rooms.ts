/** Words of parts that are loaded by themselves: they come with the part, in both languages, and cost no other page anything. */
import { ERASURE as DE_ERASURE } from './de/erasure.ts'
import { HOSTS as DE_HOSTS } from './de/hosts.ts'
import { HYPOTHESES as DE_HYPOTHESES } from './de/hypotheses.ts'
import { IDENTITIES as DE_IDENTITIES } from './de/identities.ts'
import { MATRIX as DE_MATRIX } from './de/matrix.ts'
import { PALETTE as DE_PALETTE } from './de/palette.ts'
import { REPORT as DE_REPORT } from './de/report.ts'
import { ERASURE } from './en/erasure.ts'
import { HOSTS } from './en/hosts.ts'
import { HYPOTHESES } from './en/hypotheses.ts'
import { IDENTITIES } from './en/identities.ts'
import { MATRIX } from './en/matrix.ts'
import { PALETTE } from './en/palette.ts'
import { REPORT } from './en/report.ts'
import type { Room } from './words.ts'

export const ERASURE_WORDS: Room<keyof typeof ERASURE> = { en: ERASURE, de: DE_ERASURE }
export const HOST_WORDS: Room<keyof typeof HOSTS> = { en: HOSTS, de: DE_HOSTS }
export const HYPOTHESIS_WORDS: Room<keyof typeof HYPOTHESES> = { en: HYPOTHESES, de: DE_HYPOTHESES }
export const IDENTITY_WORDS: Room<keyof typeof IDENTITIES> = { en: IDENTITIES, de: DE_IDENTITIES }
export const MATRIX_WORDS: Room<keyof typeof MATRIX> = { en: MATRIX, de: DE_MATRIX }
export const PALETTE_WORDS: Room<keyof typeof PALETTE> = { en: PALETTE, de: DE_PALETTE }
export const REPORT_WORDS: Room<keyof typeof REPORT> = { en: REPORT, de: DE_REPORT }
