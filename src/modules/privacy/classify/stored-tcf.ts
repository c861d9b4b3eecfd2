/** TCF strings that a consent tool wrote into cookies or storage, decoded. */

import { percentDecoded } from '../../../page/percent.ts'
import { readTcString } from '../consent/signals.ts'
import type { TcfRecord } from '../facts.ts'
import type { RawState } from '../visit/states.ts'

/** IAB TCF v2, "What happens with the TC string": the names that tools write it under. */
const NAMES = /^(?:eu-?consent-v2|euconsent|IABTCF_TCString|FCCDCF)$/i
/** Version 2, coded in six bits, begins with C. */
const LOOKS = /^C[A-Za-z0-9_-]{30,}(?:\.[A-Za-z0-9_-]+)*$/

export const readStoredTcf = ({ holdings }: RawState): readonly TcfRecord[] => [
  ...[...holdings.cookies.values()].flatMap(({ name, value, changed }) => {
    const text = percentDecoded(value)
    return NAMES.test(name) && LOOKS.test(text) ? [readTcString(text, changed, 'cookie')] : []
  }),
  ...[...holdings.items.values()].flatMap(({ key, value, changed }) =>
    NAMES.test(key) && LOOKS.test(value) ? [readTcString(value, changed, 'storage')] : [],
  ),
]
