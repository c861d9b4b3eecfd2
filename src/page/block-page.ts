/** Whether an answer is the block page that this site's firewall gives. For every module that sends probes. */
import { likeness } from './similarity.ts'

const ALIKE = 0.8

export const isBlockPage = (
  page: BlockPage | null,
  answer: { readonly status: number | null; readonly text: string },
): boolean =>
  page !== null && answer.status === page.status && likeness(page.text, answer.text.slice(0, 2_000)) >= ALIKE

/** What an answer looks like when somebody has stopped the request; other modules tell by it what was blocked. */
export interface BlockPage {
  readonly status: number | null
  readonly title: string
  readonly text: string
}
