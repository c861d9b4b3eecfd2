/** Whether an answer is the block page that this site's firewall gives. For every module that sends probes. */
import { likeness } from '../crawl/similarity.ts'
import type { BlockPage } from './facts.ts'

const ALIKE = 0.8

export const isBlockPage = (
  page: BlockPage | null,
  answer: { readonly status: number | null; readonly text: string },
): boolean =>
  page !== null && answer.status === page.status && likeness(page.text, answer.text.slice(0, 2_000)) >= ALIKE
