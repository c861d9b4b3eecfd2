/** What somebody is to an operation, in a word. The colour repeats it. */
import type { Access } from '../../../src/contract/matrix.ts'
import { MATRIX_WORDS } from '../i18n/rooms.ts'
import { useRoom } from '../i18n/text.tsx'

const TONES = {
  ...{ may: 'good', could: 'new', should_not: 'bad', empty: 'faint' },
  ...{ refused: 'faint', unclear: 'faint', not_asked: 'faint' },
} as const satisfies Record<Access, string>

export const AccessMark = ({ access }: { readonly access: Access }) => {
  const { t } = useRoom(MATRIX_WORDS)
  return <span className={`tag ${TONES[access]}`}>{t(`access_${access}`)}</span>
}
