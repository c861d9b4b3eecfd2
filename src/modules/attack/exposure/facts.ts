import type { EvidenceRef } from '../../../contract/evidence.ts'
import type { FileAnswer } from './answer.ts'
import type { ExposureKind } from './definitions.ts'

export interface Exposed {
  readonly kind: ExposureKind
  readonly name: string
  readonly url: string
  readonly first: FileAnswer
  /** The same again. */
  readonly again: FileAnswer | null
  /**
   * A file that cannot exist, of the same folder and ending: what proves the one must not be in the other. Of another folder that cannot exist
   * where a program answers for every name in this one, which the kind names itself.
   */
  readonly sibling: FileAnswer | null
  readonly evidence: EvidenceRef
}

export interface ExposureFacts {
  readonly asked: number
  /** Answers of 401, 403, 406, 429 and 503, and no answer at all. */
  readonly refused: number
  readonly unanswered: number
  /** Kinds of files that may lie where the run must not look. */
  readonly excluded?: readonly ExposureKind[]
  /** Kinds of which a name was answered with the firewall's block page. Absent in facts of older versions. */
  readonly blocked?: readonly ExposureKind[]
  /** Kinds of which some name was not asked for, as the time was over. Absent in facts of older versions. */
  readonly unasked?: readonly ExposureKind[]
  /** Folders that were looked at. */
  readonly folders: readonly string[]
  /** Why folders that nobody links to were not all looked into: see `Within` in folders.ts, or as the time was over. Absent where they were. */
  readonly cut?: 'time' | 'unanswered' | 'many' | 'crawl'
  /** Answers that hold what their name promises. */
  readonly candidates: readonly Exposed[]
}
