/** VNC: its first exchange. */
import { vnc } from '../../../../protocols/services/desktops.ts'
import { type Ask, asking, type ModuleShape, proved, SIGNS_IN } from './asking.ts'

const isVnc: Ask = async (talk) => {
  const { info } = await proved(vnc, talk, 'VNC')
  return { IsVNC: true, Banner: info ?? '' }
}

export const DESKTOPS: readonly ModuleShape[] = [
  { name: 'vnc', client: 'VNCClient', calls: { IsVNC: asking(isVnc) }, refused: { [SIGNS_IN]: ['Connect'] } },
]
