/** VNC: its first exchange. */
import { vnc } from '../../../../protocols/services/desktops.ts'
import { type Ask, type ModuleShape, proved } from './asking.ts'

const isVnc: Ask = async (talk) => {
  const { info } = await proved(vnc, talk, 'VNC')
  return { IsVNC: true, Banner: info ?? '' }
}

export const DESKTOPS: readonly ModuleShape[] = [
  { name: 'vnc', client: 'VNCClient', asks: { IsVNC: isVnc }, signsIn: ['Connect'] },
]
