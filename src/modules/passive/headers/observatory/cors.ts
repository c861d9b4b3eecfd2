import { combined } from '../../../../page/pages.ts'
import type { HeadersFacts } from '../facts.ts'
import type { Modifier } from './grade.ts'

/** Only a foreign origin that is granted together with credentials costs points. */
export const scoreCors = ({ cors }: HeadersFacts): Modifier => {
  const universal = cors.some(
    ({ kind, origin, headers }) =>
      (kind === 'arbitrary' || kind === 'preflight') &&
      combined(headers, 'access-control-allow-origin') === origin &&
      combined(headers, 'access-control-allow-credentials') === 'true',
  )
  return universal
    ? { id: 'cross-origin-resource-sharing-implemented-with-universal-access', points: -50 }
    : { id: 'cross-origin-resource-sharing-not-universal', points: 0 }
}
