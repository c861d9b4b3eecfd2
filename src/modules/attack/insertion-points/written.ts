/** What a module has sent that may have stored something. */
import type { CollectContext } from '../../module.ts'
import type { ProbingFacts } from './facts.ts'
import { SHARED } from './shared.ts'

/** For cleaning up; nothing where nothing was sent that may write. */
export const writtenSoFar = ({
  scope,
}: Pick<CollectContext, 'scope'>): Pick<ProbingFacts<never>, 'written' | 'writtenValues'> => {
  const { writes, written: values } = scope.of(SHARED)
  const [written, writtenValues] = [writes.counts(), values.all()]
  if (Object.keys(written).length === 0) return {}
  return { written, ...(Object.keys(writtenValues).length === 0 ? {} : { writtenValues }) }
}
